import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends requests in order without waiting for responses, and then waits for all of them.
 *
 * @param gapMs milliseconds between the starts of two requests; 0 to send all at the same time
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

/** Returns the 95th percentile of the times. */
export function percentile95(times: readonly number[]): number {
  const slowestFirst = [...times].sort((one, other) => other - one);
  return slowestFirst[Math.floor(times.length / 20)] ?? NaN;
}
