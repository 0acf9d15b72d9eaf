/**
 * Tests how long a 429 or 503 tells the client to wait in headers and body (`src/client/retry.ts`).
 */
import fc from 'fast-check';

import { readRetryAfter, readThrottleAdvice, serverTime } from '../../../src/client/retry';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    ['0', 0],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['0.25', 250],
    ['Wed, 01 Jan 2025 12:00:42 GMT', 42_000],
    ['Wednesday, 01-Jan-25 12:00:42 GMT', 42_000],
    ['Wed, 01 Jan 2025 11:59:00 GMT', 0],
  ])('is read from %p as %p ms', (value, expected) => {
    expect(readRetryAfter(value, NOW)).toBe(expected);
  });

  const unreadable = ['', '   ', 'soon', 'in 5 minutes', '-5', '120s', '5, 6', 'NaN', 'Infinity'];
  it.each([undefined, ...unreadable])('is ignored if it is %p', (value) => {
    expect(readRetryAfter(value, NOW)).toBeUndefined();
  });
});

describe('readThrottleAdvice', () => {
  const inSeconds = (seconds: number) => String(NOW / 1000 + seconds);
  const headers = {
    'retry-after': '5',
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': inSeconds(20),
    'x-ratelimit-limit-day': '100000',
    'x-ratelimit-remaining-day': '99',
    'x-ratelimit-reset-day': inSeconds(7_200),
  };
  const without = (...names: Array<keyof typeof headers>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name as never)));

  it('prefers Retry-After to the body and to other headers', () => {
    expect(readThrottleAdvice(headers, { retry_after_seconds: 9 }, NOW)).toEqual({
      waitMs: 5_000,
      limitPerMinute: 300,
      daily: false,
    });
  });

  it.each<[Record<string, string>, Record<string, unknown>, number | undefined]>([
    [without('retry-after'), { retry_after_seconds: 9 }, 9_000],
    [without('retry-after'), { retry_after_seconds: '9' }, 9_000],
    [{ ...headers, 'retry-after': 'in 1 minute' }, { retry_after_seconds: 9 }, 9_000],
    [without('retry-after'), {}, 20_000],
    [without('retry-after'), { retry_after_seconds: null }, 20_000],
    [without('retry-after'), { retry_after_seconds: 'soon' }, 20_000],
    [{ 'x-ratelimit-reset': inSeconds(-30) }, {}, 0],
    [{ 'retry-after': '9'.repeat(400) }, {}, 31 * 86_400_000],
    // Only the body states a wait, and it is endless: too long, but readable.
    [{}, { retry_after_seconds: 1e9 }, 31 * 86_400_000],
    [{ 'x-ratelimit-reset': `58863${'0'.repeat(12)}` }, {}, undefined],
    // Three years cannot be a typo for seconds, so the wait is too long, but readable.
    [{ 'retry-after': '99999999' }, { retry_after: -1 }, 31 * 86_400_000],
    [{ 'x-ratelimit-reset': 'Fri, 05 Dec 2525 10:00:00 GMT' }, {}, undefined],
  ])('reads the headers %j and the body %j as a wait of %p ms', (said, fields, expected) => {
    expect(readThrottleAdvice(said, fields, NOW).waitMs).toBe(expected);
  });

  it('returns a wait of 0 to 31 days for any headers and body', () => {
    const names = 'retry-after x-ratelimit-reset';
    const value = fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.nat(2 ** 50).map(String),
      fc.date().map(String),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...names.split(' ')), value),
        fc.anything(),
        (said, after) => {
          const { waitMs = 0 } = readThrottleAdvice(said, { retry_after_seconds: after }, NOW);
          expect(waitMs >= 0 && waitMs <= 31 * 86_400_000).toBe(true);
        },
      ),
    );
  });

  it('uses the daily reset when no requests are left for the day', () => {
    const spent = { ...without('retry-after'), 'x-ratelimit-remaining-day': '0' };
    expect(readThrottleAdvice(spent, {}, NOW)).toEqual({
      waitMs: 7_200_000,
      limitPerMinute: 300,
      daily: true,
    });
  });

  it('returns no wait when the 429 states none', () => {
    expect(readThrottleAdvice({}, {}, NOW)).toEqual({
      waitMs: undefined,
      limitPerMinute: undefined,
      daily: false,
    });
  });

  it.each(['0', '-1', 'many', '', '0.5', '600, 600;w=60'])('ignores the limit %p', (limit) => {
    const advice = readThrottleAdvice({ 'x-ratelimit-limit': limit }, {}, NOW);
    expect(advice.limitPerMinute).toBeUndefined();
  });
});

describe('serverTime', () => {
  const date = (ms: number) => ({ date: new Date(ms).toUTCString() });

  it.each([0, -59_000, 59_000])(
    'uses the local clock when both agree within a minute (difference %d ms)',
    (differenceMs) => {
      expect(serverTime(date(NOW + differenceMs), NOW)).toBe(NOW);
    },
  );

  it.each([-86_400_000, -61_000, 61_000, 86_400_000])(
    "uses the service's clock when both differ by more than a minute (difference %d ms)",
    (differenceMs) => {
      expect(serverTime(date(NOW + differenceMs), NOW)).toBe(NOW + differenceMs);
    },
  );

  it.each<Record<string, string>>([
    {},
    { date: '' },
    { date: 'yesterday' },
    { date: 'x'.repeat(10_000) },
  ])('uses the local clock when the response has no valid Date header: %j', (headers) => {
    expect(serverTime(headers, NOW)).toBe(NOW);
  });
});
