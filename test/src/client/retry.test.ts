import fc from 'fast-check';

import { decideRetry, type AttemptFailure, type RetryState } from '../../../src/client/retry';
import { REAL_TIME, type Timing } from '../../../src/client/settings';

const timing: Timing = {
  ...REAL_TIME,
  backoffBaseMs: 100,
  backoffMaxMs: 1_000,
  maxRateLimitWaitMs: 5_000,
};

const FIRST: RetryState = { repeatable: true, failures: 1, throttles: 0, throttledMs: 0 };

const decide = (failure: AttemptFailure, change: Partial<RetryState> = {}, random = 0) =>
  decideRetry(failure, { ...FIRST, ...change }, timing, random);

const retryIn = (delayMs: number) => ({ action: 'retry', delayMs });
const pauseOf = (delayMs: number) => ({ action: 'pause', delayMs });
const tooLong = (delayMs: number) => ({ action: 'wait-too-long', delayMs });

describe('a repeatable call', () => {
  it('waits twice as long after each failure, up to the maximum', () => {
    // The random value 1 makes each delay as long as the backoff allows.
    const patient = { ...timing, backoffMaxMs: 350 };
    const delays = [1, 2, 3].map((failures) =>
      decideRetry({ kind: 'maybe-done' }, { ...FIRST, failures }, patient, 1),
    );
    expect(delays).toEqual([100, 200, 350].map(retryIn));
  });

  it.each<[number, unknown]>([
    [1, retryIn(100)],
    [5_000, retryIn(5_000)],
    [5_001, tooLong(5_001)],
  ])('waits as long as a failing server requests, if the run allows it: %d ms', (waitMs, then) => {
    expect(decide({ kind: 'maybe-done', waitMs }, {}, 1)).toEqual(then);
  });
});

describe('429', () => {
  it('pauses exactly as long as requested, however often the request failed or was throttled', () => {
    const often = { repeatable: false, failures: 9, throttles: 50 };
    expect(decide({ kind: 'throttled', waitMs: 1_234 }, often, 0.7)).toEqual(pauseOf(1_234));
  });

  it('backs off when the response states no wait', () => {
    const delays = [1, 2, 3].map((throttles) =>
      decide({ kind: 'throttled', waitMs: undefined }, { throttles }, 1),
    );
    expect(delays).toEqual([100, 200, 400].map(pauseOf));
  });

  it('is given up eventually, however short the requested waits are', () => {
    const wait = fc.double({ min: 0, max: 1_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(wait, { minLength: 1, maxLength: 9 }), fc.nat(99), (waits, chance) => {
        let [throttles, throttledMs] = [0, 0];
        for (;;) {
          const failure = { kind: 'throttled', waitMs: waits[throttles % waits.length] } as const;
          throttles += 1;
          const verdict = decide(failure, { throttles, throttledMs }, chance / 100);
          if (verdict.action !== 'pause') break;
          throttledMs += verdict.delayMs;
          expect(throttles).toBeLessThanOrEqual((2 * 5_000) / timing.backoffBaseMs);
        }
      }),
    );
  });

  it('is given up when all waits together are longer than the run allows', () => {
    const failure: AttemptFailure = { kind: 'throttled', waitMs: 2_000 };
    expect(decide(failure, { throttledMs: 3_000 })).toEqual(pauseOf(2_000));
    expect(decide(failure, { throttledMs: 3_001 })).toEqual(tooLong(2_000));
  });
});

describe('for any failure', () => {
  const anyFailure: fc.Arbitrary<AttemptFailure> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('throttled' as const, 'maybe-done' as const),
      waitMs: fc.option(fc.nat(10_000), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom('not-sent' as const, 'refused' as const) }),
  );
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const anyStanding: fc.Arbitrary<RetryState> = fc.record({
    repeatable: fc.boolean(),
    failures: fc.integer({ min: 1, max: 40 }),
    throttles: fc.integer({ min: 1, max: 40 }),
    throttledMs: fc.nat(10_000),
  });

  it('delays at least as long as requested, and at most the longer of that and the maximum', () => {
    fc.assert(
      fc.property(anyFailure, anyStanding, chance, (failure, where, random) => {
        const verdict = decideRetry(failure, where, timing, random);
        if (verdict.action !== 'retry' && verdict.action !== 'pause') return;
        const requested = 'waitMs' in failure ? (failure.waitMs ?? 0) : 0;
        expect(verdict.delayMs).toBeGreaterThanOrEqual(requested);
        expect(verdict.delayMs).toBeLessThanOrEqual(Math.max(requested, timing.backoffMaxMs));
        expect(verdict.delayMs).toBeGreaterThan(0);
      }),
    );
  });

  it('backs off for at least half of the ceiling and up to all of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), chance, (failures, random) => {
        const ceiling = 100 * 2 ** (failures - 1);
        const verdict = decide({ kind: 'maybe-done' }, { failures }, random);
        expect(verdict).toEqual({ action: 'retry', delayMs: expect.any(Number) });
        const { delayMs } = verdict as { delayMs: number };
        expect(delayMs).toBeGreaterThanOrEqual(ceiling / 2);
        expect(delayMs).toBeLessThanOrEqual(ceiling);
      }),
    );
  });

  it('sends a change again only if it was rejected for its rate or never sent', () => {
    fc.assert(
      fc.property(anyFailure, anyStanding, chance, (failure, where, random) => {
        const { action } = decideRetry(failure, { ...where, repeatable: false }, timing, random);
        if (action === 'retry') expect(failure.kind).toBe('not-sent');
        if (action === 'pause') expect(failure.kind).toBe('throttled');
      }),
    );
  });
});
