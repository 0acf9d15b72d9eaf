import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, runNode } from './project-folder';

it('npm test rejects an unknown step and lists the known ones, and --quick with --full', () => {
  const { code, output } = runNode(['scripts/test.mjs', '--only', 'unit,nonsense'], projectRoot);

  expect(code).toBe(2);
  expect(output).toContain('There is no step "nonsense".');
  expect(output).toContain('types,build,unit,engine');
  expect(runNode(['scripts/test.mjs', '--quick', '--full'], projectRoot).code).toBe(2);
});

it('selects the engine tests for a changed file', async () => {
  const { engineTestsFor, KNOWN_FOLDERS } = await import('../../scripts/lib/test-choice.mjs');

  expect(engineTestsFor(['src/n8n/jobs/wait.ts', 'README.md'])).toEqual([
    'test/engine/refresh-and-wait',
  ]);
  expect(engineTestsFor(['test/engine/flag-data/flags.test.ts'])).toEqual([
    'test/engine/flag-data/flags.test.ts',
  ]);
  for (const folder of KNOWN_FOLDERS) {
    expect(existsSync(join(projectRoot, folder))).toBe(true);
    for (const tests of engineTestsFor([`${folder}x.ts`])) {
      expect([tests, `${tests}.ts`, `${tests}.test.ts`].some(isThere)).toBe(true);
    }
  }
});

function isThere(path: string): boolean {
  return existsSync(join(projectRoot, path));
}
