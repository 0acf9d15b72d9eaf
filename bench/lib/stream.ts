import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends one after the other without waiting for answers, and then waits for all.
 *
 * @param gapMs between the beginnings of two; 0 for all at once.
 */
export async function stream<T>(
  count: number,
  gapMs: number,
  send: (index: number) => Promise<T>,
): Promise<T[]> {
  const begun = performance.now();
  const sent: Array<Promise<T>> = [];
  for (let index = 0; index < count; index += 1) {
    const waitMs = begun + index * gapMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    sent.push(send(index));
  }
  return await Promise.all(sent);
}

/** What 95 % of the times are within. */
export function percentile95(times: readonly number[]): number {
  const slowestFirst = [...times].sort((one, other) => other - one);
  return slowestFirst[Math.floor(times.length / 20)] ?? NaN;
}
