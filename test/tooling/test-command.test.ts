import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot, runNode } from './project-folder';

it('npm test rejects an unknown step and lists the known ones', () => {
  const { code, output } = runNode(['scripts/test.mjs', '--only', 'unit,nonsense'], projectRoot);

  expect(code).toBe(2);
  expect(output).toContain('There is no step "nonsense".');
  expect(output).toContain('types,build,unit,engine');
});

it('npm test rejects --quick combined with --full', () => {
  expect(runNode(['scripts/test.mjs', '--quick', '--full'], projectRoot).code).toBe(2);
});

it('lists the command that runs each failed test file on its own', async () => {
  const { commandsFor } = await import('../../scripts/lib/test-tools.mjs');
  const output = [
    'FAIL unit test/together.test.ts',
    '  ● test/src/run/circuit-breaker.test.ts › Brake › stops',
    '  ● test/src/run/circuit-breaker.test.ts › Brake › stops twice',
    'FAIL host test/host/demo.test.ts (20.1 s)',
    '  ● the demo › ends',
  ].join('\n');

  expect(commandsFor(output)).toEqual([
    '  npx jest test/src/run/circuit-breaker.test.ts',
    '  npx jest test/host/demo.test.ts',
  ]);
});

it('adds up the duration of each test file, run alone or together with others', async () => {
  const { secondsByFile } = await import('../../scripts/lib/test-tools.mjs');
  const breaker = ['test/src/run/circuit-breaker.test.ts', 'Brake'];
  const at = { startTime: 1_000, endTime: 3_500 };

  const seconds = secondsByFile({
    testResults: [
      {
        ...at,
        name: join(projectRoot, 'test/together.test.ts'),
        assertionResults: [500, 250, null].map((duration) => ({
          ancestorTitles: breaker,
          duration,
        })),
      },
      { ...at, name: join(projectRoot, 'test/host/demo.test.ts'), assertionResults: [] },
    ],
  });

  expect([...seconds]).toEqual([
    ['test/src/run/circuit-breaker.test.ts', 0.75],
    ['test/host/demo.test.ts', 2.5],
  ]);
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
