/** The pages about the examples are as new as the examples. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { projectRoot } from './project-folder';

const page = readFileSync(join(projectRoot, 'examples/README.md'), 'utf8');

it('every example has a picture of the version that it is now', async () => {
  const { examplesNow, picturedPath } = await import('../../scripts/lib/example-pictures.mjs');

  // If this fails: run the demo, then node scripts/screenshots.mjs.
  expect(JSON.parse(readFileSync(picturedPath, 'utf8'))).toEqual(examplesNow());
  for (const file of Object.keys(examplesNow())) {
    expect(existsSync(join(dirname(picturedPath), file.replace(/json$/, 'png')))).toBe(true);
  }
});

it('the page about the examples names every one of them, with its picture', async () => {
  const { exampleFiles } = await import('../../scripts/lib/example-pictures.mjs');

  for (const { file, name } of exampleFiles()) {
    expect(page).toContain(`## ${name}\n\n[${file}](workflows/${file})`);
    expect(page).toContain(`(../docs/images/examples/${file.replace(/json$/, 'png')})`);
  }
});
