import { CreditBudget } from '../../../src/run/run-guards';
import {
  createFaultyReply,
  domainsOf,
  ENDPOINT,
  firstOf,
  formatRequests,
  lookUp,
  tally,
  type BatchFaults,
  type JobSettings,
} from './support/batch-service';

interface Given extends BatchFaults, Omit<JobSettings, 'credits' | 'request'> {
  readonly maxCredits?: number;
  /** Maximum batch size that an earlier run has learned. */
  readonly learned?: number;
}

/**
 * Runs a job. Returns its batches, the outcomes of its domains, and the credits that the run
 * counts, unless it counts 1 per row. A batch has `b` for a short timeout and `r` if it has room
 * for other runs. At the end is the maximum batch size that other runs learn.
 */
async function run(count: number, given: Given): Promise<string> {
  const { price = 1, maxCredits, learned, ...settings } = given;
  const domains = domainsOf(count);
  const reply = createFaultyReply(domains, given);
  const sent: string[] = [];
  const credits = new CreditBudget(maxCredits);
  const ceilings = new Map(learned === undefined ? [] : [[ENDPOINT, learned]]);
  const request: JobSettings['request'] = async (batch, { beforeSend, isBrief, hasRoom }) => {
    beforeSend?.();
    const flags = `${isBrief?.() === true ? 'b' : ''}${hasRoom === true ? 'r' : ''}`;
    sent.push(`${batch.length}${flags}`);
    await new Promise(setImmediate);
    return reply(batch);
  };
  const job = { ...settings, credits, ceilings, creditsOf: () => price };
  const { outcomes } = await lookUp({ request }, domains, job);
  expect([...outcomes.keys()].sort()).toEqual([...domains].sort());
  if (maxCredits !== undefined)
    expect(credits.available).toBe(Math.max(0, maxCredits - credits.maxSpent));
  const counts = tally(outcomes);
  const size = ceilings.get(ENDPOINT);
  return [
    formatRequests(sent, counts),
    ...(credits.maxSpent === (counts['row'] ?? 0) ? [] : [`${credits.maxSpent} credits`]),
    ...(credits.unconfirmed === 0 ? [] : [`${credits.unconfirmed} unconfirmed`]),
    ...(size === undefined ? [] : [`learned ${size}`]),
  ].join(', ');
}

const SPENT = 'Credits that run out, when the remaining ones are spent';

const CASES: Record<string, ReadonlyArray<[domains: number, given: Given, outcome: string]>> = {
  'A service without faults': [
    [1, {}, '1r → row 1'],
    [250, {}, '2×100 50r → row 250'],
    [250, { atOnce: 1 }, '2×100 50r → row 250'],
    [3, { batchSize: 0 }, '3×1 → row 3'],
    [15, { batchSize: 7 }, '2×7 1r → row 15'],
    [250, { learned: 60 }, '60 40 60 40 50r → row 250, learned 60'],
    [60, { learned: 60 }, '60 → row 60, learned 60'],
    [60, { learned: 200 }, '60r → row 60, learned 200'],
  ],
  'A service with a smaller maximum batch': [
    [250, { largest: 50 }, '2×100 50r 4×50 → row 250, learned 50'],
    [250, { largest: 30, refusal: '422' }, '2×100 50r 50 10×25 → row 250, learned 25'],
    // Only the batches in flight are too large, and one batch of 50.
    [4000, { largest: 25 }, '20×100 50 160×25 → row 4000, learned 25'],
    [60, { largest: 3 }, '60r 30 15 7 2×3 1 2×3 2 15×3 → row 60, learned 3'],
    [30, { largest: 1 }, '30r 15 7 3 30×1 → row 30, learned 1'],
    // After ten single rejected domains without a success, the node skips the rest.
    [
      250,
      { largest: 0, refusal: '422' },
      '2×100 50r 50 25 12 6 3 3×1 3 3×1 6 3 3×1 3 1 → http_422 10 not_attempted 240',
    ],
  ],
  'A domain that the service rejects': [
    [1, { rejected: [0] }, '1r → http_422 1'],
    [8, { rejected: [3], maxCredits: 8 }, '8r 4 2×2 2×1 4 → http_422 1 row 7'],
    [
      250,
      { rejected: [20, 120] },
      '2×100 50r 50 25 13 12 2×6 3 2 3×1 3 25 50 100 50 25 13 12 2×6 3 2 3×1 3 25 50 → http_422 2 row 248',
    ],
    // The node learns no smaller size from a rejected domain.
    [2, { rejected: [1] }, '2r 2×1 → http_422 1 row 1'],
    [5000, { rejected: [37] }, '20×100 50 2×25 13 7 6 2×3 2 1 12 50 30×100 → http_422 1 row 4999'],
    [
      500,
      { rejected: [37], largest: 25, refusal: '422' },
      '5×100 50 2×25 13 7 6 2×3 2 1 12 50 18×25 → http_422 1 row 499, learned 25',
    ],
    [12, { rejected: firstOf(9) }, '12r 6 3 3×1 3 3×1 6 3 3×1 3 → http_422 9 row 3'],
    [12, { rejected: firstOf(10) }, '12r 6 3 3×1 3 3×1 6 3 3×1 3 1 → http_422 10 not_attempted 2'],
  ],
  'A domain on which the service fails': [
    [1, { broken: [0] }, '1r → http_500 1, 1 credits, 1 unconfirmed'],
    [
      8,
      { broken: [3], maxCredits: 8 },
      '8r 2×3b 2b 3×1 → http_500 1 row 7, 8 credits, 1 unconfirmed',
    ],
    [
      250,
      { broken: [120] },
      '2×100 50r 10×10b 10×1 → http_500 1 row 249, 250 credits, 1 unconfirmed',
    ],
    // With On Error set to Stop, the node sends nothing more, and counts the failed request once.
    [
      250,
      { broken: [120], stopAtFirstFailure: true },
      '2×100 50r → http_500 100 row 150, 250 credits, 1 unconfirmed',
    ],
  ],
  'A service that fails for some requests': [
    [8, { outage: 1, maxCredits: 8 }, '8r 2×3b 2b → row 8'],
    [8, { outage: 2 }, '8r 2×3b 2b 3×1 → row 8'],
    // The parts fail too, so the node does not split further.
    [8, { outage: 30 }, '8r 2×3b 2b → http_500 8, 8 credits, 3 unconfirmed'],
    [
      5000,
      { outage: 50, stopAtFirstFailure: true },
      '20×100 → http_500 2000 not_attempted 3000, 2000 credits, 20 unconfirmed',
    ],
  ],
  'Max Credits': [
    [250, { maxCredits: 120 }, '100 20 → max_credits_reached 130 row 120'],
    // Free rows leave credits for others.
    [30, { maxCredits: 20, price: 0 }, '20 10r → row 30, 0 credits'],
    // Only the responses show the price: the node sends
    // a small batch, then as many as the credits cover.
    [250, { price: 4, costsOpen: true }, '2×100 50r → row 250, 1000 credits'],
    [
      250,
      { price: 4, costsOpen: true, maxCredits: 400 },
      '10 90 → max_credits_reached 150 row 100, 400 credits',
    ],
    [
      250,
      { price: 0.5, costsOpen: true, maxCredits: 60 },
      '10 55 27 8 10 5 2 3×1 → max_credits_reached 130 row 120, 60 credits',
    ],
  ],
  'Credits that run out': [
    // Batches that wait are not sent.
    [10_000, { balance: 0 }, '20×100 → credit_exhausted 2000 not_attempted 8000'],
    // Rows of earlier batches are kept, and later batches are skipped.
    [500, { balance: 200, atOnce: 1 }, '3×100 → credit_exhausted 100 not_attempted 200 row 200'],
    [250, { balance: 120, stopAtFirstFailure: true }, '2×100 50r → credit_exhausted 150 row 100'],
  ],
  [SPENT]: [
    [250, { balance: 120 }, '2×100 50r 20 → credit_exhausted 130 row 120'],
    [250, { balance: 120, atOnce: 1 }, '2×100 20 → credit_exhausted 80 not_attempted 50 row 120'],
    [250, { balance: 120, maxCredits: 110 }, '100 10 → max_credits_reached 140 row 110'],
    // The node spends the remaining credits only once, although ten batches are refused.
    [1000, { balance: 40 }, '10×100 40 → credit_exhausted 960 row 40'],
    [50, { balance: 20, price: 2 }, '50r 10 → credit_exhausted 40 row 10, 20 credits'],
  ],
};

describe.each(Object.entries(CASES))('%s', (group, cases) => {
  it.each(cases)(
    'sends %i domains in the expected batches for %j',
    async (count, given, outcome) => {
      expect(await run(count, { spendRemaining: group === SPENT, ...given })).toBe(outcome);
    },
  );
});
