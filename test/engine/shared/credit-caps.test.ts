/** Credit limits in every node: a node's Max Credits, and a credential's Max Credits per Run. */
import type { IDataObject } from 'n8n-workflow';

import { errorItemOf } from './error-items';
import { running } from './nodes';
import { BILLED_READS, runCase, type CaseChange } from './operations';
import { trackedDomains, useFreshSandbox, userCredential } from './service';

const sandbox = useFreshSandbox();

const settings = { onError: 'continueErrorOutput' } as const;
const withCaps = (fields: IDataObject) => userCredential(sandbox, 'user', fields);
const bulkEnrich = running('bulkEnrich', 'Bulk Enrich', {
  domain: '={{ $json.company }}',
  include: [],
});
const rowsOf = (domains: readonly string[]) => domains.map((company) => ({ company }));

const ofRun = (most: number) =>
  new RegExp(`^Skipped because it could exceed Max Credits \\(${String(most)}\\)$`);
const LIMITS: Readonly<Record<string, (most: number) => CaseChange & { message: RegExp }>> = {
  'Max Credits': (most) => ({ options: { maxCredits: most }, message: ofRun(most) }),
  'Max Credits per Run': (most) => {
    return { credentials: withCaps({ maxCreditsPerRun: most }), message: ofRun(most) };
  },
};

describe.each(Object.entries(LIMITS))('%s', (_name, limitTo) => {
  it.each(BILLED_READS)('$title sends no request that could exceed it', async (one) => {
    const { credits, requests = 1, atMost = credits } = one;
    const { message, ...change } = limitTo(atMost);
    const run = await runCase(sandbox, one, one.items(sandbox), {
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

it('fails without a request when Max Credits per Run is not a number', async () => {
  const credentials = withCaps({ maxCreditsPerRun: 'ten' });
  const run = await bulkEnrich(sandbox, {}, rowsOf(trackedDomains(sandbox, 1)), { credentials });
  expect(run.error?.message).toContain('Max Credits per Run');
  expect(sandbox.report().requests).toBe(0);
});
