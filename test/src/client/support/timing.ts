import { REAL_TIME, type Timing } from '../../../../src/client/settings';

/** Real rules in little time. Tests change what they are about. */
export const QUICK: Timing = {
  ...REAL_TIME,
  windowMs: 200,
  backoffBaseMs: 2,
  backoffMaxMs: 8,
  spreadMs: 5,
  requestTimeoutMs: 3_000,
  maxRateLimitWaitMs: 5_000,
};

/** How long a promise may stay unsettled and still count as "at once" on a busy machine. */
const AT_ONCE_MS = 2_000;

/**
 * Waits for a rejection that has to come at once.
 *
 * @returns the error
 * @throws when the promise is fulfilled, or still pending after two seconds.
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('Still pending'));
    }, AT_ONCE_MS);
  });
  const outcome = await Promise.race([
    promise.then(
      () => new Error('Fulfilled'),
      (error: unknown) => ({ error: error as Error }),
    ),
    late,
  ]).finally(() => {
    clearTimeout(timer);
  });
  if (outcome instanceof Error) throw outcome;
  return outcome.error;
}

/** Waits until a condition holds; the test's own timeout bounds it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** The most moments that any window of so many milliseconds holds, wherever it begins. */
export function mostInAnyWindow(moments: readonly number[], windowMs: number): number {
  const sorted = [...moments].sort((one, other) => one - other);
  let most = 0;
  let first = 0;
  sorted.forEach((moment, index) => {
    while (moment - sorted[first]! >= windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

/** The most moments in any window of a clock that starts a new one at fixed moments. */
export function mostInFixedWindows(
  moments: readonly number[],
  windowMs: number,
  offsetMs: number,
): number {
  const counts = new Map<number, number>();
  for (const moment of moments) {
    const window = Math.floor((moment - offsetMs) / windowMs);
    counts.set(window, (counts.get(window) ?? 0) + 1);
  }
  return Math.max(...counts.values());
}
