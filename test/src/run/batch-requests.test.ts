/**
 * Tests which batches a run sends, in order, and the outcomes of their domains. Each row of the
 * tables is one service and one run.
 */
import { CreditBudget } from '../../../src/run/credit-budget';
import { requestInBatches } from '../../../src/run/batches';
import { CircuitBreaker } from '../../../src/run/circuit-breaker';
import {
  createFaultyReply,
  domainsOf,
  ENDPOINT,
  tally,
  type BatchFaults,
} from './support/batch-service';

interface Given extends BatchFaults {
  readonly domains: number;
  readonly batchSize?: number;
  readonly maxCredits?: number;
  readonly costsOpen?: boolean;
  readonly spendRemaining?: boolean;
  readonly atOnce?: number;
  readonly stops?: boolean;
  /** Maximum batch size that an earlier run has learned. */
  readonly learned?: number;
}

/**
 * Runs a job. Returns its batches, the outcomes of its domains, and the credits that the run
 * counts. A batch has `b` for a short timeout and `r` if it has room for other runs. At the end is
 * the maximum batch size that other runs learn.
 */
async function run(given: Given): Promise<string> {
  const { domains: count, price = 1, batchSize = 100, maxCredits, learned } = given;
  const domains = domainsOf(count);
  const reply = createFaultyReply(domains, given);
  const sent: string[] = [];
  const credits = new CreditBudget(maxCredits);
  const ceilings = new Map(learned === undefined ? [] : [[ENDPOINT, learned]]);
  const { outcomes } = await requestInBatches(
    {
      domains,
      batchSize,
      ceilings,
      endpoint: ENDPOINT,
      creditsOf: () => price,
      ...(given.atOnce === undefined ? {} : { atOnce: given.atOnce }),
      costsOpen: given.costsOpen === true,
      spendRemaining: given.spendRemaining === true,
      request: async (batch, { beforeSend, isBrief, hasRoom }) => {
        beforeSend?.();
        const flags = `${isBrief?.() === true ? 'b' : ''}${hasRoom === true ? 'r' : ''}`;
        sent.push(`${String(batch.length)}${flags}`);
        await new Promise(setImmediate);
        return reply(batch);
      },
    },
    {
      signal: undefined,
      credits,
      breaker: new CircuitBreaker(given.stops === true),
      warn: () => undefined,
    },
  );
  expect([...outcomes.keys()].sort()).toEqual([...domains].sort());
  if (maxCredits !== undefined)
    expect(credits.available).toBe(Math.max(0, maxCredits - credits.maxSpent));
  const ends = Object.entries(tally(outcomes)).map(([kind, number]) => `${kind} ${String(number)}`);
  const size = ceilings.get(ENDPOINT);
  return [
    `${sent.join(' ')} → ${ends.sort().join(' ')}`,
    `${String(credits.maxSpent)} credits`,
    credits.unconfirmed === 0 ? undefined : `${String(credits.unconfirmed)} unconfirmed`,
    size === undefined ? undefined : `learned ${String(size)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

const firstOf = (count: number) => Array.from({ length: count }, (_one, index) => index);

describe('A service without faults', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 1 }, '1r → row 1, 1 credits'],
    [{ domains: 100 }, '100 → row 100, 100 credits'],
    [{ domains: 250 }, '100 100 50r → row 250, 250 credits'],
    [{ domains: 250, atOnce: 1 }, '100 100 50r → row 250, 250 credits'],
    [{ domains: 3, batchSize: 0 }, '1 1 1 → row 3, 3 credits'],
    [{ domains: 250, learned: 60 }, '60 40 60 40 50r → row 250, 250 credits, learned 60'],
    [{ domains: 60, learned: 60 }, '60 → row 60, 60 credits, learned 60'],
    [{ domains: 60, learned: 200 }, '60r → row 60, 60 credits, learned 200'],
    [
      { domains: 250, batchSize: 50, learned: 60 },
      '50 50 50 50 50 → row 250, 250 credits, learned 60',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('A service with a smaller maximum batch', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 250, largest: 50 }, '100 100 50r 50b 50b 50 50 → row 250, 250 credits, learned 50'],
    [
      { domains: 250, largest: 50, refusal: '422' },
      '100 100 50r 50b 50b 50 50 → row 250, 250 credits, learned 50',
    ],
    [
      { domains: 250, largest: 30 },
      '100 100 50r 50b 25 25 25b 25b 25 25 25 25 25 25 → row 250, 250 credits, learned 25',
    ],
    [
      { domains: 250, largest: 50, atOnce: 1 },
      '100 50b 50b 50 50 50 → row 250, 250 credits, learned 50',
    ],
    [
      { domains: 30, largest: 1 },
      '30r 15b 7 3 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b 1b → row 30, 30 credits, learned 1',
    ],
    // After ten single rejected domains without a success, the node skips the rest.
    [
      { domains: 250, largest: 0 },
      '100 100 50r 50b 25 12 6 3 1 1 1 3 1 1 1 6 3 1 1 1 3 1 → batch_too_large 10 not_attempted 240, 0 credits',
    ],
    [
      { domains: 250, largest: 0, refusal: '422' },
      '100 100 50r 50b 25 12 6 3 1 1 1 3 1 1 1 6 3 1 1 1 3 1 → http_422 10 not_attempted 240, 0 credits',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('A domain that the service rejects', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 1, rejected: [0] }, '1r → http_422 1, 0 credits'],
    [{ domains: 8, rejected: [3] }, '8r 4b 2 2 1 1 4b → http_422 1 row 7, 7 credits'],
    [{ domains: 8, rejected: [3], atOnce: 1 }, '8r 4b 2 2 1 1 4b → http_422 1 row 7, 7 credits'],
    [
      { domains: 8, rejected: [3], maxCredits: 8 },
      '8r 4b 2 2 1 1 4b → http_422 1 row 7, 7 credits',
    ],
    [
      { domains: 250, rejected: [120] },
      '100 100 50r 50b 50b 25 25 13 12 6 6 3 3 2 1 1 1 → http_422 1 row 249, 249 credits',
    ],
    [
      { domains: 250, rejected: [20, 120] },
      '100 100 50r 50b 25 25 13 12 6 6 3 3 2 1 1 1 50b 100 50b 25 25 13 12 6 6 3 3 2 1 1 1 50b → http_422 2 row 248, 248 credits',
    ],
    [
      { domains: 12, rejected: firstOf(9) },
      '12r 6b 3 1 1 1 3 1 1 1 6b 3 1 1 1 3 → http_422 9 row 3, 3 credits',
    ],
    [
      { domains: 12, rejected: firstOf(10) },
      '12r 6b 3 1 1 1 3 1 1 1 6b 3 1 1 1 3 1 → http_422 10 not_attempted 2, 0 credits',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('A domain on which the service fails', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 1, broken: [0] }, '1r → http_500 1, 1 credits, 1 unconfirmed'],
    [{ domains: 8, broken: [3] }, '8r 3b 3b 2b 1 1 1 → http_500 1 row 7, 8 credits, 1 unconfirmed'],
    [
      { domains: 8, broken: [3], atOnce: 1 },
      '8r 3b 3b 2b 1 1 1 → http_500 1 row 7, 8 credits, 1 unconfirmed',
    ],
    [
      { domains: 8, broken: [3], maxCredits: 8 },
      '8r 3b 3b 2b 1 1 1 → http_500 1 row 7, 8 credits, 1 unconfirmed',
    ],
    [
      { domains: 30, broken: [3] },
      '30r 5b 5b 5b 5b 5b 5b 1 1 1 1 1 → http_500 1 row 29, 30 credits, 1 unconfirmed',
    ],
    [
      { domains: 250, broken: [120] },
      '100 100 50r 10b 10b 10b 10b 10b 10b 10b 10b 10b 10b 1 1 1 1 1 1 1 1 1 1 → http_500 1 row 249, 250 credits, 1 unconfirmed',
    ],
    // With On Error set to Stop, the node sends nothing more, and counts the failed request once.
    [{ domains: 8, broken: [3], stops: true }, '8r → http_500 8, 8 credits, 1 unconfirmed'],
    [
      { domains: 250, broken: [120], stops: true },
      '100 100 50r → http_500 100 row 150, 250 credits, 1 unconfirmed',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('A service that fails for some requests', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 8, outage: 1 }, '8r 3b 3b 2b → row 8, 8 credits'],
    [{ domains: 8, outage: 1, maxCredits: 8 }, '8r 3b 3b 2b → row 8, 8 credits'],
    [{ domains: 8, outage: 2 }, '8r 3b 3b 2b 1 1 1 → row 8, 8 credits'],
    [
      { domains: 250, outage: 1 },
      '100 100 50r 10b 10b 10b 10b 10b 10b 10b 10b 10b 10b → row 250, 250 credits',
    ],
    // The parts fail too, so the node does not split further.
    [{ domains: 8, outage: 30 }, '8r 3b 3b 2b → http_500 8, 8 credits, 3 unconfirmed'],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('Max Credits', () => {
  it.each<[given: Given, outcome: string]>([
    [{ domains: 250, maxCredits: 250 }, '100 100 50r → row 250, 250 credits'],
    [{ domains: 250, maxCredits: 120 }, '100 20 → max_credits_reached 130 row 120, 120 credits'],
    [{ domains: 250, maxCredits: 5 }, '5 → max_credits_reached 245 row 5, 5 credits'],
    // Free rows leave credits for others.
    [{ domains: 30, maxCredits: 20, price: 0 }, '20 10r → row 30, 0 credits'],
    // Only the responses show the price: the node sends
    // a small batch, then as many as the credits cover.
    [{ domains: 250, price: 4, costsOpen: true }, '100 100 50r → row 250, 1000 credits'],
    [
      { domains: 250, price: 4, costsOpen: true, maxCredits: 400 },
      '10 90 → max_credits_reached 150 row 100, 400 credits',
    ],
    [{ domains: 30, price: 4, costsOpen: true, maxCredits: 200 }, '10 20r → row 30, 120 credits'],
    [
      { domains: 250, price: 0.5, costsOpen: true, maxCredits: 60 },
      '10 55 27 8 10 5 2 1 1 1 → max_credits_reached 130 row 120, 60 credits',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});

describe('Credits that run out', () => {
  it.each<[given: Given, outcome: string]>([
    [
      { domains: 250, balance: 0, spendRemaining: true },
      '100 100 50r → credit_exhausted 250, 0 credits',
    ],
    [{ domains: 250, balance: 120 }, '100 100 50r → credit_exhausted 150 row 100, 100 credits'],
    [
      { domains: 250, balance: 120, stops: true },
      '100 100 50r → credit_exhausted 150 row 100, 100 credits',
    ],
    [
      { domains: 250, balance: 120, spendRemaining: true },
      '100 100 50r 20 → credit_exhausted 130 row 120, 120 credits',
    ],
    [
      { domains: 250, balance: 120, spendRemaining: true, atOnce: 1 },
      '100 100 20 → credit_exhausted 80 not_attempted 50 row 120, 120 credits',
    ],
    [
      { domains: 250, balance: 120, spendRemaining: true, maxCredits: 110 },
      '100 10 → max_credits_reached 140 row 110, 110 credits',
    ],
    [
      { domains: 50, balance: 20, price: 2, spendRemaining: true },
      '50r 10 → credit_exhausted 40 row 10, 20 credits',
    ],
  ])('sends the expected batches for %j', async (given, outcome) => {
    expect(await run(given)).toBe(outcome);
  });
});
