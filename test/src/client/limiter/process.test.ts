/** Tests when the limiter lets the process exit. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CHILD = join(__dirname, '..', 'support', 'limiter-process.ts');

/** Runs the child process to its end. Fails after 40 s, before a permit's minute is over. */
async function run(mode: 'idle' | 'waiting'): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', CHILD, mode], {
    timeout: 40_000,
  });
  return stdout.trim().split('\n');
}

it('lets the process exit although used permits are not free yet', async () => {
  expect(await run('idle')).toEqual(['first']);
}, 45_000);

it('keeps the process alive while a request waits for a permit', async () => {
  expect(await run('waiting')).toEqual(['first', 'second']);
}, 45_000);
