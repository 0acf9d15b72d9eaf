/** Tests how long a client waits after the headers and body of a 429 or 503. */
import fc from 'fast-check';

import { readRetryAfter, readThrottleAdvice, readServerTime } from '../../../src/client/retry';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);

describe('Retry-After', () => {
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
  ])('is read from %p as %p ms', (value, expected) => {
    expect(readRetryAfter(value, NOW)).toBe(expected);
  });
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
  const headers = { 'retry-after': '5', ...others };
  const advice = (waitMs?: number, limitPerMinute?: number, daily = false) => {
    return { waitMs, limitPerMinute, daily };
  };

  const spent = { ...others, 'x-ratelimit-remaining-day': '0' };

  it.each<[string, Record<string, string>, Record<string, unknown>, object]>([
    ['Retry-After first', headers, { retry_after_seconds: 9 }, advice(5_000, 300)],
    ['the daily reset if the day has no requests left', spent, {}, advice(7_200_000, 300, true)],
    ['no wait if the 429 states none', {}, {}, advice(undefined, undefined)],
  ])('uses %s', (_what, said, fields, expected) => {
    expect(readThrottleAdvice(said, fields, NOW)).toEqual(expected);
  });

  it.each<[Record<string, string>, Record<string, unknown>, number | undefined]>([
    [others, { retry_after_seconds: 9 }, 9_000],
    [others, { retry_after_seconds: '9' }, 9_000],
    [{ ...headers, 'retry-after': 'in 1 minute' }, { retry_after_seconds: 9 }, 9_000],
    [others, {}, 20_000],
    [others, { retry_after_seconds: null }, 20_000],
    [others, { retry_after_seconds: 'soon' }, 20_000],
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
    const name = fc.constantFrom('retry-after', 'x-ratelimit-reset');
    const value = fc.oneof(fc.string(), fc.double(), fc.nat(2 ** 50), fc.date()).map(String);
    const anyHeaders = fc.dictionary(name, value);
    fc.assert(
      fc.property(anyHeaders, fc.anything(), (said, after) => {
        const { waitMs = 0 } = readThrottleAdvice(said, { retry_after_seconds: after }, NOW);
        expect(waitMs >= 0 && waitMs <= 31 * 86_400_000).toBe(true);
      }),
    );
  });

  it.each(['0', '-1', 'many', '', '0.5', '600, 600;w=60'])('ignores the limit %p', (limit) => {
    const advice = readThrottleAdvice({ 'x-ratelimit-limit': limit }, {}, NOW);
    expect(advice.limitPerMinute).toBeUndefined();
  });
});

describe('serverTime', () => {
  const date = (ms: number) => ({ date: new Date(ms).toUTCString() });

  it.each<[what: string, headers: Record<string, string>]>([
    ['equals the local one', date(NOW)],
    ['is 59 s behind', date(NOW - 59_000)],
    ['is 59 s ahead', date(NOW + 59_000)],
    ['is missing', {}],
    ['is empty', { date: '' }],
    ['is a word', { date: 'yesterday' }],
    ['is very long', { date: 'x'.repeat(10_000) }],
  ])('uses the local clock when the Date header %s', (_what, headers) => {
    expect(readServerTime(headers, NOW)).toBe(NOW);
  });

  const later = [-86_400_000, -61_000, 61_000, 86_400_000];
  it.each(later)("uses the service's clock when it differs by %d ms", (differenceMs) => {
    expect(readServerTime(date(NOW + differenceMs), NOW)).toBe(NOW + differenceMs);
  });
});
