/** Batch ceilings, credits and rate limits. */
import { deserted } from '../../src/client/support/service';
import {
  enrich,
  enrichmentOf,
  leads,
  NAME,
  startUnlimitedSandbox,
  trackedDomains,
  useFreshSandbox,
  userCredential,
} from './bulk-enrich';
import { codeOf, errorItemOf } from '../shared/error-items';

const sandbox = useFreshSandbox({ companies: 1000 });

const onError = 'continueErrorOutput' as const;
const attempted = () =>
  sandbox
    .report()
    .recent.filter((request) => request.status === 200)
    .map(({ domains }) => domains);

describe('a batch ceiling below 100', () => {
  it('is found by halving and remembered for the next run', async () => {
    const hundred = async (from: number) =>
      await enrich(sandbox, {}, leads(trackedDomains(sandbox, from + 100).slice(from)), {
        credentials: userCredential(sandbox, 'lowBatch'),
      });

    const first = await hundred(0);
    expect(first.json(NAME).map((json) => enrichmentOf(json)['status'])).toEqual(
      Array.from({ length: 100 }, () => 'tracked'),
    );
    expect(sandbox.report().byStatus).toEqual({ 400: 2, 200: 4 });
    expect(attempted()).toEqual([25, 25, 25, 25]);

    const second = await hundred(100);
    expect(second.json(NAME)).toHaveLength(100);
    expect(sandbox.report().byStatus).toEqual({ 400: 2, 200: 8 });
    expect(sandbox.report().charged).toBe(200);
  });
});

describe('credits run out', () => {
  const credential = () => userCredential(sandbox, 'nearlyOut', { maxBatchSize: 10 });

  it('keeps what was paid for, is not retried, and leaves the rest unsent', async () => {
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 1000)), {
      onError,
      credentials: credential(),
    });

    expect(run.json(NAME, 0)).toHaveLength(20);
    expect(sandbox.report().charged).toBe(20);
    const failed = run.json(NAME, 1);
    expect(failed).toHaveLength(980);
    const refused = failed.filter((json) => codeOf(json) === 'credit_exhausted');
    const unsent = failed.filter((json) => codeOf(json) === 'not_attempted');
    expect(refused.length + unsent.length).toBe(980);
    expect(unsent.length).toBeGreaterThan(700);
    expect(refused[0]).toMatchObject({
      message: expect.stringContaining('the call needs 10 and 5 are missing'),
      error: {
        requested: 10,
        shortfall: 5,
        hint: expect.stringContaining('Retrying does not help'),
      },
    });
    expect(sandbox.report().requests).toBeLessThanOrEqual(22);
  });

  it('Stop says how many credits are missing and names the first refused item', async () => {
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 60)), {
      credentials: userCredential(sandbox, 'nearlyOut'),
    });

    expect(run.error).toMatchObject({ httpCode: '402', context: { itemIndex: 0 } });
    expect(run.error?.message).toBe('Not enough credits: the call needs 60 and 35 are missing');
    expect(run.error?.description).toMatch(/Only First Companies.*with Spend Remaining Credits/);
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });
  });

  it('Spend Remaining Credits asks once more for as many rows as they cover', async () => {
    const run = await enrich(
      sandbox,
      { options: { spendRemainingCredits: true } },
      leads(trackedDomains(sandbox, 60)),
      { onError, credentials: userCredential(sandbox, 'nearlyOut') },
    );

    expect(run.json(NAME, 0).map((json) => json['id'])).toEqual(
      Array.from({ length: 25 }, (_unused, id) => id),
    );
    expect(run.json(NAME, 1)).toHaveLength(35);
    // Advised is what is not done yet.
    const [refused] = run.json(NAME, 1);
    expect(refused).toMatchObject({
      error: { hint: expect.stringMatching(/Only First Companies/) },
    });
    expect(JSON.stringify(refused)).not.toContain('Spend Remaining');
    expect(sandbox.credits('nearlyOut')).toBe(0);
    expect(sandbox.report().byStatus).toEqual({ 402: 1, 200: 1 });
  });
});

describe('Max Credits', () => {
  it('is never exceeded, and rows beyond it are not sent', async () => {
    const run = await enrich(
      sandbox,
      { options: { maxCredits: 150 } },
      leads(trackedDomains(sandbox, 400)),
      { onError },
    );

    expect(sandbox.report()).toMatchObject({ charged: 150, domains: 150 });
    expect(run.json(NAME, 0)).toHaveLength(150);
    expect(run.json(NAME, 1)).toHaveLength(250);
    expect(run.json(NAME, 1)[0]).toMatchObject(
      errorItemOf('max_credits_reached', expect.stringContaining('150 credits at most')),
    );
  });

  it('gives back what untracked companies did not cost', async () => {
    const unknown = Array.from({ length: 200 }, (_unused, index) => `unknown-${String(index)}.com`);
    const run = await enrich(
      sandbox,
      { options: { maxCredits: 100 } },
      leads([...unknown, ...trackedDomains(sandbox, 100)]),
      { onError },
    );

    expect(run.json(NAME, 0)).toHaveLength(300);
    expect(sandbox.report().charged).toBe(100);
  });
});

describe('the rate limit', () => {
  it('once it is used up for longer than the run may wait, no further batch is sent', async () => {
    sandbox.addFault({ preset: 'rateLimit', options: { seconds: 7200 }, when: 'every' });
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 1000)), {
      onError,
      credentials: userCredential(sandbox, 'user', { maxBatchSize: 10 }),
    });

    expect(sandbox.report().requests).toBeLessThanOrEqual(20);
    expect(run.json(NAME, 1)).toHaveLength(1000);
    expect(run.json(NAME, 1).at(-1)).toMatchObject(errorItemOf('not_attempted'));
  });

  it('stays within 600 requests a minute without a single 429', async () => {
    const limited = await startUnlimitedSandbox({
      companies: 1000,
      keyLimits: { requestsPerMinute: 600, requestsPerDay: 100_000 },
    });
    const run = await enrich(limited, {}, leads(trackedDomains(limited, 530)), {
      credentials: userCredential(limited, 'user', { requestsPerMinute: 600, maxBatchSize: 1 }),
    });

    expect(run.json(NAME)).toHaveLength(530);
    expect(limited.report().byStatus).toEqual({ 200: 530 });
    await limited.close();
  });
});

describe('a limit shared through Redis', () => {
  it('a Redis that cannot be reached is a warning, once, without its password; every row is there', async () => {
    const redisUrl = `redis://:5ecret@${new URL(await deserted()).host}`;
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 300)), {
      credentials: userCredential(sandbox, 'user', { redisUrl }),
    });

    expect(run.json(NAME)).toHaveLength(300);
    expect(run.error).toBeUndefined();
    const warning = expect.stringMatching(
      /Redis of the credential cannot be used \(.*ECONNREFUSED/,
    );
    const shown = run.hints(NAME).filter(({ type }) => type === 'warning');
    expect(shown).toEqual([expect.objectContaining({ message: warning })]);
    const logged = run.logs.filter(({ level }) => level === 'warn');
    expect(logged).toEqual([expect.objectContaining({ message: warning })]);
    expect(JSON.stringify([run.hints(NAME), run.logs])).not.toContain('5ecret');
  });
});
