/** Credits in every billed read: Max Credits, Max Credits per Run, and a balance that runs out. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { RUN_CONCURRENT } from '../../../src/client/settings';
import { running } from './nodes';
import { BILLED_READS, runCase } from './operations';
import { sentTo, trackedDomains, useFreshSandbox, userCredential } from './service';

const sandbox = useFreshSandbox();

describe.each(BILLED_READS)('$title', (one) => {
  // The goldens have Max Credits of the node, with each On Error setting.
  it('skips the items that Max Credits per Run of the credential does not cover', async () => {
    const { credits, atMost } = one;
    const credentials = userCredential(sandbox, 'user', { maxCreditsPerRun: atMost });
    const run = await runCase(sandbox, one, one.items(sandbox), { credentials });

    expect(sandbox.report()).toMatchObject({ requests: 1, charged: credits });
    expect(run.traced(0).filter((item) => item !== 0)).toEqual([1, 2]);
    const said = `Max Credits per Run (${String(atMost)}) of the credential`;
    const skipped = { status: 'skipped', message: `Not looked up: ${said} was reached` };
    expect(run.json(one.name).slice(-2)).toMatchObject([skipped, skipped]);
  });

  it('states each figure once when credits run out', async () => {
    const run = await runCase(sandbox, one, one.items(sandbox).slice(0, 1), {
      credentials: userCredential(sandbox, 'empty'),
    });
    const { message = '', description } = run.error ?? {};
    const said = `${message} ${String(description)}`;

    expect(said.match(/\d+/g)).toHaveLength(2);
    expect(said.match(/Retrying does not help/g)).toHaveLength(1);
  });
});

describe('Max Credits covers what items really cost, although they could cost more', () => {
  /** Companies with 1 to 3 partners. */
  const withFewPartners = () =>
    sandbox.world.companies
      .filter((_company, at) => [1, 2, 3].includes(sandbox.world.partnershipsOf[at]!.length))
      .map(({ primaryDomain }) => primaryDomain);
  const unknown = () => Array.from({ length: 60 }, (_unused, at) => `unknown-${String(at)}.com`);
  const names = () => sandbox.world.companies.slice(0, 40).map(({ name }) => name);
  const identifier = '={{ $json.text }}';

  it.each<[string, string, INodeParameters, () => string[], maxCredits: number]>([
    ['Company Lookup', 'companyLookup', { identifier }, unknown, 5],
    [
      'Partner Graph',
      'partnerGraph',
      { operation: 'getPartners', identifier },
      withFewPartners,
      500,
    ],
    ['Partner Graph', 'partnerGraph', { operation: 'getGraph', identifier }, withFewPartners, 500],
    [
      'Bulk Enrich',
      'bulkEnrich',
      { domain: '={{ $json.domain }}', companyName: identifier },
      names,
      50,
    ],
  ])('%s (%s, %j)', async (name, type, parameters, texts, maxCredits) => {
    const items = texts().map((text) => ({ text, domain: '' }));
    const all = { ...parameters, options: { maxCredits } };
    const run = await running(type, name)(sandbox, all, items.slice(0, 60), {
      onError: 'continueRegularOutput',
    });

    expect(run.error).toBeUndefined();
    expect(JSON.stringify(run.json(name))).not.toMatch(/max_credits|was reached/);
    expect(sandbox.report().charged).toBeLessThanOrEqual(maxCredits);
  });
});

const COUNT = 300;

/** Looks up 300 companies, each with its own request. By default, the key has 25 credits. */
async function lookUpMany(onError: 'continueErrorOutput' | 'stopWorkflow', fields = {}) {
  const items = trackedDomains(sandbox, COUNT).map((company) => ({ company }));
  const parameters = { identifier: '={{ $json.company }}' };
  return await running('companyLookup', 'Company Lookup')(sandbox, parameters, items, {
    onError,
    credentials: userCredential(sandbox, 'nearlyOut', fields),
  });
}

it('fails without a request when Max Credits per Run is not a number', async () => {
  const run = await lookUpMany('stopWorkflow', { maxCreditsPerRun: 'ten' });

  expect(run.error?.message).toContain('Max Credits per Run');
  expect(sandbox.report().requests).toBe(0);
});

it('skips the remaining items after a 402, and keeps the items already paid for', async () => {
  const run = await lookUpMany('continueErrorOutput');
  const failed = run.json('Company Lookup', 1);
  const codes = failed.map(({ error }) => (error as IDataObject)['code']);
  const skipped = codes.filter((code) => code !== 'credit_exhausted');

  expect(run.json('Company Lookup', 0)).toHaveLength(25);
  expect(sandbox.report().charged).toBe(25);
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
  expect(new Set(skipped)).toEqual(new Set(['not_attempted']));
  expect(skipped.length).toBeGreaterThanOrEqual(COUNT - 25 - RUN_CONCURRENT);
  expect(run.traced(0)).toHaveLength(25);
  expect([...run.traced(0), ...run.traced(1)].sort((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: COUNT }, (_unused, id) => id),
  );
  expect(failed.map((json) => json['id'])).toEqual(run.traced(1));
  expect(failed.at(-1)).toMatchObject({
    message: expect.stringMatching(/^Not sent because an earlier request failed/),
    error: {
      cause: 'credit_exhausted',
      hint: expect.stringContaining('Nothing was sent or charged'),
    },
  });

  sandbox.setKey('nearlyOut', { credits: 1000 });
  const again = await lookUpMany('continueErrorOutput');
  expect(again.json('Company Lookup', 0)).toHaveLength(COUNT);
});

it('names the first item that the service refused when On Error is Stop', async () => {
  const run = await lookUpMany('stopWorkflow');

  const refused = sentTo(sandbox).filter(({ status }) => status === 402);
  const companies = trackedDomains(sandbox, COUNT).map((company) => `/v1/companies/${company}`);
  expect(run.error).toMatchObject({ httpCode: '402' });
  expect(run.error?.context['itemIndex']).toBe(
    Math.min(...refused.map(({ path }) => companies.indexOf(path))),
  );
  expect(sandbox.report().requests).toBeLessThanOrEqual(25 + RUN_CONCURRENT);
  expect(run.customData).toMatchObject({
    company_intelligence_credits_at_most: '25',
    company_intelligence_requests: String(sandbox.report().requests),
    company_intelligence_rows: '0',
  });
  expect(run.error?.message).toBe(
    'Not enough credits: the request needs 1 credit, the balance covers 0, and the rest of the run can need more (Estimate Cost says how much)',
  );
  expect(run.error?.description).toContain('Spent before this error: up to 25 credits');
});
