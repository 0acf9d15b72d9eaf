#!/usr/bin/env node
/**
 * `npm test`: every check of the project, in order, on a bare clone too.
 *
 *     npm test                            all of it
 *     npm test -- --only unit,engine      these steps only
 *     npm test -- --quick                 what needs nothing but npm, without the attack
 *
 * A step that fails ends the run. A step whose real component cannot be had on this machine is left
 * out and named at the end; with CI or CI_REQUIRE_ALL set that is a failure too.
 * Exit code 0: nothing failed. 1: something did. 2: wrong arguments.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { ENGINE_PARTS } from '../jest.config.mjs';
import { logTail, startGuarded, stopAll } from './lib/command.mjs';
import { engines, ensureEngines } from './lib/engines.mjs';
import { ensureHost } from './lib/host.mjs';
import { lastN8n1ManifestDir, logsDir, projectRoot } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';
import { buildAndPack, ensureDependencies } from './lib/project.mjs';
import { whyNoRedis, whyNoRedisOverTls } from './lib/redis.mjs';
import { SetupError, reportFailure } from './lib/setup-error.mjs';
import { onEndAsked } from './lib/signals.mjs';

/**
 * One part of the test run.
 *
 * @typedef {object} Step
 * @property {string} name for `--only`, the table and the log
 * @property {string} title what it does
 * @property {() => Promise<string>} run does it; returns a word about it for the table (may be empty)
 * @property {() => Promise<string | undefined>} [missing] why its real component cannot be had here
 * @property {boolean} [slow] left out by `--quick`
 * @property {true} [beside] runs at the same time as the step before it, which leaves a core free: it
 * has only one process, or its tests wait, such as for what a service asks to wait
 */

/**
 * @typedef {object} Outcome
 * @property {'passed' | 'failed' | 'left out' | 'not reached'} state
 * @property {number} [seconds]
 * @property {string} [note]
 */

const requireAll = isSet('CI') || isSet('CI_REQUIRE_ALL');
const MINUTE = 60_000;

/** The jest projects that run the same tests on one engine each. */
const versions = ['newest', ...engines.map(({ version }) => version)].map(
  (version) => `versions-${version}`,
);

/** @type {Step[]} */
const steps = [
  {
    name: 'lint',
    title: 'ESLint and Prettier',
    run: async () => {
      const results = await Promise.allSettled([
        runTool('eslint', 'eslint/bin/eslint.js', ['.', '--max-warnings=0'], 5 * MINUTE),
        runTool('prettier', 'prettier/bin/prettier.cjs', ['--check', '.'], 5 * MINUTE),
      ]);
      const failed = results.filter((result) => result.status === 'rejected');
      if (failed.length > 0)
        throw new FailedTool(failed.map(({ reason }) => reason.output).join('\n'));
      return '';
    },
  },
  {
    name: 'types',
    title: 'Types of all code',
    beside: true,
    run: () =>
      runTool('types', 'typescript/bin/tsc', ['-p', 'tsconfig.json'], 5 * MINUTE).then(nothing),
  },
  {
    name: 'build',
    title: 'Build and package',
    beside: true,
    run: () => buildAndPack().then(nothing),
  },
  { name: 'unit', title: 'Unit tests', run: () => jest('unit', 15 * MINUTE) },
  {
    name: 'engine',
    title: "Tests in n8n's engine",
    beside: true,
    run: () => jest('engine', 15 * MINUTE, { workers: ENGINE_PARTS }),
  },
  {
    name: 'sandbox',
    title: 'Tests of the local service',
    beside: true,
    run: () => jest('sandbox', 15 * MINUTE),
  },
  {
    name: 'tooling',
    title: 'Tests of the built package',
    beside: true,
    run: () => jest('tooling', 10 * MINUTE),
  },
  {
    name: 'versions',
    title: 'The nodes on older n8n versions',
    slow: true,
    missing: () => whyNot(ensureEngines),
    run: () => jest('versions', 10 * MINUTE, { projects: versions }),
  },
  {
    name: 'redis',
    title: 'Tests with a real Redis',
    slow: true,
    beside: true,
    missing: () => Promise.resolve(whyNoRedisOverTls()),
    run: () => jest('redis', 10 * MINUTE),
  },
  {
    name: 'attack',
    title: 'Every fault against every operation',
    slow: true,
    run: async () => `${await jest('attack', 40 * MINUTE)}. ${printed('attack', 'Fault matrix')}`,
  },
  {
    name: 'host',
    title: 'Tests in a real n8n',
    slow: true,
    beside: true,
    missing: async () => whyNoRedis() ?? (await whyNoHost()) ?? (await whyNoLastN8n1()),
    run: () => jest('host', 40 * MINUTE),
  },
  {
    name: 'browser',
    title: 'Tests in a browser',
    slow: true,
    missing: async () => whyNoBrowser() ?? (await whyNoHost()),
    // One file after the other: another n8n beside it would make the walk slower than it is.
    run: async () =>
      `${await jest('browser', 20 * MINUTE, { workers: 1 })}. ${printed('browser', 'README walk')}`,
  },
];

/** A tool that said no; `output` is all it printed. */
class FailedTool extends Error {
  /** @param {string} output */
  constructor(output) {
    super('failed');
    this.output = output;
  }
}

/**
 * Runs a tool of node_modules to its end, its output in a log.
 *
 * @param {string} name of the log
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {number} limit in milliseconds
 * @returns {Promise<string>} what it printed
 * @throws {FailedTool} when it failed, took too long, or left something running
 */
async function runTool(name, script, args, limit) {
  const logPath = join(logsDir, `test-${name}.log`);
  rmSync(logPath, { force: true });
  const output = () => readFileSync(logPath, 'utf8');
  const tool = startGuarded(
    process.execPath,
    [join(projectRoot, 'node_modules', script), ...args],
    {
      logPath,
      cwd: projectRoot,
      env: {
        ...process.env,
        ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
        // For jest: see `parts` in jest.config.mjs.
        TEST_TOGETHER: '1',
      },
    },
  );
  let killed = '';
  const watch = setInterval(() => {
    // jest only warns when a test leaves a timer or connection open, and then waits for ever.
    if (logTail(logPath, 8).includes('Jest did not exit')) {
      killed = 'Tests left a timer, server or connection open: jest could not exit.';
    } else if (performance.now() - started > limit) {
      killed = `Took longer than ${limit / MINUTE} minutes.`;
    }
    if (killed) void tool.stop();
  }, 2_000);
  const started = performance.now();
  const code = await tool.exited;
  clearInterval(watch);
  if (killed) throw new FailedTool(`${output()}\n${killed}`);
  if (code !== 0) throw new FailedTool(output());
  return output();
}

/** Tests that jest skipped, by project: they count as not run. @type {string[]} */
const skippedTests = [];

/**
 * Runs tests of jest.
 *
 * @param {string} project its name, or one for all of them
 * @param {number} limit in milliseconds
 * @param {{projects?: string[], workers?: number}} [options] their names when there are several; how
 * many files run at the same time, unless as many as jest.config.mjs says
 */
async function jest(project, limit, { projects = [project], workers } = {}) {
  const args = ['--ci', '--selectProjects', ...projects];
  if (workers !== undefined) args.push('--maxWorkers', String(workers));
  // n8n-core 1.122 keeps its worker from ending; what our own code leaves open, other projects show.
  const staysOpen = project === 'versions';
  if (staysOpen) args.push('--workerGracefulExitTimeout', '500');
  const output = await runTool(project, 'jest/bin/jest.js', args, limit);
  if (!staysOpen && output.includes('A worker process has failed to exit gracefully')) {
    throw new FailedTool(`${output}\nTests left a timer, server or connection open.`);
  }
  // eslint-disable-next-line no-control-regex -- colours are control characters
  const plain = output.replace(/\x1b\[[\d;]*m/g, '');
  const counts = /^Tests:\s+(.*)$/m.exec(plain)?.[1] ?? '';
  const skipped = /(\d+) (skipped|todo)/.exec(counts);
  if (skipped) {
    if (requireAll) throw new FailedTool(`${output}\nIn CI no test may be skipped.`);
    skippedTests.push(`${skipped[0]} in ${project} (see its tests)`);
  }
  return `${/(\d+) passed/.exec(counts)?.[1] ?? '0'} tests`;
}

/**
 * @param {string} project of jest, which ran
 * @param {string} figure how the line begins that its tests print for the table
 * @returns {string} that line; empty if there is none
 */
function printed(project, figure) {
  const log = logTail(join(logsDir, `test-${project}.log`), 100);
  return new RegExp(`^${figure}: .*$`, 'm').exec(log)?.[0] ?? '';
}

/** @returns {Promise<string | undefined>} why there can be no real n8n here */
const whyNoHost = () => whyNot(() => ensureHost());

/** @returns {Promise<string | undefined>} why there can be no real n8n 1 here */
const whyNoLastN8n1 = () => whyNot(() => ensureHost(lastN8n1ManifestDir));

/**
 * @param {() => Promise<unknown>} ensure installs a real component
 * @returns {Promise<string | undefined>} why it cannot be had here
 */
async function whyNot(ensure) {
  try {
    await ensure();
    return undefined;
  } catch (error) {
    if (error instanceof SetupError) return error.message.split('\n', 1)[0];
    throw error;
  }
}

/** @returns {string | undefined} why there can be no browser here */
function whyNoBrowser() {
  if (isSet('CHROMIUM_PATH')) return undefined;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => names.some((name) => folder !== '' && existsSync(join(folder, name))));
  return found ? undefined : 'no chromium; on Debian and Ubuntu: apt-get install -y chromium';
}

/** @param {string} name of an environment variable */
function isSet(name) {
  return !['', '0', 'false'].includes(process.env[name] ?? '');
}

function nothing() {
  return '';
}

/** Reads the arguments; ends the process when they are wrong. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
    });
    const only = values.only?.split(',').filter((name) => name !== '');
    const unknown = only?.find((name) => !steps.some((known) => known.name === name));
    if (unknown !== undefined) throw new Error(`There is no step "${unknown}".`);
    return { only, quick: values.quick };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    console.error(
      `Usage: npm test -- [--quick] [--only ${steps.map(({ name }) => name).join(',')}]`,
    );
    process.exit(2);
  }
}

/**
 * @param {Step} one
 * @returns {Promise<Outcome>}
 */
async function runStep({ name, title, run, missing }) {
  const reason = await missing?.();
  if (reason !== undefined) {
    if (!requireAll) return { state: 'left out', note: reason };
    console.error(`\n✗ ${name}: ${reason}. In CI every real component has to be there.`);
    return { state: 'failed', note: reason };
  }
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const note = await step(title, run);
    return { state: 'passed', seconds: seconds(), note };
  } catch (error) {
    if (error instanceof FailedTool) console.error(`\n${error.output.trimEnd()}\n`);
    else reportFailure(error);
    return { state: 'failed', seconds: seconds() };
  }
}

/** @param {Map<string, Outcome>} outcomes */
function printTable(outcomes) {
  console.log();
  for (const [name, { state, seconds, note }] of outcomes) {
    const time = seconds === undefined ? '' : `${seconds.toFixed(1)} s`;
    console.log(
      `  ${name.padEnd(9)}${state.padEnd(12)}${time.padStart(8)}   ${note ?? ''}`.trimEnd(),
    );
  }
  console.log();
}

const { only, quick } = readArguments();
onEndAsked((_signal, exitCode) => void stopAll().then(() => process.exit(exitCode)));
/** @type {Map<string, Outcome>} */
const outcomes = new Map();
const begun = performance.now();
try {
  await ensureDependencies();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
/** Steps that run at the same time, in order. @type {Step[][]} */
const groups = [];
for (const one of steps) {
  if (only !== undefined && !only.includes(one.name)) continue;
  if (one.beside === true && groups.length > 0) groups.at(-1)?.push(one);
  else groups.push([one]);
}
for (const group of groups) {
  const stopped = [...outcomes.values()].some(({ state }) => state === 'failed');
  await Promise.all(
    group.map(async (one) => {
      // The table shows them in this order, however long each takes.
      outcomes.set(one.name, { state: 'not reached' });
      if (quick && one.slow === true) {
        outcomes.set(one.name, { state: 'left out', note: '--quick' });
      } else if (!stopped) {
        outcomes.set(one.name, await runStep(one));
      }
    }),
  );
}

printTable(outcomes);
const leftOut = [...outcomes]
  .filter(([, { state }]) => state === 'left out')
  .map(([name, { note }]) => `${name} (${note})`);
const notRun = [...leftOut, ...skippedTests];
if (notRun.length > 0) console.log(`Did NOT run here: ${notRun.join('; ')}`);
const failed = [...outcomes].filter(([, { state }]) => state === 'failed').map(([name]) => name);
const minutes = ((performance.now() - begun) / MINUTE).toFixed(1);
if (failed.length > 0) {
  console.log(`Failed: ${failed.join(', ')}, after ${minutes} min. The output is above.`);
  process.exitCode = 1;
} else {
  console.log(`All that ran passed, in ${minutes} min.`);
}
