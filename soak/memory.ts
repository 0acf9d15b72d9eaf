/** Measures the memory of n8n's processes, while no execution runs and after a garbage collection. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sample {
  /** Minutes since the start of the traffic. */
  readonly minute: number;
  readonly rssMb: number;
  readonly heapMb: number;
}

const MB = 1024 * 1024;
const COLLECTIONS = 3;
const ANSWER_MS = 20_000;
const SETTLING_S = 10;

/**
 * Measures one process of n8n.
 *
 * @param reports folder in the process's variable HEAP_REPORTS
 * @param workerUrl URL of a worker; undefined for the main process
 * @returns the sample; undefined for a dead worker
 */
export async function sampleOf(
  userFolder: string,
  reports: string,
  minute: number,
  workerUrl?: string,
): Promise<Sample | undefined> {
  const { memoryOf } = await import('../scripts/lib/n8n-process.mjs');
  try {
    const { pid, now } = memoryOf(userFolder, workerUrl);
    const path = join(reports, `${String(pid)}.json`);
    let heapUsed = NaN;
    for (let time = 0; time < COLLECTIONS; time += 1) {
      rmSync(path, { force: true });
      process.kill(pid, 'SIGUSR2');
      heapUsed = (await reportAt(path)).heapUsed;
    }
    const rssMb = (await leastOf(now)) / 1024;
    // The process died during the measurement.
    if (Number.isNaN(rssMb)) return undefined;
    return { minute, rssMb, heapMb: heapUsed / MB };
  } catch (error) {
    if (workerUrl !== undefined) return undefined;
    throw error;
  }
}

/**
 * Returns the lowest of several values, because freed memory returns to the system some seconds
 * later.
 */
async function leastOf(now: () => number): Promise<number> {
  let least = Infinity;
  for (let second = 0; second < SETTLING_S; second += 1) {
    await sleep(1_000);
    least = Math.min(least, now());
  }
  return least;
}

async function reportAt(path: string): Promise<NodeJS.MemoryUsage> {
  const deadline = Date.now() + ANSWER_MS;
  for (;;) {
    await sleep(100);
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as NodeJS.MemoryUsage;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Maximum growth that counts as flat. */
const FLAT = { heapShare: 0.1, heapMb: 10, rssShare: 0.15, rssMb: 40 } as const;

/**
 * Returns whether a process uses no more memory in the second half than in the first, apart from
 * noise. After one huge response, the allocator keeps memory for minutes. Single samples of
 * resident memory are therefore unreliable.
 */
export function isFlat(samples: readonly Sample[]): boolean {
  const half = Math.ceil(samples.length / 2);
  const [before, after] = [samples.slice(0, half), samples.slice(-half)];
  const grows = (of: (one: Sample) => number, share: number, mb: number): boolean =>
    !(middle(after.map(of)) <= middle(before.map(of)) * (1 + share) + mb);
  return (
    !grows(({ heapMb }) => heapMb, FLAT.heapShare, FLAT.heapMb) &&
    !grows(({ rssMb }) => rssMb, FLAT.rssShare, FLAT.rssMb)
  );
}

function middle(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}
