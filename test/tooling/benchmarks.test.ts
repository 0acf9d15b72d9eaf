import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lines } from '../../bench/lines';
import { projectRoot } from './project-folder';

it('the page of benchmarks has the rows that the bench measures, in its order', () => {
  const page = readFileSync(join(projectRoot, 'docs/guides/benchmarks.md'), 'utf8');
  const [, , ...rows] = [...page.matchAll(/^\| (.*?) +\|/gm)].map(([, what = '']) => what);

  // Numbers in brackets are those of notes.
  expect(rows.map((row) => row.replace(/ \(\d[\d, ]*\)$/, ''))).toEqual(
    lines.flatMap((line) => line.rows),
  );
});
