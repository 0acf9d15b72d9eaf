import fc from 'fast-check';

import { BATCHES_AT_ONCE } from '../../../src/run/batches';
import { CreditBudget } from '../../../src/run/run-guards';
import * as errors from '../../../src/client/errors';
import {
  answerFor,
  BatchService,
  domainsOf,
  ENDPOINT,
  exhausted,
  lookUp,
  rejection,
  serverError,
  tally,
  tooLarge,
} from './support/batch-service';

it('counts a row of two domains once and returns a separate copy for each domain', async () => {
  const row = { domain: 'a.com', status: 'tracked', tags: ['x'] };
  const service = new BatchService((_number, batch) => ({
    ...answerFor([]),
    rows: new Map(batch.map((domain) => [domain, row])),
  }));
  const credits = new CreditBudget(10);
  const { outcomes } = await lookUp(service, ['a.com', 'www.a.com'], { credits });
  const [first, second] = [...outcomes.values()].map((one) => (one.kind === 'row' ? one.row : {}));

  expect(second).toEqual(first);
  expect(second).not.toBe(first);
  expect(second?.['tags']).not.toBe(first?.['tags']);
  expect(credits.maxSpent).toBe(1);
});

it('does not send batches that already wait for the limiter when credits run out (402)', async () => {
  let isRefused = false;
  let waiting = 0;
  const service = new BatchService(() => exhausted(100, 100));
  const { outcomes } = await lookUp(service, 500, {
    // Like the limiter, keeps all batches but the first waiting until after the refusal.
    request: async (batch, options) => {
      waiting += 1;
      if (waiting > 1) while (!isRefused) await new Promise(setImmediate);
      return await service.request(batch, options).finally(() => {
        setImmediate(() => (isRefused = true));
      });
    },
  });
  expect(service.batches).toHaveLength(1);
  expect(tally(outcomes)).toEqual({ credit_exhausted: 100, not_attempted: 400 });
});

it.each<[string, (rows: number) => [requested: number, shortfall: number], number[]]>([
  ['the same figures again', () => [60, 20], [60, 40]],
  ['other figures', (rows) => [rows, 1], [60, 59, 58]],
  ['no balance', (rows) => [rows, rows], [60]],
  ['figures that cannot be', (rows) => [rows, -5], [60, 59, 58]],
])(
  'spends the rest at most twice, with fewer rows, when refused with %s',
  async (_what, figures, sizes) => {
    const service = new BatchService((_number, { length }) => exhausted(...figures(length)));
    const { outcomes } = await lookUp(service, 60, { spendRemaining: true });

    expect(service.batches.map(({ length }) => length)).toEqual(sizes);
    expect(tally(outcomes)).toEqual({ credit_exhausted: 60 });
  },
);

it('applies a learned maximum batch to its endpoint, also when another run learns a smaller one', async () => {
  const ceilings = new Map([['/v1/other', 5]]);
  const service = new BatchService((number, batch) => {
    if (number > 1) return answerFor(batch);
    ceilings.set(ENDPOINT, 10);
    return tooLarge();
  });
  await lookUp(service, 100, { ceilings });
  expect(ceilings.get(ENDPOINT)).toBe(10);
  const sizes = service.batches.map(({ length }) => length);
  expect(sizes).toEqual([100, ...Array<number>(10).fill(10)]);
});

it.each<[string, number, Error | undefined, new (...given: never[]) => Error]>([
  ['it is cancelled while batches wait', 9_000, new errors.CancelledError(), errors.CancelledError],
  ['it is cancelled when all responses have arrived', 3, undefined, errors.CancelledError],
  ['an error does not come from the service', 9_000, new RangeError('a bug'), RangeError],
])('sends no further batches and rejects if %s', async (_when, count, failure, expected) => {
  const stop = new AbortController();
  const service = new BatchService((_number, batch) => {
    if (expected === errors.CancelledError) stop.abort();
    return failure ?? answerFor(batch);
  });
  const run = lookUp(service, count, { signal: stop.signal });
  await expect(run).rejects.toBeInstanceOf(expected);
  expect(service.batches.length).toBeLessThanOrEqual(BATCHES_AT_ONCE);
});

/** How the service fails on a domain. */
const domainErrors = [
  new errors.BadRequestError({ code: 'invalid_domain', message: 'No', hint: '-', status: 400 }),
  rejection(),
  serverError(),
  new errors.ConnectionError({ code: 'no_answer', message: 'No', hint: '-' }),
];

const anyJob = fc.record({
  count: fc.nat(450),
  ceiling: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })),
  batchSize: fc.integer({ min: 1, max: 120 }),
  failing: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  badDomains: fc.uniqueArray(fc.nat(200), { maxLength: 4 }),
  domainError: fc.constantFrom(...domainErrors),
  maxCredits: fc.option(fc.nat(400), { nil: undefined }),
  balance: fc.oneof(fc.constant(Infinity), fc.nat(300)),
  tracked: fc.integer({ min: 1, max: 3 }),
  spendRemaining: fc.boolean(),
  stopAtFirstFailure: fc.boolean(),
});

it('reports one outcome per domain within batch size and Max Credits, whatever fails', async () => {
  await fc.assert(
    fc.asyncProperty(anyJob, async (given) => {
      const { count, batchSize, maxCredits, spendRemaining, stopAtFirstFailure } = given;
      const domains = domainsOf(count);
      const bad = given.badDomains.map((index) => `company-${index}.com`);
      let balance = given.balance;
      let spent = 0;
      let inFlight = 0;
      let mostRisked = 0;
      const answered: string[] = [];
      const service = new BatchService((number, batch) => {
        inFlight -= batch.length;
        if (batch.length > given.ceiling) return tooLarge();
        if (given.failing.includes(number)) return serverError();
        if (bad.some((domain) => batch.includes(domain))) return given.domainError;
        const tracked = batch.filter((domain) => domain.length % given.tracked === 0);
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
      const credits = new CreditBudget(maxCredits);
      const { outcomes } = await lookUp(service, count, {
        ceilings,
        batchSize,
        credits,
        spendRemaining,
        stopAtFirstFailure,
        request: async (batch, options) => {
          inFlight += batch.length;
          mostRisked = Math.max(mostRisked, spent + inFlight);
          return await service.request(batch, options);
        },
      });

      expect([...outcomes.keys()].sort()).toEqual([...domains].sort());
      for (const [domain, outcome] of outcomes) {
        if (outcome.kind === 'row') expect(outcome.row.domain).toBe(domain);
        else expect(outcome.kind === 'failed' && outcome.error).toBeInstanceOf(errors.ServiceError);
      }
      const rows = domains.filter((domain) => outcomes.get(domain)?.kind === 'row');
      expect(rows.sort()).toEqual(answered.sort());
      expect(new Set(answered).size).toBe(answered.length);
      for (const batch of service.batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(batchSize);
      }
      expect(mostRisked).toBeLessThanOrEqual(maxCredits ?? Infinity);
      expect(credits.maxSpent).toBeGreaterThanOrEqual(spent);
      const isCovered = given.balance === Infinity && maxCredits === undefined;
      const isUp = given.failing.length === 0 && bad.length === 0;
      if (isCovered && isUp) expect(rows).toHaveLength(count);
      const learned = ceilings.get(ENDPOINT) ?? Infinity;
      expect(learned).toBeGreaterThanOrEqual(Math.floor(given.ceiling / 2));
    }),
    { numRuns: 150 },
  );
}, 30_000);

it('counts unrequested rows, warns about them and sends no more than Max Credits covers', async () => {
  const isMoved = (domain: string) => Number(/\d+/.exec(domain)?.[0]) % 4 === 0;
  const service = new BatchService((_number, batch) => ({
    ...answerFor(batch.filter((domain) => !isMoved(domain))),
    unrequestedRows: batch.filter(isMoved).map((domain) => ({ domain: `now-${domain}` })),
  }));
  const credits = new CreditBudget(120);
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const { outcomes } = await lookUp(service, 250, { credits, creditsOf: () => 1, warn });

  expect([outcomes.size, service.batches.flat().length, credits.maxSpent]).toEqual([250, 120, 120]);
  expect(warnings.join()).toContain('(30): now-company-');
});
