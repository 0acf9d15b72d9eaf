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
      // Error classes are told apart by name, in n8n too.
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  },
];

/** Packages that are ES modules, which Node can require and jest cannot. */
const esModules = 'cookie|is-network-error|p-retry';

/** The settings every project shares: TypeScript goes through swc. */
const common = {
  rootDir,
  testEnvironment: 'node',
  transform: { '^.+\\.(ts|mjs)$': swc, [`/node_modules/(${esModules})/.+\\.js$`]: swc },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules})/)`],
  // Looking one of these up is slow where jest runs tests, and a drawing or a hash asks for thousands
  // of them. Only names that no module declares for itself, and that no test replaces.
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
  // dist/ repeats package files, and .cache/ holds whole n8ns: neither is ours to crawl.
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
  setupFilesAfterEnv: ['<rootDir>/test/set-timeout.cjs'],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/seeded-fast-check.cjs',
    '^\\./picture-worker$': '<rootDir>/test/picture-worker.cjs',
  },
};

/**
 * @param {string} displayName name for `--selectProjects`
 * @param {number} testTimeoutInMs how long one test or hook may take
 * @param {string[]} folders folders of test/ whose `*.test.ts` belong to the project
 * @param {{parts?: number, globals?: object} & Record<string, unknown>} [settings] what differs from the common settings;
 * `parts`: in `npm test` so many files stand for all of the project, see test/together.test.ts
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

/** A limit for what hangs. Tests take milliseconds; on a machine that is busy with other things, many times that. */
const HANGS_MS = 120_000;

/** What tests on n8n's engine need: a user folder of their own. */
const engineSettings = {
  globalSetup: '<rootDir>/test/engine/harness/user-folder-setup.cjs',
  globalTeardown: '<rootDir>/test/engine/harness/user-folder-teardown.cjs',
  setupFiles: ['<rootDir>/test/engine/harness/user-folder-worker.cjs'],
  setupFilesAfterEnv: [
    ...common.setupFilesAfterEnv,
    '<rootDir>/test/engine/harness/quick-waits.cjs',
  ],
};

/** What tests on the packed package need, instead of on its sources. */
const packedSettings = {
  ...engineSettings,
  globals: { packed: true },
  globalSetup: '<rootDir>/test/engine/harness/packed-setup.cjs',
};

/**
 * The smoke tests on the engine of an older n8n, whose packages take the place of the newest.
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

/** @type {import('jest').Config} */
export default {
  // Two workers: the machines this runs on have two cores, and each engine worker holds ~300 MB.
  maxWorkers: 2,
  // Module registries of past files stay in a worker's memory; a large one takes too long to exit.
  workerIdleMemoryLimit: '600MB',
  // One that held much memory takes seconds to exit on a busy machine; one that a timer or a connection
  // keeps never does, which jest then says and `npm test` takes for a failure.
  workerGracefulExitTimeout: 60_000,
  projects: [
    project('unit', HANGS_MS, ['src', 'nodes', 'credentials'], { parts: 2 }),
    // Builds and packs the package.
    project('tooling', 240_000, ['tooling']),
    project('engine', HANGS_MS, ['engine'], { parts: 2, ...engineSettings }),
    // The newest engine too: what is asked of the older ones must hold for it as well.
    project('versions-newest', HANGS_MS, ['versions'], { parts: 1, ...packedSettings }),
    // What every operation gives, and what is read from files beside the bundle, as it is packed.
    project('packed', HANGS_MS, ['engine/goldens', 'engine/partner-graph'], {
      parts: 1,
      ...packedSettings,
    }),
    // Those that are installed, so that one file of tests can be run anywhere.
    ...engines.filter(({ modules }) => modules['n8n-core']?.some(existsSync)).map(engineProject),
    project('sandbox', HANGS_MS, ['sandbox'], { parts: 2 }),
    // Faults and random input against every operation, in n8n's engine.
    project('attack', 1_800_000, ['attack'], {
      parts: 2,
      globalSetup: '<rootDir>/test/attack/setup.cjs',
      globalTeardown: '<rootDir>/test/attack/teardown.cjs',
      setupFiles: ['<rootDir>/test/engine/harness/user-folder-worker.cjs'],
    }),
    // Start redis-server.
    project('redis', HANGS_MS, ['redis']),
    // A real n8n starts in seconds; on a machine that is busy with other things, in minutes.
    project('host', 1_200_000, ['host']),
    project('browser', 1_200_000, ['browser']),
  ].flat(),
};
