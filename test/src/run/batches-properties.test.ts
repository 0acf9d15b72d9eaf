/** Tests properties of batches with random failures and credits; `batches.test.ts` has examples. */
import fc from 'fast-check';

import { CreditBudget } from '../../../src/run/credit-budget';
import { ServiceError } from '../../../src/client/errors';
import {
  answerFor,
  askInBatches,
  BatchService,
  domainsOf,
  ENDPOINT,
  exhausted,
  jobOf,
  serverError,
  tooLarge,
} from './support/batch-service';

const scenario = fc.record({
  count: fc.nat(450),
  ceiling: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })),
  batchSize: fc.integer({ min: 1, max: 120 }),
  failing: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  maxCredits: fc.option(fc.nat(400), { nil: undefined }),
  balance: fc.oneof(fc.constant(Infinity), fc.nat(300)),
  tracked: fc.integer({ min: 1, max: 3 }),
  spendRemaining: fc.boolean(),
  stopAtFirstFailure: fc.boolean(),
});

it('reports one outcome per domain within batch size and Max Credits, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const domains = domainsOf(given.count);
      const trackedOf = (batch: readonly string[]) =>
        batch.filter((domain) => domain.length % given.tracked === 0);
      let balance = given.balance;
      let spent = 0;
      let inFlight = 0;
      let mostRisked = 0;
      const answered: string[] = [];
      const service = new BatchService((number, batch) => {
        inFlight -= batch.length;
        if (batch.length > given.ceiling) return tooLarge();
        if (given.failing.includes(number)) return serverError();
        const tracked = trackedOf(batch);
        if (tracked.length > balance) return exhausted(tracked.length, tracked.length - balance);
        balance -= tracked.length;
        spent += tracked.length;
        answered.push(...batch);
        const answer = answerFor(tracked);
        for (const domain of batch) {
          if (!answer.rows.has(domain)) answer.rows.set(domain, { domain, status: 'not_tracked' });
        }
        return answer;
      });
      const ceilings = new Map<string, number>();
      const job = jobOf(service, {
        domains,
        ceilings,
        batchSize: given.batchSize,
        guard: new CreditBudget(given.maxCredits),
        spendRemaining: given.spendRemaining,
        stopAtFirstFailure: given.stopAtFirstFailure,
      });
      const { outcomes, answers } = await askInBatches({
        ...job,
        request: async (batch, options) => {
          inFlight += batch.length;
          mostRisked = Math.max(mostRisked, spent + inFlight);
          return await service.ask(batch, options);
        },
      });

      expect([...outcomes.keys()].sort()).toEqual([...domains].sort());
      for (const [domain, outcome] of outcomes) {
        if (outcome.kind === 'row') expect(outcome.row.domain).toBe(domain);
        else expect(outcome.kind === 'failed' && outcome.error).toBeInstanceOf(ServiceError);
      }
      const rows = [...outcomes].filter(([, outcome]) => outcome.kind === 'row');
      expect(rows.map(([domain]) => domain).sort()).toEqual(answered.sort());
      expect(new Set(answered).size).toBe(answered.length);
      expect(answers).toBeLessThanOrEqual(service.batches.length);
      for (const batch of service.batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(given.batchSize);
      }
      expect(mostRisked).toBeLessThanOrEqual(given.maxCredits ?? Infinity);
      if (
        given.balance === Infinity &&
        given.failing.length === 0 &&
        given.maxCredits === undefined
      ) {
        expect(rows).toHaveLength(domains.length);
      }
      const learned = ceilings.get(ENDPOINT);
      if (learned !== undefined)
        expect(learned).toBeGreaterThanOrEqual(Math.floor(given.ceiling / 2));
    }),
    { numRuns: 150 },
  );
}, 30_000);

it('counts unrequested rows, warns about them and sends no more than Max Credits covers', async () => {
  const world = fc.record({
    count: fc.integer({ min: 1, max: 400 }),
    size: fc.integer({ min: 1, max: 100 }),
    limit: fc.nat(300),
    // Every n-th row comes back under another domain.
    every: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ count, size, limit, every }) => {
      const isMoved = (domain: string) => Number(/\d+/.exec(domain)?.[0]) % every === 0;
      const service = new BatchService((_number, batch) => ({
        ...answerFor(batch.filter((domain) => !isMoved(domain))),
        unrequestedRows: batch.filter(isMoved).map((domain) => ({ domain: `now-${domain}` })),
      }));
      const guard = new CreditBudget(limit);
      const told: string[] = [];
      const { outcomes } = await askInBatches({
        ...jobOf(service, { domains: domainsOf(count), batchSize: size, guard }),
        creditsOf: () => 1,
        tell: (message) => told.push(message),
      });

      expect(outcomes.size).toBe(count);
      expect(service.asked).toHaveLength(Math.min(count, limit));
      expect(guard.maxSpent).toBe(service.asked.length);
      const moved = service.asked.filter(isMoved).length;
      if (moved > 0) expect(told.join()).toContain(`(${String(moved)}): now-company-`);
      else expect(told).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

it('exceeds Max Credits only with its last batch when partners are billed', async () => {
  const world = fc.record({
    count: fc.integer({ min: 1, max: 1_000 }),
    limit: fc.nat(3_000),
    partners: fc.array(fc.nat(40), { minLength: 1, maxLength: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ count, limit, partners }) => {
      const costOf = (domain: string) =>
        1 + (partners[Number(/\d+/.exec(domain)?.[0]) % partners.length] ?? 0);
      const service = new BatchService();
      const guard = new CreditBudget(limit);
      const domains = domainsOf(count);
      const { outcomes } = await askInBatches({
        ...jobOf(service, { domains, guard, costsOpen: true }),
        creditsOf: ({ domain }) => costOf(String(domain)),
      });
      const costs = service.batches.map((batch) =>
        batch.map(costOf).reduce((sum, one) => sum + one, 0),
      );

      expect([outcomes.size, service.busiest <= 1]).toEqual([count, true]);
      expect(guard.maxSpent).toBe(costs.reduce((sum, one) => sum + one, 0));
      expect(guard.maxSpent - (costs.at(-1) ?? 0)).toBeLessThanOrEqual(limit);
      if (service.asked.length < count) expect(guard.maxSpent).toBeGreaterThanOrEqual(limit);
    }),
    { numRuns: 50 },
  );
});
