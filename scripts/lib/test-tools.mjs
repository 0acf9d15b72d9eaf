import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { logTail, startGuarded } from './command.mjs';
import { logsDir, projectRoot } from './paths.mjs';

export const MINUTE = 60_000;

/**
 * Most objects in tests live only briefly. With more memory for young objects, Node collects
 * garbage less often.
 */
const YOUNG_SPACE = '--max-semi-space-size=64';

/** Interval of the checks of a running tool, in milliseconds. */
const LOOK_MS = 2_000;

/** The failure of a tool. `output` is its complete output. */
export class FailedTool extends Error {
  /** @param {string} output */
  constructor(output) {
    super('failed');
    this.output = output;
  }
}

/**
 * Runs a tool of node_modules to its end and writes its output to a log.
 *
 * @param {string} name name of the log
 * @param {string} script below node_modules
 * @param {string[]} args
 * @param {number} limit time limit in milliseconds, without the time during which the machine sleeps
 * @param {NodeJS.ProcessEnv} [env] settings in addition to those of this process
 * @returns {Promise<string>} the tool's output
 * @throws {FailedTool} if the tool failed, took too long, or left something running
 */
export async function runTool(name, script, args, limit, env = {}) {
  const logPath = join(logsDir, `test-${name}.log`);
  rmSync(logPath, { force: true });
  const output = () => readFileSync(logPath, 'utf8');
  const tool = startGuarded(
    process.execPath,
    [YOUNG_SPACE, join(projectRoot, 'node_modules', script), ...args],
    {
      logPath,
      cwd: projectRoot,
      env: {
        ...process.env,
        ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
        ...env,
      },
    },
  );
  let killed = '';
  let awake = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    // Do not count time during which the machine slept or was paused.
    awake += Math.min(performance.now() - last, 2 * LOOK_MS);
    last = performance.now();
    // If a test leaves a timer or connection open, jest only warns, and then waits forever.
    if (logTail(logPath, 8).includes('Jest did not exit')) {
      killed = 'Tests left a timer, server or connection open: jest could not exit.';
    } else if (awake > limit) {
      killed = `Took longer than ${limit / MINUTE} minutes.`;
    }
    if (killed) void tool.stop();
  }, LOOK_MS);
  const code = await tool.exited;
  clearInterval(watch);
  if (killed) throw new FailedTool(`${output()}\n${killed}`);
  if (code !== 0) throw new FailedTool(output());
  return output();
}

/**
 * Options for running jest tests.
 *
 * @typedef {object} JestRun
 * @property {number} limit time limit in milliseconds
 * @property {string[]} [projects] jest projects; defaults to the one with the step's name
 * @property {string[]} [files] parts of the paths of the test files; defaults to all files of the
 *   project
 * @property {number} [workers] number of files that run at the same time; defaults to jest.config.mjs
 * @property {NodeJS.ProcessEnv} [env] environment variables for the tests
 */

/**
 * Runs jest tests.
 *
 * @param {string} name name of the step
 * @param {JestRun} run
 * @returns {Promise<{passed: string, skipped: string, seconds: Map<string, number>}>} the first two
 *   are texts
 *   for the table, `skipped` can be empty; `seconds` has the duration of each file
 * @throws {FailedTool} if a test failed or left something open; names commands for only the failed
 *   tests
 */
export async function runJest(name, { limit, projects = [name], files = [], workers, env }) {
  // Files come first, because jest would treat arguments after the projects as further projects.
  const args = [...files, '--ci', '--selectProjects', ...projects];
  const report = join(logsDir, `test-${name}.json`);
  args.push('--json', '--outputFile', report);
  if (workers !== undefined) args.push('--maxWorkers', String(workers));
  // n8n-core 1.122 keeps its worker from exiting. Other projects detect what this package's own
  // code leaves open.
  const staysOpen = name === 'versions';
  if (staysOpen) args.push('--workerGracefulExitTimeout', '500');
  // See `parts` in jest.config.mjs. Selected files run one by one.
  const together = files.length > 0 ? {} : { TEST_TOGETHER: '1' };
  const output = plain(
    await runTool(name, 'jest/bin/jest.js', args, limit, { ...together, ...env }).catch((error) => {
      if (!(error instanceof FailedTool)) throw error;
      const commands = commandsFor(plain(error.output));
      throw new FailedTool(
        commands.length === 0
          ? error.output
          : `${error.output.trimEnd()}\n\nTo run only what failed:\n${commands.join('\n')}`,
      );
    }),
  );
  if (!staysOpen && output.includes('A worker process has failed to exit gracefully')) {
    throw new FailedTool(`${output}\nTests left a timer, server or connection open.`);
  }
  const counts = /^Tests:\s+(.*)$/m.exec(output)?.[1] ?? '';
  return {
    passed: `${/(\d+) passed/.exec(counts)?.[1] ?? '0'} tests`,
    skipped: /(\d+) (skipped|todo)/.exec(counts)?.[0] ?? '',
    seconds: secondsByFile(JSON.parse(readFileSync(report, 'utf8'))),
  };
}

/**
 * Adds up how long each test file took. For files that run together, only the tests themselves
 * count, because their shared code is loaded once.
 *
 * @param {{testResults: Array<{name: string, startTime: number, endTime: number, assertionResults: Array<{ancestorTitles: string[], duration?: number | null}>}>}} report of jest
 * @returns {Map<string, number>} seconds by the file's path below the project
 */
export function secondsByFile({ testResults }) {
  /** @type {Map<string, number>} */
  const seconds = new Map();
  const add = (/** @type {string} */ file, /** @type {number} */ ms) =>
    seconds.set(file, (seconds.get(file) ?? 0) + ms / 1000);
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    if (basename(name) === 'together.test.ts') {
      for (const { ancestorTitles, duration } of assertionResults)
        add(ancestorTitles[0] ?? name, duration ?? 0);
    } else add(relative(projectRoot, name), endTime - startTime);
  }
  return seconds;
}

/**
 * Returns the commands that run only the failed tests.
 *
 * @param {string} output output of jest, without colors
 * @returns {string[]} commands, without duplicates
 */
export function commandsFor(output) {
  const alone = [...output.matchAll(/^\s*FAIL\s.*?(test\/\S+\.test\.ts)/gm)].map(
    ([, file]) => file,
  );
  // If files run together, the file is the first of a test's titles.
  const together = [...output.matchAll(/^\s*● (test\/\S+\.test\.ts) ›/gm)].map(([, file]) => file);
  return [...new Set([...together, ...alone])]
    .filter((file) => file !== 'test/together.test.ts')
    .map((file) => `  npx jest ${file}`);
}

/**
 * Returns the files that differ from the last commit. If there are none, returns the files of the
 * last commit.
 *
 * @returns {string[]} their paths below the project
 */
export function changedFiles() {
  const lines = (/** @type {string[]} */ args) =>
    execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  const changed = [
    ...lines(['diff', '--name-only', 'HEAD']),
    ...lines(['ls-files', '--others', '--exclude-standard']),
  ];
  return changed.length > 0 ? changed : lines(['diff', '--name-only', 'HEAD~1', 'HEAD']);
}

/** @param {string} output output that can contain colors */
function plain(output) {
  // eslint-disable-next-line no-control-regex -- colours are control characters
  return output.replace(/\x1b\[[\d;]*m/g, '');
}
