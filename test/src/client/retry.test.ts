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
    [throttled(1), { throttles: 3 }, 'pause', 400],
    // The wait of a 429 is kept exactly, however often the request failed or was throttled.
    [throttled(1_234), { repeatable: false, failures: 9, throttles: 50 }, 'pause', 1_234],
    [throttled(2_000), { throttledMs: 3_000 }, 'pause', 2_000],
    [throttled(2_000), { throttledMs: 3_001 }, 'wait-too-long', 2_000],
  ])('after %j in the state %j: %s, %d ms', (failure, state, action, delayMs) => {
    expect(decide(failure, state)).toMatchObject({ action, delayMs });
  });

  it('delays for at least half of the backoff, and for all of the requested time', () => {
    const shortest = (failure: AttemptFailure, tries: number) =>
      decide(failure, { failures: tries, throttles: tries }, 0);
    expect(shortest(failed(), 3)).toMatchObject({ delayMs: 200 });
    expect(shortest(failed(350), 3)).toMatchObject({ delayMs: 350 });
    expect(shortest(throttled(), 9)).toMatchObject({ delayMs: 500 });
    expect(shortest(throttled(99), 9)).toMatchObject({ delayMs: 500 });
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
    [{}, { retry_after_seconds: 1e21 }, { waitMs: MONTH }],
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
