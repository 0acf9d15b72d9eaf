/** Memory of n8n's processes, while nothing runs and after garbage is collected. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sample {
  /** Minutes since the traffic began. */
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
 * @param reports the folder HEAP_REPORTS of the process
 * @param workerUrl of a worker; undefined for the main process
 * @returns undefined for a worker that is dead.
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
    // It died meanwhile.
    if (Number.isNaN(rssMb)) return undefined;
    return { minute, rssMb, heapMb: heapUsed / MB };
  } catch (error) {
    if (workerUrl !== undefined) return undefined;
    throw error;
  }
}

/** What is freed goes back to the system some seconds later. */
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

/** Growth that is still called flat. */
const FLAT = { heapShare: 0.1, heapMb: 10, rssShare: 0.15, rssMb: 40 } as const;

/**
 * Whether a process holds no more in the second half than in the first, but for noise: the allocator
 * keeps what one huge answer took for minutes, so that single samples of what is resident say little.
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
