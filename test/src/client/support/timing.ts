import { inspect } from 'node:util';

import { REAL_TIME, type Timing } from '../../../../src/client/settings';

/** The real rules with short times. Each test changes the times that it is about. */
export const QUICK: Timing = {
  ...REAL_TIME,
  windowMs: 200,
  backoffBaseMs: 2,
  backoffMaxMs: 8,
  spreadMs: 5,
  requestTimeoutMs: 3_000,
  maxRateLimitWaitMs: 5_000,
};

export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    (value) => {
      throw new Error(`There was no error but ${inspect(value)}`);
    },
    (error: unknown) => error as Error,
  );
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export function mostInAnyWindow(moments: readonly number[], windowMs: number): number {
  const isWithin = (passedMs: number) => passedMs >= 0 && passedMs < windowMs;
  const countFrom = (start: number) => moments.filter((at) => isWithin(at - start)).length;
  return Math.max(0, ...moments.map(countFrom));
}
