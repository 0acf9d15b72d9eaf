import fc from 'fast-check';

import { CreditQuota, type CappedQuota } from '../../../../src/client/limiter/credit-quota';
import { CreditBudget } from '../../../../src/run/credit-budget';

const NOON = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;

const alone = () => new CreditQuota(() => undefined);

/** Returns a run without a limit of its own. */
const runOf = (cap: CappedQuota) => new CreditBudget(undefined, cap);

const send = jest.fn(async () => await Promise.resolve());

/** Sends a request that costs all credits that it reserves. */
const spend = async (cap: CappedQuota, credits: number, run = runOf(cap)) => {
  await run.sendWithinBudget(credits, send, () => credits);
};

beforeEach(() => {
  jest.useFakeTimers({ now: NOON, doNotFake: ['nextTick', 'setImmediate', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

it('never limits a credential without caps, but counts its credits toward another with caps', async () => {
  const budget = alone();
  const free = budget.withCaps({ maxCreditsPerDay: 0 });
  await spend(free, 1_000);
  expect(free.left).toBe(Infinity);
  expect(budget.withCaps({ maxCreditsPerDay: 1_500 }).left).toBe(500);
});

it("refuses before sending, and names the cap and its reset time in the workflow's time zone", async () => {
  const cap = alone().withCaps({ maxCreditsPerDay: 10, maxCreditsPerMonth: 12 }, 'Europe/Berlin');
  await spend(cap, 8);
  send.mockClear();
  await expect(spend(cap, 3)).rejects.toMatchObject({
    code: 'max_credits_reached',
    message:
      'Skipped because Max Credits per Day in the credential leaves 2 of 10 credits and resets in 12 hours, at 2026-12-01 01:00 Europe/Berlin (00:00 UTC)',
    details: { resets_at: '2026-12-01T00:00:00.000Z' },
  });
  expect(send).not.toHaveBeenCalled();
  // A day later, the monthly cap is used up instead.
  jest.setSystemTime(NOON + 24 * HOUR);
  await spend(cap, 10);
  jest.setSystemTime(NOON + 48 * HOUR);
  await expect(spend(cap, 3)).rejects.toThrow(
    'Max Credits per Month in the credential leaves 2 of 12 credits and resets in 30 days, at 2027-01-01 01:00 Europe/Berlin (00:00 UTC)',
  );
});

it('names the limit of the run when that limit is too low', async () => {
  const cap = alone().withCaps({ maxCreditsPerDay: 10 });
  const spending = spend(cap, 3, new CreditBudget(2, cap));
  await expect(spending).rejects.toThrow("this run's limit of 2 credits");
});

it('reports isIdle only when the month of the last spent credit is over', async () => {
  const budget = alone();
  expect(budget.isIdle).toBe(true);
  jest.setSystemTime(Date.UTC(2026, 10, 1));
  await spend(budget.withCaps({}), 1);
  jest.setSystemTime(Date.UTC(2026, 10, 30));
  expect(budget.isIdle).toBe(false);
  jest.setSystemTime(Date.UTC(2026, 11, 1));
  expect(budget.isIdle).toBe(true);
});

it('counts a request that is in flight at midnight toward the new day', async () => {
  const cap = alone().withCaps({ maxCreditsPerDay: 10 });
  await cap.reserve(7);
  jest.setSystemTime(NOON + 13 * HOUR);
  expect(cap.left).toBe(3);
  cap.settle(7, 2);
  expect(cap.left).toBe(8);
});

it('sends a request whose credits were reserved before, even if the cap leaves no more', async () => {
  const guard = runOf(alone().withCaps({ maxCreditsPerDay: 10 }));
  await guard.reserve(10);
  await guard.sendWithinBudget(10, send, () => 4, 10);
  expect(guard).toMatchObject({ available: 6, maxSpent: 4 });
});

/** A run reserves credits, or a response settles an earlier reservation. */
const STEP = fc.record({
  run: fc.nat({ max: 4 }),
  credits: fc.integer({ min: 1, max: 40 }),
  cost: fc.double({ min: 0, max: 1, noNaN: true }),
  isAnswer: fc.boolean(),
  hours: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 30 })),
});

it('never lets simultaneous runs exceed a cap, in any order and at any time', async () => {
  const caps = fc.record({
    maxCreditsPerDay: fc.integer({ min: 1, max: 100 }),
    maxCreditsPerMonth: fc.integer({ min: 1, max: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 60 }), caps, async (steps, given) => {
      jest.setSystemTime(NOON);
      const cap = alone().withCaps(given);
      const runs = Array.from({ length: 5 }, () => runOf(cap));
      const inFlight: Array<{ run: CreditBudget; credits: number }> = [];
      const charged = new Map<string, number>();
      const nowText = (length: number) => new Date().toISOString().slice(0, length);
      const ofPeriod = (length: number) => charged.get(nowText(length)) ?? 0;
      for (const { run, credits, cost, isAnswer, hours } of steps) {
        jest.setSystemTime(Date.now() + hours * HOUR);
        const guard = runs[run]!;
        if (isAnswer) {
          const answered = inFlight.shift();
          if (answered === undefined) continue;
          const spent = Math.round(answered.credits * cost);
          answered.run.settle(answered.credits, spent);
          for (const length of [10, 7]) charged.set(nowText(length), ofPeriod(length) + spent);
        } else {
          const { left } = cap;
          const granted = await guard.reserve(credits);
          expect(granted).toBe(credits <= left);
          if (granted) inFlight.push({ run: guard, credits });
        }
        const reserved = inFlight.reduce((sum, one) => sum + one.credits, 0);
        expect(ofPeriod(10) + reserved).toBeLessThanOrEqual(given.maxCreditsPerDay);
        expect(ofPeriod(7) + reserved).toBeLessThanOrEqual(given.maxCreditsPerMonth);
      }
    }),
  );
});
