// One jest project per folder of test/, each selectable: `npx jest --selectProjects unit engine`,
// or by path: `npx jest test/engine/bulk-enrich.test.ts`.

import { existsSync } from 'node:fs';
import { engines } from './scripts/lib/engines.mjs';

const rootDir = import.meta.dirname ?? new URL('.', import.meta.url).pathname;

/**
 * The language level and module format that the build uses.
 *
 * @type {[string, Record<string, unknown>]}
 */
const swc = [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript' },
      // Code identifies error classes by name, in n8n too.
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  },
];

/** Packages that are ES modules. Node can require them, but jest cannot. */
const esModules = 'cookie|is-network-error|p-retry';

/** The settings that all projects share. swc compiles TypeScript. */
const common = {
  rootDir,
  testEnvironment: 'node',
  transform: { '^.+\\.(ts|mjs)$': swc, [`/node_modules/(${esModules})/.+\\.js$`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`],
  // Access to these globals is slow in jest's environment, and drawing or hashing accesses them
  // thousands of times. The list contains only names that no module declares and no test replaces.
  sandboxInjectedGlobals: [
    'Array',
    'Error',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'Set',
    'String',
    'Symbol',
  ],
  // dist/ duplicates package files, and .cache/ contains whole n8n installations. jest must not
  // scan them.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
  setupFilesAfterEnv: ['<rootDir>/test/each-test.cjs'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/seeded-fast-check.cjs',
    '^\\./picture-worker$': '<rootDir>/test/picture-worker.cjs',
  },
};

/**
 * @param {string} displayName name for `--selectProjects`
 * @param {number} testTimeoutInMs how long one test or hook may take
 * @param {string[]} folders folders of test/ whose `*.test.ts` belong to the project
 * @param {{parts?: number, globals?: object} & Record<string, unknown>} [settings] what differs
 *   from the common settings;
 * `parts`: number of combined files that `npm test` runs instead of the project's own files, see
 * test/together.test.ts
 */
function project(displayName, testTimeoutInMs, folders, { parts, globals, ...settings } = {}) {
  const one = {
    ...common,
    displayName,
    globals: { testTimeoutInMs, ...globals },
    testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
    ...settings,
  };
  if (parts === undefined || process.env.TEST_TOGETHER !== '1') return [one];
  return Array.from({ length: parts }, (_, part) => ({
    ...one,
    globals: { ...one.globals, share: { folders, part, parts } },
    testMatch: ['<rootDir>/test/together.test.ts'],
  }));
}

/**
 * Time limit for tests that hang. Tests normally take milliseconds, and many times that on a busy
 * machine.
 */
const HANGS_MS = 120_000;

/** Settings for tests on n8n's engine, which need their own user folder. */
const engineSettings = {
  setupFiles: ['<rootDir>/test/engine/harness/user-folder.cjs'],
  setupFilesAfterEnv: [
    ...common.setupFilesAfterEnv,
    '<rootDir>/test/engine/harness/quick-waits.cjs',
  ],
};

/** Settings for tests that use the packed package instead of its sources. */
const packedSettings = {
  ...engineSettings,
  globals: { packed: true },
  globalSetup: '<rootDir>/test/engine/harness/packed-setup.cjs',
};

/**
 * Returns the project with the smoke tests on the engine of an older n8n. Its packages replace the
 * newest ones.
 *
 * @param {import('./scripts/lib/engines.mjs').Engine} engine
 */
function engineProject({ version, modules }) {
  return project(`versions-${version}`, HANGS_MS, ['versions'], {
    parts: 1,
    ...packedSettings,
    globalSetup: '<rootDir>/test/versions/setup.cjs',
    moduleNameMapper: {
      ...common.moduleNameMapper,
      ...Object.fromEntries(Object.entries(modules).map(([name, places]) => [`^${name}$`, places])),
    },
  });
}

/** Tests in a real n8n that mostly wait for it, for minutes. */
const WAITS = 'durable-wait|triggers';

/** @type {import('jest').Config} */
export default {
  // Two workers, because the usual machines have two cores, and each engine worker needs about 300
  // MB.
  maxWorkers: 2,
  // Module registries of previous files stay in a worker's memory, and a large worker takes too
  // long to exit.
  workerIdleMemoryLimit: '600MB',
  // On a busy machine, a worker with much memory takes seconds to exit. With an open timer or
  // connection, a worker never exits. jest then reports that, and `npm test` treats the report as a
  // failure.
  workerGracefulExitTimeout: 60_000,
  projects: [
    project('unit', HANGS_MS, ['src', 'nodes', 'credentials'], { parts: 2 }),
    // These tests build and pack the package.
    project('tooling', 240_000, ['tooling']),
    project('engine', HANGS_MS, ['engine'], { parts: 2, ...engineSettings }),
    // The tests of the older engines must also pass on the newest.
    project('versions-newest', HANGS_MS, ['versions'], { parts: 1, ...packedSettings }),
    // The output of every operation, and features that read files next to the bundle, tested on the
    // packed package.
    project('packed', HANGS_MS, ['engine/goldens', 'engine/partner-graph'], {
      parts: 1,
      ...packedSettings,
    }),
    // Only the installed engines, so that single test files run on any machine.
    ...engines.filter(({ modules }) => modules['n8n-core']?.some(existsSync)).map(engineProject),
    project('sandbox', HANGS_MS, ['sandbox'], { parts: 2 }),
    // These tests run every operation with faults and random input, in n8n's engine.
    project('attack', 1_800_000, ['attack'], {
      parts: 2,
      setupFiles: engineSettings.setupFiles,
    }),
    // These tests start redis-server.
    project('redis', HANGS_MS, ['redis']),
    // A real n8n starts within seconds, but on a busy machine within minutes.
    project('host', 1_200_000, ['host'], {
      testPathIgnorePatterns: ['/node_modules/', `/test/host/(?:${WAITS})`],
    }),
    project('waits', 1_200_000, ['host'], {
      testPathIgnorePatterns: ['/node_modules/', `/test/host/(?!${WAITS})`],
    }),
    project('browser', 1_200_000, ['browser']),
    project('soak', 1_800_000, ['soak']),
  ].flat(),
};
