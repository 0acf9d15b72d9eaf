import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CreditBudget } from '../../../src/run/run-guards';
import {
  createFaultyReply,
  domainsOf,
  ENDPOINT,
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
  const request: JobSettings['request'] = async (batch, { breaker, isBrief, hasRoom }) => {
    breaker.assertClosed();
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
  const { unconfirmed } = credits.cost;
  const size = ceilings.get(ENDPOINT);
  return [
    formatRequests(sent, counts),
    ...(credits.maxSpent === (counts['row'] ?? 0) ? [] : [`${credits.maxSpent} credits`]),
    ...(unconfirmed === 0 ? [] : [`${unconfirmed} unconfirmed`]),
    ...(size === undefined ? [] : [`learned ${size}`]),
  ].join(', ');
}

/** Each line of the table is a number of domains, what is given, and the outcome. */
const lines = readFileSync(join(__dirname, 'batch-requests.tsv'), 'utf8').split('\n');
const cases = lines
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [count: string, given: string, outcome: string]);

it.each(cases)('requests %s domains with %s: %s', async (count, given, outcome) => {
  expect(await run(Number(count), JSON.parse(given) as Given)).toBe(outcome);
});
