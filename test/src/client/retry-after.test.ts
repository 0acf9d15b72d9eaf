import fc from 'fast-check';

import { readRetryAfter, readThrottleAdvice, serversNow } from '../../../src/client/retry-after';

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    ['7', 7_000],
    ['0', 0],
    [' 30 ', 30_000],
    ['1.5', 1_500],
    ['0.25', 250],
    ['Wed, 01 Jan 2025 12:00:42 GMT', 42_000],
    ['Wednesday, 01-Jan-25 12:00:42 GMT', 42_000],
    ['Wed, 01 Jan 2025 11:59:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['   ', undefined],
    ['soon', undefined],
    ['in 5 minutes', undefined],
    ['-5', undefined],
    ['120s', undefined],
    ['5, 6', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
  ])('%p is %p ms', (value, expected) => {
    expect(readRetryAfter(value, NOW)).toBe(expected);
  });

  it('is never negative, whatever arrives', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date().map(String)), fc.nat(), (value, now) => {
        const wait = readRetryAfter(value, now);
        if (wait !== undefined) expect(wait).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('what a 429 says', () => {
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

  it('Retry-After comes before everything else', () => {
    expect(readThrottleAdvice(headers, { retry_after_seconds: 9 }, NOW)).toEqual({
      waitMs: 5_000,
      limitPerMinute: 300,
      daily: false,
    });
  });

  it.each([9, '9', 9.0])('then retry_after_seconds (%p)', (seconds) => {
    const advice = readThrottleAdvice(
      without('retry-after'),
      { retry_after_seconds: seconds },
      NOW,
    );
    expect(advice.waitMs).toBe(9_000);
  });

  it('an unreadable Retry-After is as good as none', () => {
    const garbled = { ...headers, 'retry-after': 'in 1 minute' };
    expect(readThrottleAdvice(garbled, { retry_after_seconds: 9 }, NOW).waitMs).toBe(9_000);
  });

  it.each([undefined, null, '', 'soon', -3, [], {}])(
    'then the reset of the minute (retry_after_seconds: %p)',
    (seconds) => {
      const fields = { retry_after_seconds: seconds };
      expect(readThrottleAdvice(without('retry-after'), fields, NOW).waitMs).toBe(20_000);
    },
  );

  it('a reset in the past means now', () => {
    const past = { 'x-ratelimit-reset': inSeconds(-30) };
    expect(readThrottleAdvice(past, {}, NOW).waitMs).toBe(0);
  });

  it('the daily reset counts when the day is used up', () => {
    const spent = { ...without('retry-after'), 'x-ratelimit-remaining-day': '0' };
    expect(readThrottleAdvice(spent, {}, NOW)).toEqual({
      waitMs: 7_200_000,
      limitPerMinute: 300,
      daily: true,
    });
  });

  it('says nothing when nothing is said', () => {
    expect(readThrottleAdvice({}, {}, NOW)).toEqual({
      waitMs: undefined,
      limitPerMinute: undefined,
      daily: false,
    });
  });

  it.each(['0', '-1', 'many', '', '0.5', '600, 600;w=60'])('a limit of %p is no limit', (limit) => {
    const advice = readThrottleAdvice({ 'x-ratelimit-limit': limit }, {}, NOW);
    expect(advice.limitPerMinute).toBeUndefined();
  });
});

describe('which clock moments are reckoned by', () => {
  const date = (ms: number) => ({ date: new Date(ms).toUTCString() });

  it.each([0, -59_000, 59_000])('ours, when both tell the same time (%d ms)', (differenceMs) => {
    expect(serversNow(date(NOW + differenceMs), NOW)).toBe(NOW);
  });

  it.each([-86_400_000, -61_000, 61_000, 86_400_000])(
    "the service's, when one of them was set wrong (%d ms)",
    (differenceMs) => {
      expect(serversNow(date(NOW + differenceMs), NOW)).toBe(NOW + differenceMs);
    },
  );

  it.each<Record<string, string>>([
    {},
    { date: '' },
    { date: 'yesterday' },
    { date: 'x'.repeat(10_000) },
  ])('ours, when the service tells none', (headers) => {
    expect(serversNow(headers, NOW)).toBe(NOW);
  });
});
