import fc from 'fast-check';

import { DailyQuota } from '../../../../src/client/limiter/daily-quota';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2025, 0, 1);
const START_MINUTE = START / MINUTE;

/** Number of requests per minute, counted from the minute of `START`. */
const minutes = (...counts: Array<[minute: number, requests: number]>) =>
  new Map(counts.map(([minute, requests]) => [START_MINUTE + minute, requests]));

/** Returns a quota after requests at these times. */
function quotaAfter(limit: number, ...moments: number[]): DailyQuota {
  const quota = new DailyQuota(() => limit);
  for (const moment of moments) quota.record(moment);
  return quota;
}

it('allows requests until the limit is reached, and again when it is raised', () => {
  let limit = 2;
  const budget = new DailyQuota(() => limit);
  budget.record(START);
  expect(budget.opensAt(START)).toBe(START);
  budget.record(START);
  expect(budget.opensAt(START)).toBeGreaterThan(START);
  expect(budget.used(START)).toBe(2);
  limit = 3;
  expect(budget.opensAt(START)).toBe(START);
});

it('reopens within one minute after the oldest requests are a day old', () => {
  const oldest = START + 10;
  const budget = quotaAfter(3, oldest, START + 5 * MINUTE, START + 5 * MINUTE + 1);
  const opensAt = budget.opensAt(START + 6 * MINUTE);
  expect(opensAt).toBeGreaterThan(oldest + DAY);
  expect(opensAt).toBeLessThanOrEqual(oldest + DAY + MINUTE);
  expect(budget.opensAt(opensAt - 1)).toBe(opensAt);
  expect(budget.opensAt(opensAt)).toBe(opensAt);
  expect(budget.used(opensAt)).toBe(2);
});

it('never allows more requests than the limit in any 24 hours', () => {
  const gap = fc.oneof(fc.nat(5_000), fc.nat(8 * 60 * MINUTE), fc.nat(2 * DAY));
  const gaps = fc.array(gap, { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(MINUTE), gaps, (limit, offset, waits) => {
      const budget = new DailyQuota(() => limit);
      const sent: number[] = [];
      let now = START + offset;
      for (const wait of waits) {
        now += wait;
        const opensAt = budget.opensAt(now);
        expect(opensAt).toBeGreaterThanOrEqual(now);
        // Half of the steps give up; the others wait exactly until the quota opens.
        if (opensAt > now && wait % 2 === 0) continue;
        now = opensAt;
        budget.record(now);
        sent.push(now);
      }
      for (const moment of sent) {
        const inDay = sent.filter((other) => other > moment - DAY && other <= moment);
        expect(inDay.length).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

describe('when shared with other workers', () => {
  it('counts requests of other workers too', () => {
    const budget = quotaAfter(5, START);
    expect(budget.takeUnreportedCounts()).toEqual(minutes([0, 1]));
    budget.merge(minutes([0, 4]));
    expect(budget.used(START)).toBe(4);
    budget.record(START);
    expect(budget.opensAt(START)).toBeGreaterThan(START);
  });

  it('reports each request once, and adds unreported ones to merged counts', () => {
    const budget = quotaAfter(100, START);
    budget.takeUnreportedCounts();
    expect(budget.takeUnreportedCounts().size).toBe(0);
    budget.record(START);
    budget.record(START + MINUTE);
    budget.merge(minutes([0, 10]));
    expect(budget.used(START + MINUTE)).toBe(12);
    expect(budget.takeUnreportedCounts()).toEqual(minutes([0, 1], [1, 1]));
  });

  it('keeps its own count when Redis has lost its data', () => {
    const budget = quotaAfter(100, START, START, START);
    budget.takeUnreportedCounts();
    budget.merge(new Map());
    budget.merge(minutes([0, 2]));
    expect(budget.used(START)).toBe(3);
  });

  it('expires requests that other workers sent before this one started', () => {
    const budget = quotaAfter(10, START);
    budget.merge(minutes([1, 3], [-30, 5], [-2_000, 50]));
    expect(budget.used(START)).toBe(9);
    expect(budget.used(START + DAY - 20 * MINUTE)).toBe(4);
    expect(budget.used(START + DAY + 5 * MINUTE)).toBe(0);
  });
});

describe('a refunded request', () => {
  it('does not count, and is not reported to others', () => {
    const budget = quotaAfter(1, START);
    budget.refund(START);
    expect(budget.opensAt(START)).toBe(START);
    expect(budget.takeUnreportedCounts().size).toBe(0);
  });

  it('is reported as -1 if it was reported before', () => {
    const budget = quotaAfter(10, START, START);
    budget.takeUnreportedCounts();
    budget.refund(START);
    expect(budget.takeUnreportedCounts()).toEqual(minutes([0, -1]));
    expect(budget.used(START)).toBe(1);
  });

  it('changes nothing if its minute has expired', () => {
    const budget = quotaAfter(10, START);
    expect(budget.used(START + 2 * DAY)).toBe(0);
    budget.refund(START);
    expect(budget.used(START + 2 * DAY)).toBe(0);
  });
});
