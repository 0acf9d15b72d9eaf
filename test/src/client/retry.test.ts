import fc from 'fast-check';

import {
  decideRetry,
  readRetryAfter,
  readServerTime,
  readThrottleAdvice,
  type AttemptFailure,
  type RetryState,
} from '../../../src/client/retry';
import { REAL_TIME, type Timing } from '../../../src/client/settings';

const timing: Timing = {
  ...REAL_TIME,
  backoffBaseMs: 100,
  backoffMaxMs: 1_000,
  maxRateLimitWaitMs: 5_000,
};

const decide = (failure: AttemptFailure, change: Partial<RetryState> = {}, random = 1) => {
  const first = { repeatable: true, failures: 1, throttles: 0, throttledMs: 0 };
  return decideRetry(failure, { ...first, ...change }, timing, random);
};

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const MONTH = 31 * 86_400_000;

describe('decideRetry', () => {
  const failed = (waitMs?: number): AttemptFailure => ({ kind: 'maybe-done', waitMs });
  const throttled = (waitMs?: number): AttemptFailure => ({ kind: 'throttled', waitMs });

  // The random value 1 makes each delay as long as the backoff allows.
  it.each<[AttemptFailure, Partial<RetryState>, string, number]>([
    [failed(), { failures: 1 }, 'retry', 100],
    [failed(), { failures: 2 }, 'retry', 200],
    [failed(), { failures: 3 }, 'retry', 400],
    [failed(1), {}, 'retry', 100],
    [failed(5_000), {}, 'retry', 5_000],
    [failed(5_001), {}, 'wait-too-long', 5_001],
    [throttled(), { throttles: 1 }, 'pause', 100],
    [throttled(), { throttles: 3 }, 'pause', 400],
    [throttled(), { throttles: 9 }, 'pause', 1_000],
    // The wait of a 429 is kept exactly, however often the request failed or was throttled.
    [throttled(1_234), { repeatable: false, failures: 9, throttles: 50 }, 'pause', 1_234],
    [throttled(2_000), { throttledMs: 3_000 }, 'pause', 2_000],
    [throttled(2_000), { throttledMs: 3_001 }, 'wait-too-long', 2_000],
  ])('after %j in the state %j: %s, %d ms', (failure, state, action, delayMs) => {
    expect(decide(failure, state)).toMatchObject({ action, delayMs });
  });

  it('gives up a throttled request eventually, however short the requested waits are', () => {
    const wait = fc.double({ min: 0, max: 1_000, noNaN: true });
    fc.assert(
      fc.property(fc.array(wait, { minLength: 1, maxLength: 9 }), fc.nat(99), (waits, chance) => {
        let [throttles, throttledMs] = [0, 0];
        for (;;) {
          const failure = throttled(waits[throttles % waits.length]);
          throttles += 1;
          const verdict = decide(failure, { throttles, throttledMs }, chance / 100);
          if (verdict.action !== 'pause') break;
          throttledMs += verdict.delayMs;
          expect(throttles).toBeLessThanOrEqual((2 * 5_000) / timing.backoffBaseMs);
        }
      }),
    );
  });

  const anyFailure: fc.Arbitrary<AttemptFailure> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('throttled' as const, 'maybe-done' as const),
      waitMs: fc.option(fc.nat(10_000), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom('not-sent' as const, 'refused' as const) }),
  );
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const anyState: fc.Arbitrary<RetryState> = fc.record({
    repeatable: fc.boolean(),
    failures: fc.integer({ min: 1, max: 40 }),
    throttles: fc.integer({ min: 1, max: 40 }),
    throttledMs: fc.nat(10_000),
  });

  it('delays as long as requested, otherwise for half of the backoff to all of it', () => {
    fc.assert(
      fc.property(anyFailure, anyState, chance, (failure, state, random) => {
        const verdict = decide(failure, state, random);
        if (verdict.action !== 'retry' && verdict.action !== 'pause') return;
        const requested = 'waitMs' in failure ? (failure.waitMs ?? 0) : 0;
        const tries = verdict.action === 'pause' ? state.throttles : state.failures;
        const backoff = Math.min(1_000, 100 * 2 ** (tries - 1));
        expect(verdict.delayMs).toBeLessThanOrEqual(Math.max(requested, backoff));
        const isShort = verdict.action === 'retry' || requested < timing.backoffBaseMs;
        const least = Math.max(requested, isShort ? backoff / 2 : 0);
        expect(verdict.delayMs).toBeGreaterThanOrEqual(least);
      }),
    );
  });

  it('sends a change again only if it was rejected for its rate or never sent', () => {
    fc.assert(
      fc.property(anyFailure, anyState, chance, (failure, state, random) => {
        const { action } = decide(failure, { ...state, repeatable: false }, random);
        if (action === 'retry') expect(failure.kind).toBe('not-sent');
        if (action === 'pause') expect(failure.kind).toBe('throttled');
      }),
    );
  });
});

const UNREADABLE = ['', '   ', 'soon', 'in 5 minutes', '-5', '120s', '5, 6', 'NaN', 'Infinity'];

it.each<readonly [string | undefined, number | undefined]>([
  ['7', 7_000],
  ['0', 0],
  [' 30 ', 30_000],
  ['1.5', 1_500],
  ['0.25', 250],
  ['Wed, 01 Jan 2025 12:00:42 GMT', 42_000],
  ['Wednesday, 01-Jan-25 12:00:42 GMT', 42_000],
  ['Wed, 01 Jan 2025 11:59:00 GMT', 0],
  [undefined, undefined],
  ...UNREADABLE.map((value) => [value, undefined] as const),
])('reads Retry-After from %p as %p ms', (value, expected) => {
  expect(readRetryAfter(value, NOW)).toBe(expected);
});

describe('readThrottleAdvice', () => {
  const inSeconds = (seconds: number) => String(NOW / 1000 + seconds);
  const others = {
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': inSeconds(20),
    'x-ratelimit-limit-day': '100000',
    'x-ratelimit-remaining-day': '99',
    'x-ratelimit-reset-day': inSeconds(7_200),
  };
  const spent = { ...others, 'x-ratelimit-remaining-day': '0' };

  it.each<[Record<string, string>, Record<string, unknown>, object]>([
    [{ ...others, 'retry-after': '5' }, { retry_after_seconds: 9 }, { waitMs: 5_000 }],
    [others, { retry_after_seconds: 9 }, { waitMs: 9_000, limitPerMinute: 300, daily: false }],
    [others, { retry_after_seconds: '9' }, { waitMs: 9_000 }],
    [{ 'retry-after': 'in 1 minute' }, { retry_after_seconds: 9 }, { waitMs: 9_000 }],
    [others, {}, { waitMs: 20_000 }],
    [spent, {}, { waitMs: 7_200_000, limitPerMinute: 300, daily: true }],
    [{}, {}, { waitMs: undefined, limitPerMinute: undefined, daily: false }],
    [others, { retry_after_seconds: null }, { waitMs: 20_000 }],
    [others, { retry_after_seconds: 'soon' }, { waitMs: 20_000 }],
    [{ 'x-ratelimit-reset': inSeconds(-30) }, {}, { waitMs: 0 }],
    [{ 'retry-after': '9'.repeat(400) }, {}, { waitMs: MONTH }],
    // Only the body states a wait, and it is endless: too long, but readable.
    [{}, { retry_after_seconds: 1e9 }, { waitMs: MONTH }],
    [{ 'x-ratelimit-reset': `58863${'0'.repeat(12)}` }, {}, { waitMs: undefined }],
    // Three years cannot be a typo for seconds, so the wait is too long, but readable.
    [{ 'retry-after': '99999999' }, { retry_after: -1 }, { waitMs: MONTH }],
    [{ 'x-ratelimit-reset': 'Fri, 05 Dec 2525 10:00:00 GMT' }, {}, { waitMs: undefined }],
    ...['0', '-1', 'many', '', '0.5', '600, 600;w=60'].map(
      (limit): [Record<string, string>, Record<string, unknown>, object] => [
        { 'x-ratelimit-limit': limit },
        {},
        { limitPerMinute: undefined },
      ],
    ),
  ])('reads the headers %j and the body %j as %j', (said, fields, expected) => {
    expect(readThrottleAdvice(said, fields, NOW)).toMatchObject(expected);
  });

  it('returns a wait of 0 to 31 days for any headers and body', () => {
    const name = fc.constantFrom('retry-after', 'x-ratelimit-reset');
    const value = fc.oneof(fc.string(), fc.double(), fc.nat(2 ** 50), fc.date()).map(String);
    const anyHeaders = fc.dictionary(name, value);
    fc.assert(
      fc.property(anyHeaders, fc.anything(), (said, after) => {
        const { waitMs = 0 } = readThrottleAdvice(said, { retry_after_seconds: after }, NOW);
        expect(waitMs >= 0 && waitMs <= MONTH).toBe(true);
      }),
    );
  });
});

it.each<[date: string | undefined, differenceMs: number]>([
  ...[0, -59_000, 59_000].map((ms): [string, number] => [new Date(NOW + ms).toUTCString(), 0]),
  ...[-86_400_000, -61_000, 61_000].map((ms): [string, number] => [
    new Date(NOW + ms).toUTCString(),
    ms,
  ]),
  [undefined, 0],
  ['', 0],
  ['yesterday', 0],
])("takes the service's time from the Date header %p if it differs by a minute", (date, ms) => {
  expect(readServerTime(date === undefined ? {} : { date }, NOW)).toBe(NOW + ms);
});
