/**
 * Credit limits in every node: a node's Max Credits, and a credential's limits per run, day and
 * month.
 */
import type { IDataObject } from 'n8n-workflow';

import { callTool, given, resultsIn } from '../agents/tool';
import { PolledWorkflow } from '../harness';
import { errorItemOf } from './error-items';
import { byId, running } from './nodes';
import { BILLED_READS, runCase, type CaseChange } from './operations';
import { packageNode, trackedDomains, useFreshSandbox, userCredential } from './service';

const sandbox = useFreshSandbox();

const settings = { onError: 'continueErrorOutput' } as const;
const withCaps = (fields: IDataObject) => userCredential(sandbox, 'user', fields);
const bulkEnrich = running('bulkEnrich', 'Bulk Enrich', {
  domain: '={{ $json.company }}',
  include: [],
});
const rowsOf = (domains: readonly string[]) => domains.map((company) => ({ company }));

const ofRun = (most: number) =>
  new RegExp(`^Skipped because it could exceed this run's limit of ${String(most)} credits?$`);
const ofDay = () =>
  /Max Credits per Day in the credential leaves \d+ of \d+ credits and resets in \d+ \w+, at (?:\S+ )?05:30 Asia\/Kolkata \((?:\S+ )?00:00 UTC\)/;

const LIMITS: Readonly<Record<string, (most: number) => CaseChange & { message: RegExp }>> = {
  'Max Credits': (most) => ({ options: { maxCredits: most }, message: ofRun(most) }),
  'Max Credits per Run': (most) => {
    return { credentials: withCaps({ maxCreditsPerRun: most }), message: ofRun(most) };
  },
  'Max Credits per Day': (most) => {
    const caps = { maxCreditsPerDay: most, maxCreditsPerMonth: 1_000_000 };
    return { credentials: withCaps(caps), message: ofDay() };
  },
};

describe.each(Object.entries(LIMITS))('%s', (_name, limitTo) => {
  it.each(BILLED_READS)('$title sends no request that could exceed it', async (one) => {
    const { credits, requests = 1, atMost = credits } = one;
    const { message, ...change } = limitTo(atMost);
    const run = await runCase(sandbox, one, one.items(sandbox), {
      timezone: 'Asia/Kolkata',
      ...settings,
      ...change,
    });

    expect(sandbox.report()).toMatchObject({ requests, charged: credits });
    expect([...new Set(run.traced(0))]).toEqual([0]);
    expect(run.traced(1)).toEqual([1, 2]);
    const refused = errorItemOf('max_credits_reached', expect.stringMatching(message), {
      hint: expect.stringContaining('Max Credits'),
    });
    expect(run.json(one.name, 1)).toMatchObject([refused, refused]);
  });
});

it('keeps simultaneous executions together within Max Credits per Month', async () => {
  const domains = trackedDomains(sandbox, 240);
  const credentials = withCaps({ maxCreditsPerMonth: 100 });
  const runs = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map(
      async (part) =>
        await bulkEnrich(sandbox, {}, rowsOf(domains.slice(30 * part, 30 * part + 30)), {
          credentials,
          ...settings,
        }),
    ),
  );

  const [answered = 0, refused = 0] = [0, 1].map((output) =>
    runs.reduce((sum, run) => sum + run.json('Bulk Enrich', output).length, 0),
  );
  // On a slow machine, a response can arrive too late. Its credits then count, but it has no row.
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThanOrEqual(100);
  expect(answered + refused).toBe(240);
  expect(sandbox.report().charged).toBeLessThanOrEqual(100);
});

it('applies a cap to all nodes that use the key', async () => {
  const credentials = withCaps({ maxCreditsPerDay: 4 });
  const [company = '', other = ''] = trackedDomains(sandbox, 2);
  const users = { operation: 'getByTechnology', techKey: byId(given('key')) };
  const answer = await callTool(sandbox, 'techUsers', users, { key: 'hubspot' }, { credentials });
  expect(resultsIn(answer)).toHaveLength(4);
  expect(sandbox.report().charged).toBe(4);
  const { requests } = sandbox.report();

  const request = { path: `companies/${company}` };
  const refused = await running('apiRequest', 'API Request')(sandbox, request, [{}], {
    credentials,
  });
  expect(refused.error?.message).toContain('Max Credits per Day');
  const trigger = new PolledWorkflow({
    node: packageNode('accountChangesTrigger', { domains: other }),
    credentials,
  });
  await expect(trigger.activate()).rejects.toThrow('Max Credits per Day');
  expect(sandbox.report()).toMatchObject({ requests, charged: 4 });
});

it.each(['Day', 'Month', 'Run'])(
  'fails without a request when Max Credits per %s is not a number',
  async (span) => {
    const credentials = withCaps({ [`maxCreditsPer${span}`]: 'ten' });
    const run = await bulkEnrich(sandbox, {}, rowsOf(trackedDomains(sandbox, 1)), { credentials });
    expect(run.error?.message).toContain(`Max Credits per ${span}`);
    expect(sandbox.report().requests).toBe(0);
  },
);
