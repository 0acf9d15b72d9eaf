#!/usr/bin/env node
/**
 * Runs the checks of the project in order, even in a fresh clone.
 *
 *     npm test                            the usual checks: each kind of check, with each real
 *       component
 *     npm run test:full                   everything: all faults, engines and hosts; nightly and
 *       before a release
 *     npm test -- --quick                 checks for the changed files, which need only npm
 *     npm test -- --only unit,engine      these steps only; also after `test:full --`
 *
 * At the end it prints the test files that took longest. A failed step ends the run. A step is
 * skipped and listed at the end if its real component is not available on this machine. With CI or
 * CI_REQUIRE_ALL set, that is a failure too. Exit code 0: no check failed. 1: a check failed. 2:
 * wrong arguments.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureChromium } from './lib/chromium.mjs';
import { logTail, stopAll } from './lib/command.mjs';
import { engines, ensureEngines } from './lib/engines.mjs';
import { ensureHost } from './lib/host.mjs';
import { lastN8n1ManifestDir, logsDir } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';
import { buildAndPack, ensureDependencies } from './lib/project.mjs';
import { whyNoRedis, whyNoRedisOverTls } from './lib/redis.mjs';
import { SetupError, reportFailure } from './lib/setup-error.mjs';
import { onEndAsked } from './lib/signals.mjs';
import { checkStyle } from './lib/style.mjs';
import { engineTestsFor } from './lib/test-choice.mjs';
import { changedFiles, FailedTool, MINUTE, runJest, runTool } from './lib/test-tools.mjs';

/**
 * Extent of the checks. `usual` is that of `npm test`.
 *
 * @typedef {'quick' | 'usual' | 'full'} Extent
 */

/**
 * One part of the test run.
 *
 * @typedef {object} Step
 * @property {string} name name for `--only`, the table and the log
 * @property {string} title description of the step
 * @property {(extent: Extent) => Promise<string>} run runs the step; returns a short text for the
 *   table (can be empty)
 * @property {(extent: Extent) => Promise<string | undefined>} [missing] returns why its real
 *   component is not available on this machine
 * @property {boolean} [slow] skipped by `--quick`
 * @property {boolean} [full] runs only in `npm run test:full`, neither in quick nor in usual
 */

/**
 * @typedef {object} Outcome
 * @property {'passed' | 'failed' | 'left out' | 'not reached'} state
 * @property {number} [seconds]
 * @property {string} [note]
 */

const requireAll = isSet('CI') || isSet('CI_REQUIRE_ALL');

/**
 * The test in a real n8n that `npm test` runs. The others take 20 minutes, mostly in waits of n8n,
 * and need a machine that does nothing else.
 */
const USUAL_HOST_TESTS = ['test/host/demo-workflow.test.ts'];

/**
 * Lanes of steps. The steps of a lane run in order, and all lanes run at the same time. Short steps
 * are distributed so that all lanes take equally long.
 *
 * @type {Step[][]}
 */
const lanes = [
  // Tests of the code itself.
  [
    {
      name: 'types',
      title: 'Types of all code',
      run: () =>
        runTool('types', 'typescript-7/bin/tsc', ['-p', 'tsconfig.json'], 15 * MINUTE).then(
          nothing,
        ),
    },
    {
      name: 'build',
      title: 'Build and package',
      slow: true,
      run: () => buildAndPack().then(nothing),
    },
    { name: 'unit', title: 'Unit tests', run: () => jest('unit', { limit: 15 * MINUTE }) },
    {
      name: 'engine',
      title: "Tests in n8n's engine",
      run: async (extent) => {
        const files = extent === 'quick' ? engineTestsFor(changedFiles()) : [];
        if (files.length === 0 && extent === 'quick') return 'nothing they test has changed';
        // The full extent tests each trigger in a thousand random scenarios.
        const env = extent === 'full' ? { FULL: '1' } : {};
        return await jest('engine', { limit: 30 * MINUTE, files, env });
      },
    },
  ],
  // The longest checks.
  [
    {
      name: 'attack',
      title: 'Fault injection into every operation',
      slow: true,
      run: async (extent) => {
        const env = { ATTACK_EXTENT: extent, ...process.env };
        const passed = await jest('attack', { limit: 40 * MINUTE, env });
        return `${passed}. ${printed('attack', 'Fault matrix')}`;
      },
    },
    {
      name: 'redis',
      title: 'Tests with a real Redis',
      slow: true,
      missing: () => Promise.resolve(whyNoRedisOverTls()),
      run: () => jest('redis', { limit: 10 * MINUTE }),
    },
    {
      name: 'versions',
      title: 'Tests on older n8n versions',
      slow: true,
      missing: () => whyNot(ensureEngines),
      run: (extent) => jest('versions', { limit: 10 * MINUTE, projects: versionsOf(extent) }),
    },
  ],
  // Style, then checks that mostly wait for n8n and a browser, and leave the cores to other lanes.
  [
    {
      name: 'lint',
      title: 'ESLint and Prettier',
      run: (extent) => checkStyle(extent).then(nothing),
    },
    {
      name: 'host',
      title: 'Tests in a real n8n',
      slow: true,
      missing: async (extent) =>
        (await whyNot(() => ensureHost())) ??
        // The usual tests run n8n in one process.
        (extent === 'full'
          ? (whyNoRedis() ?? (await whyNot(() => ensureHost(lastN8n1ManifestDir))))
          : undefined),
      run: (extent) =>
        jest('host', { limit: 60 * MINUTE, files: extent === 'full' ? [] : USUAL_HOST_TESTS }),
    },
    {
      name: 'browser',
      title: 'Tests in a browser',
      slow: true,
      missing: async () => (await whyNot(ensureChromium)) ?? (await whyNot(() => ensureHost())),
      // Runs the files in order. A second n8n at the same time would slow down the browser test.
      run: async () => {
        const passed = await jest('browser', { limit: 20 * MINUTE, workers: 1 });
        return `${passed}. ${printed('browser', 'README walk')}`;
      },
    },
    {
      name: 'sandbox',
      title: 'Tests of the local service',
      slow: true,
      run: () => jest('sandbox', { limit: 15 * MINUTE }),
    },
    {
      name: 'tooling',
      title: 'Tests of the built package',
      slow: true,
      run: () => jest('tooling', { limit: 15 * MINUTE, projects: ['tooling', 'packed'] }),
    },
    {
      name: 'soak',
      title: 'Five minutes of mixed traffic under faults',
      full: true,
      missing: async () => whyNoRedis() ?? (await whyNot(() => ensureHost())),
      run: async () => {
        const passed = await jest('soak', { limit: 30 * MINUTE });
        return `${passed}. ${printed('soak', 'Soak')}`;
      },
    },
  ],
];
const steps = lanes.flat();

/**
 * Returns the jest projects that run the same tests, each on another engine.
 *
 * @param {Extent} extent
 */
function versionsOf(extent) {
  const all = engines.map(({ version }) => version);
  return ['newest', ...(extent === 'full' ? all : all.slice(0, 1))].map(
    (version) => `versions-${version}`,
  );
}

/** Tests that jest skipped, by project. They count as not run. @type {string[]} */
const skippedTests = [];

/** Test files that ran, with the seconds that each took. @type {Array<[string, number]>} */
const testFiles = [];

/**
 * Runs the jest tests of a step.
 *
 * @param {string} name name of the step, and of its project unless `run` names others
 * @param {import('./lib/test-tools.mjs').JestRun} run
 * @returns {Promise<string>} how many passed
 */
async function jest(name, run) {
  const { passed, skipped, seconds } = await runJest(name, run);
  testFiles.push(...seconds);
  if (skipped !== '') {
    if (requireAll) throw new FailedTool(`${skipped} in ${name}. Tests may not be skipped in CI.`);
    skippedTests.push(`${skipped} in ${name} (see its tests)`);
  }
  return passed;
}

/**
 * @param {string} project jest project that has run
 * @param {string} figure start of the lines that its tests print for the table
 * @returns {string} these lines, or an empty text without any
 */
function printed(project, figure) {
  const log = logTail(join(logsDir, `test-${project}.log`), 100);
  return (log.match(new RegExp(`^${figure}.*: .*$`, 'gm')) ?? []).join('; ');
}

/**
 * @param {() => Promise<unknown>} ensure installs a real component
 * @returns {Promise<string | undefined>} why the component is not available on this machine
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

/** @param {string} name name of an environment variable */
function isSet(name) {
  return !['', '0', 'false'].includes(process.env[name] ?? '');
}

function nothing() {
  return '';
}

/** Reads the arguments. Exits the process if they are wrong. */
function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        full: { type: 'boolean', default: false },
      },
    });
    if (values.quick && values.full) throw new Error('Use either --quick or --full.');
    const only = values.only?.split(',').filter((name) => name !== '');
    const unknown = only?.find((name) => !steps.some((known) => known.name === name));
    if (unknown !== undefined) throw new Error(`There is no step "${unknown}".`);
    /** @type {Extent} */
    const extent = values.full ? 'full' : values.quick ? 'quick' : 'usual';
    return { only, extent };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    console.error(
      `Usage: npm test -- [--quick | --full] [--only ${steps.map(({ name }) => name).join(',')}]`,
    );
    process.exit(2);
  }
}

/**
 * @param {Step} one
 * @returns {Promise<Outcome>}
 */
async function runStep({ name, title, run, missing }) {
  const reason = await missing?.(extent);
  if (reason !== undefined) {
    if (!requireAll) return { state: 'left out', note: reason };
    console.error(`\n✗ ${name}: ${reason}. CI needs every real component.`);
    return { state: 'failed', note: reason };
  }
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  try {
    const note = await step(title, () => run(extent));
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

/** Prints the test files that took longest. */
function printSlowest() {
  if (testFiles.length === 0) return;
  console.log('Slowest test files:');
  for (const [file, seconds] of testFiles.sort(([, a], [, b]) => b - a).slice(0, 20)) {
    console.log(`${seconds.toFixed(1).padStart(8)} s   ${file}`);
  }
  console.log();
}

const { only, extent } = readArguments();
onEndAsked((_signal, exitCode) => void stopAll().then(() => process.exit(exitCode)));
/** @type {Map<string, Outcome>} */
const outcomes = new Map();
const begun = performance.now();
// Use the same random input each time, so that a failure comes from the change. The nightly run
// uses other input.
process.env.ATTACK_SEED ??= '1';
try {
  await ensureDependencies();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
/** @param {Step} step */
const isChosen = ({ name, full }) => only?.includes(name) ?? (extent === 'full' || full !== true);
// The table lists the steps in this order, whichever ends first.
for (const { name } of steps.filter(isChosen)) outcomes.set(name, { state: 'not reached' });
await Promise.all(
  lanes.map(async (lane) => {
    for (const one of lane.filter(isChosen)) {
      const leaveOut = extent === 'quick' && one.slow === true && !only?.includes(one.name);
      if (leaveOut) outcomes.set(one.name, { state: 'left out', note: '--quick' });
      else if ([...outcomes.values()].some(({ state }) => state === 'failed')) return;
      else outcomes.set(one.name, await runStep(one));
    }
  }),
);

printTable(outcomes);
printSlowest();
const leftOut = [...outcomes]
  .filter(([, { state }]) => state === 'left out')
  .map(([name, { note }]) => `${name} (${note})`);
const notRun = [...leftOut, ...skippedTests];
if (notRun.length > 0) console.log(`Did NOT run: ${notRun.join('; ')}`);
const failed = [...outcomes].filter(([, { state }]) => state === 'failed').map(([name]) => name);
const minutes = ((performance.now() - begun) / MINUTE).toFixed(1);
if (failed.length > 0) {
  console.log(`Failed after ${minutes} min: ${failed.join(', ')}. See the output above.`);
  process.exitCode = 1;
} else {
  console.log(`All tests that ran passed in ${minutes} min.`);
}
