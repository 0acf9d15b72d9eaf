import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Pages } from './whole-pages-process';

const PROCESS = join(__dirname, 'whole-pages-process.ts');

/**
 * Reads pages whole and writes their rows to a CSV file, in a process of its own.
 *
 * @returns its CPU time, in milliseconds.
 * @throws when the process ends without an answer; it says why on stderr.
 */
export async function readWholePages(pages: Pages): Promise<number> {
  const child = fork(PROCESS, { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The reading process ended early; see above.');
  });
  child.send(pages);
  try {
    const [cpuMs] = (await Promise.race([once(child, 'message'), ended])) as [number];
    return cpuMs;
  } finally {
    ended.catch(() => undefined);
    if (child.connected) child.disconnect();
  }
}
