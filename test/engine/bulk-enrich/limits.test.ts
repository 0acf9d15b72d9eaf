/** Bulk Enrich: batch size limits, credits and rate limits. */
import { deserted } from '../../src/client/support/service';
import {
  enrich,
  leads,
  NAME,
  trackedDomains,
  useFreshSandbox,
  userCredential,
} from './bulk-enrich';

const sandbox = useFreshSandbox({ companies: 1000 });

const onError = 'continueErrorOutput' as const;

describe('when credits run out', () => {
  it('says how many credits are missing and names the first item with Stop', async () => {
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 60)), {
      credentials: userCredential(sandbox, 'nearlyOut'),
    });

    expect(run.error).toMatchObject({ httpCode: '402', context: { itemIndex: 0 } });
    expect(run.error?.message).toBe(
      'Not enough credits: the request needs 60 credits, 35 more than you have',
    );
    expect(run.error?.description).toMatch(/Only First Companies.*with Spend Remaining Credits/);
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });
  });

  it('retries with as many rows as the balance covers with Spend Remaining Credits', async () => {
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
    // The hint does not recommend Spend Remaining Credits, because that option is already on.
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
  it('releases the credits reserved for companies that are not tracked', async () => {
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

describe('a limit shared through Redis', () => {
  it('warns once without the password and enriches all rows if Redis is unreachable', async () => {
    const redisUrl = `redis://:5ecret@${new URL(await deserted()).host}`;
    const run = await enrich(sandbox, {}, leads(trackedDomains(sandbox, 300)), {
      credentials: userCredential(sandbox, 'user', { redisUrl }),
    });

    expect(run.json(NAME)).toHaveLength(300);
    expect(run.error).toBeUndefined();
    const warning = expect.stringMatching(/Can't use the credential's Redis \(.*ECONNREFUSED/);
    const shown = run.hints(NAME).filter(({ type }) => type === 'warning');
    expect(shown).toEqual([expect.objectContaining({ message: warning })]);
    const logged = run.logs.filter(({ level }) => level === 'warn');
    expect(logged).toEqual([expect.objectContaining({ message: warning })]);
    expect(JSON.stringify([run.hints(NAME), run.logs])).not.toContain('5ecret');
  });
});
