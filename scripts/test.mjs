#!/usr/bin/env node
/**
 * Runs the rings of checks (CONTRIBUTING.md, Tests), even in a fresh clone.
 *
 *     npm test                         each kind of check, with each real component
 *     npm test -- --quick              what needs only npm, with the engine tests of uncommitted changes
 *     npm test -- --related            the same, with those of everything since the branch left main
 *     npm run test:full                everything: all faults, engines and hosts
 *     npm test -- --only unit,engine   these rings; also after `test:full --`
 *
 * A failure ends the run. A ring without its real component is left out, and listed at the end; with
 * CI or CI_REQUIRE_ALL set, that is a failure. Exit code 1: a check failed. 2: wrong arguments.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './lib/chromium.mjs';
import { onEndAsked, startGuarded } from './lib/command.mjs';
import { engines, ensureEngines } from './lib/engines.mjs';
import { ensureHost } from './lib/host.mjs';
import { lastN8n1ManifestDir, logsDir, projectRoot } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';
import { buildAndPack, ensureDependencies } from './lib/project.mjs';
import { needRedis } from './lib/redis.mjs';
import { SetupError } from './lib/setup-error.mjs';

/** The rings of a lane run in order, and the lanes at the same time. Each lane takes as long. */
const LANES = [
  ['types', 'build', 'unit', 'engine', 'lint'],
  ['redis', 'versions', 'sandbox', 'tooling', 'attack', 'waits'],
  ['host', 'browser', 'soak', 'alone'],
];
const QUICK = ['types', 'unit', 'engine', 'lint'];
const ONLY_FULL = ['attack', 'waits', 'soak', 'alone'];

/** The engine tests of a room of `src`; of other rooms, those of three nodes that use all of them. */
const ROOMS = [
  { room: /^src\/(?:watch|n8n\/triggers)\//, tests: '(?:[\\w-]+-trigger|shared/trigger)' },
  { room: /^src\/service\/lists\//, tests: '(?:list-members|company-list)' },
  { room: /^src\/n8n\/agents\//, tests: 'agents/' },
  { room: /^src\/n8n\/jobs\//, tests: 'refresh-and-wait/' },
  {
    room: /^src\/n8n\/files\//,
    tests: '(?:shared/files|list-members/|tech-users/|partner-graph/)',
  },
  { room: /^src\/graph\//, tests: 'partner-graph/' },
  {
    room: /^(?:src|nodes\/shared|credentials)\//,
    tests: '(?:company-lookup|bulk-enrich|refresh-and-wait|shared)/',
  },
];

const { quick, related, full, only } = readArguments();
const versions = engines.slice(0, full ? Infinity : 1).map(({ version }) => `versions-${version}`);

/** What a ring runs, except the jest project of its name. @type {Record<string, () => Promise<string>>} */
const runs = {
  types: () => tool('types', 'npm', ['run', '--silent', 'typecheck']),
  lint: () => tool('lint', 'npm', ['run', '--silent', 'lint']),
  build: buildAndPack,
  engine: () =>
    quick || related ? engineOfChanges() : jest('engine', { env: full ? { FULL: '1' } : {} }),
  versions: () => jest('versions', { projects: ['versions-newest', ...versions] }),
  // The other tests in a real n8n take 10 minutes, one beside two of `waits`.
  host: () =>
    jest('host', full ? { args: ['--runInBand'] } : { files: ['test/host/demo-workflow.test.ts'] }),
  // A second n8n at the same time would slow down the browser.
  browser: () => jest('browser', { args: ['--runInBand'] }),
  tooling: () => jest('tooling', { projects: ['tooling', 'packed'] }),
  // A file alone and in random order shows what others or earlier tests leave behind.
  alone: () =>
    jest('alone', {
      projects: ['unit', 'engine'],
      files: ['test/'],
      args: ['--randomize', '--showSeed'],
    }),
};

/** What installs the real component of a ring, or throws why it can't. @type {Record<string, () => unknown>} */
const needs = {
  redis: needRedis,
  versions: ensureEngines,
  host: () => (full ? allHosts() : ensureHost()),
  waits: allHosts,
  browser: () => Promise.all([ensureChromium(), ensureHost()]),
  soak: allHosts,
};

const requireAll = ['CI', 'CI_REQUIRE_ALL'].some(
  (name) => !['', '0', 'false'].includes(process.env[name] ?? ''),
);
// The same random input each time, so that a failure comes from the change.
process.env.ATTACK_SEED ??= '1';
onEndAsked();
await ensureDependencies();

/** @param {string} name */
const isChosen = (name) => only?.includes(name) ?? (full || !ONLY_FULL.includes(name));
/** State, time and note of each ring. @type {Map<string, string[]>} */
const table = new Map(
  LANES.flat()
    .filter(isChosen)
    .map((name) => [name, ['not reached']]),
);
const all = (/** @type {string} */ state) =>
  [...table].flatMap(([name, [its]]) => (its === state ? [name] : []));
await Promise.all(
  LANES.map(async (lane) => {
    for (const name of lane.filter(isChosen)) {
      if (all('failed').length === 0) table.set(name, await check(name));
    }
  }),
);
console.log();
for (const [name, [state = '', time = '', note = '']] of table) {
  console.log(`  ${name.padEnd(9)}${state.padEnd(12)}${time.padStart(8)}   ${note}`.trimEnd());
}
if (all('left out').length > 0) console.log(`\nDid NOT run: ${all('left out').join(', ')}`);
process.exitCode = all('failed').length > 0 ? 1 : 0;
console.log(process.exitCode ? '\nFailed. See the output above.' : '\nAll checks that ran passed.');

/** @param {string} name @returns {Promise<string[]>} the row of the ring */
async function check(name) {
  if ((quick || related) && !only && !QUICK.includes(name)) return ['left out', '', 'not quick'];
  const started = Date.now();
  const time = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  try {
    await needs[name]?.();
  } catch (error) {
    return [requireAll ? 'failed' : 'left out', time(), String(error).split('\n', 1)[0] ?? ''];
  }
  try {
    const output = await step(name, runs[name] ?? (() => jest(name)));
    const counts = /^Tests:.*/m.exec(output)?.[0].match(/\d+ (?:passed|skipped|todo)/g) ?? [];
    if (requireAll && counts.length > 1) throw new Error(`${output}\nCI may skip no test.`);
    const figures = output.match(/^(?:README walk|Soak|Seed:).*/gm) ?? [];
    return ['passed', time(), [...counts, ...figures].join('; ')];
  } catch (error) {
    console.error(`\n${error instanceof SetupError ? error.format() : error}\n`);
    return ['failed', time()];
  }
}

async function allHosts() {
  needRedis();
  await ensureHost(lastN8n1ManifestDir);
  await ensureHost();
}

/**
 * @param {string} name
 * @param {{projects?: string[], files?: string[], args?: string[], env?: NodeJS.ProcessEnv}} options
 */
async function jest(name, { projects = [name], files = [], args = [], env = {} } = {}) {
  // n8n-core 1.122 keeps its worker from exiting. Other rings find what our code leaves open.
  const isOpen = name === 'versions' ? ['--workerGracefulExitTimeout', '500'] : [];
  // Most objects in tests live only briefly. With more room for them, Node collects less often.
  const command = ['--max-semi-space-size=64', 'node_modules/jest/bin/jest.js', ...files, ...args];
  const options = [...command, ...isOpen, '--ci', '--selectProjects', ...projects];
  const together = files.length > 0 ? {} : { TEST_TOGETHER: '1' };
  const output = await tool(name, process.execPath, options, { ...together, ...env });
  if (isOpen.length > 0 || !output.includes('failed to exit gracefully')) return output;
  throw new Error(`${output}\nTests left a timer, server or connection open.`);
}

/**
 * Runs the engine tests of changed files: of uncommitted ones or else of the last commit, or with
 * `--related` of all since the branch left main. n8n loads nodes by name, so imports don't lead from
 * changed code to its engine tests.
 */
async function engineOfChanges() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' }).split('\n').filter(Boolean);
  const since = (/** @type {string} */ commit) => [
    ...git('diff', '--name-only', '--diff-filter=d', commit),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const [main = 'main'] = git('branch', '--all', '--list', 'origin/main', '--format=%(refname)');
  const start = related ? git('merge-base', 'HEAD', main).join() : 'HEAD';
  const changed = since(start);
  const files = (changed.length > 0 ? changed : since('HEAD~1')).flatMap((file) => {
    if (/^test\/engine\/.*\.test\.ts$/.test(file)) return [file];
    const [, node] = /^nodes\/([A-Z]\w+)\//.exec(file) ?? [];
    if (node) return [`engine/${node.replace(/\B[A-Z]/g, '-$&').toLowerCase()}/`];
    const tests = ROOMS.find(({ room }) => room.test(file))?.tests;
    return tests ? [`engine/${tests}`] : [];
  });
  return files.length === 0 ? '' : await jest('engine', { files: [...new Set(files)] });
}

/**
 * @param {string} name name of its log
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [more] settings in addition to those of this process
 */
async function tool(name, command, args, more) {
  const logPath = join(logsDir, `test-${name}.log`);
  const env = { ...process.env, NO_COLOR: '1', ...more };
  const { exited, stop } = startGuarded(command, args, { logPath, cwd: projectRoot, env });
  const output = () => readFileSync(logPath, 'utf8');
  // If a test leaves something open, jest only says so, and waits forever.
  const watch = setInterval(() => output().includes('Jest did not exit') && void stop(), 2_000);
  const code = await exited;
  clearInterval(watch);
  if (code !== 0) throw new Error(output());
  return output();
}

/** Exits if they are wrong. */
function readArguments() {
  const boolean = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, quick: boolean, related: boolean, full: boolean },
    });
    if (values.full && (values.quick || values.related)) {
      throw new Error('--full runs everything, so it takes neither --quick nor --related.');
    }
    const only = values.only?.split(',');
    const unknown = only?.find((name) => !LANES.flat().includes(name));
    if (unknown !== undefined) throw new Error(`There is no ring "${unknown}".`);
    return { ...values, only };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    console.error(
      `Usage: npm test -- [--quick | --related | --full] [--only ${LANES.flat().join(',')}]`,
    );
    process.exit(2);
  }
}
