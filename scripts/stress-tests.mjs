#!/usr/bin/env node
/**
 * `npm run stress`: repeatedly runs tests that depend on time, while other processes keep the
 * machine busy.
 *
 *     npm run stress                            ten times, next to ten busy processes
 *     npm run stress -- --times 3 --load 4      three times, next to four
 *     npm run stress -- test/host/export-memory these tests instead
 *
 * Exit code 0: no test failed. 1: a test failed; its output is printed. 2: wrong arguments.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startGuarded, stopAll } from './lib/command.mjs';
import { logsDir, projectRoot } from './lib/paths.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { onEndAsked } from './lib/signals.mjs';

/** Tests of limits and waits, which depend on the real time. */
const TIMED = ['refresh-and-wait/waiting', 'shared/stopping', 'src/client/limiter', 'rate-limit'];

const { times, load, patterns } = readArguments();
onEndAsked((_signal, exitCode) => void stopAll().then(() => process.exit(exitCode)));
await ensureDependencies();
for (let number = 1; number <= load; number += 1) {
  const logPath = join(logsDir, `stress-${number}.log`);
  startGuarded(process.execPath, ['--eval', 'for (;;);'], { logPath });
}
let failed = 0;
for (let run = 1; run <= times; run += 1) {
  const started = performance.now();
  const logPath = join(logsDir, 'stress-tests.log');
  rmSync(logPath, { force: true });
  const jest = join(projectRoot, 'node_modules/jest/bin/jest.js');
  const code = await startGuarded(process.execPath, [jest, '--ci', ...patterns], {
    logPath,
    cwd: projectRoot,
    env: { ...process.env, NO_COLOR: '1' },
  }).exited;
  const output = readFileSync(logPath, 'utf8');
  if (code !== 0) {
    failed += 1;
    console.error(output);
  }
  const tests = /^Tests:.*$/m.exec(output)?.[0] ?? 'no test ran';
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`Run ${run} of ${times}, load ${load}: ${tests} (${seconds} s)`);
}
await stopAll();
console.log(failed === 0 ? 'All runs passed.' : `${failed} of ${times} runs failed.`);
process.exitCode = failed === 0 ? 0 : 1;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        times: { type: 'string', default: '10' },
        load: { type: 'string', default: '10' },
      },
    });
    const [times, load] = [Number(values.times), Number(values.load)];
    if (!Number.isInteger(times) || times < 1) throw new Error('--times must be 1 or more.');
    if (!Number.isInteger(load) || load < 0) throw new Error('--load must be 0 or more.');
    return { times, load, patterns: positionals.length > 0 ? positionals : TIMED };
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    console.error('Usage: npm run stress -- [--times <n>] [--load <n>] [<tests>…]');
    process.exit(2);
  }
}
