/** Costs that Bulk Enrich reports before and after a run, compared with what the service billed. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { WorkflowRun } from '../harness';
import { ask, runNode } from '../shared/nodes';
import type { NodeSettings } from '../shared/service';
import {
  enrich,
  enrichmentOf,
  leads,
  NAME,
  ON_ERROR,
  useSandbox,
  trackedDomains,
  userCredential,
} from './bulk-enrich';

const sandbox = useSandbox({ reportSize: 50 });

async function run(
  companies: readonly string[],
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
  fields: IDataObject = {},
): Promise<WorkflowRun> {
  const credentials = userCredential(sandbox, 'user', fields);
  return await enrich(sandbox, parameters, leads(companies), { ...settings, credentials });
}

/** Returns a figure that the run stored in its execution. */
const spent = ({ customData }: WorkflowRun, figure: string) =>
  Number(customData[`company_intelligence_${figure}`] ?? 0);

const estimate = async (companies: readonly string[], parameters = {}, fields = {}) => {
  const result = await run(companies, { operation: 'estimateCost', ...parameters }, {}, fields);
  return result.json(NAME)[0] ?? {};
};

it('costs 1 credit per tracked company and up to 1 per partner with partnerships', async () => {
  const tracked = trackedDomains(sandbox, 20);
  const result = await run([...tracked, 'nobody-tracks-this.com'], { include: ['partnerships'] });

  const { partnerships, partnershipsOf } = sandbox.world;
  const indexes = tracked.map((_domain, position) => partnershipsOf[position] ?? []);
  const counts = result.json(NAME).map((item) => enrichmentOf(item)['partnership_count']);
  expect(counts.slice(0, 20)).toEqual(indexes.map((one) => one.length));
  expect(indexes.flat().length).toBeGreaterThan(20);
  // The service bills each company once.
  const pairs = indexes.flat().flatMap((index) => [partnerships[index]!.a, partnerships[index]!.b]);
  expect(sandbox.report().charged).toBe(new Set([...tracked.keys(), ...pairs]).size);
  expect(spent(result, 'credits_at_most')).toBe(20 + indexes.flat().length);
});

it('counts partners against Max Credits also for companies that a search by name has read', async () => {
  const { companies, partnershipsOf } = sandbox.world;
  const names = companies.filter((_one, at) => partnershipsOf[at]!.length === 3).slice(0, 20);
  const rows = names.map(({ name }) => ({ company: '', name }));
  const parameters = {
    companyName: '={{ $json.name }}',
    include: ['partnerships'],
    options: { candidatesPerName: 1, maxCredits: 30 },
  };
  const result = await enrich(sandbox, parameters, rows);

  const { charged } = sandbox.report();
  expect(charged).toBeGreaterThan(20);
  expect(spent(result, 'credits_at_most')).toBeGreaterThanOrEqual(charged);
  expect(result.json(NAME).map((json) => json['enriched_status'])).toContain('skipped');
});

describe('Estimate Cost', () => {
  it('counts rows, companies and credits without a request', async () => {
    const tracked = trackedDomains(sandbox, 250);
    const rows = [...tracked, ...tracked.slice(0, 50), 'maria@gmail.com', 'n/a', ''];

    expect(await estimate(rows)).toEqual({
      rows: 303,
      distinct_companies: 250,
      duplicate_rows: 50,
      rows_without_domain: 3,
      reasons: { free_mail: 1, placeholder: 1, empty: 1 },
      credits_at_most: 250,
      note: expect.stringContaining('in the last 30 days'),
    });
    expect(sandbox.report().requests).toBe(0);
  });

  it('applies the limits of the credential and Max Credits', async () => {
    const tracked = trackedDomains(sandbox, 250);

    const limited = { distinct_companies: 250, credits_at_most: 20 };
    const options = { maxCredits: 20 };
    expect(await estimate(tracked, { options })).toMatchObject(limited);
    const own = { maxCreditsPerRun: 20 };
    expect(await estimate(tracked, {}, own)).toMatchObject(limited);
  });

  it('omits credits_at_most when partners may be charged', async () => {
    const result = await estimate(trackedDomains(sandbox, 2), { include: ['partnerships'] });

    expect(result).not.toHaveProperty('credits_at_most');
    expect(result['note']).toContain('Each partner');
  });
});

it('does not apply Max Credits per Run of the credential to a free operation', async () => {
  const parameters = { operation: 'startRefresh', domain: '={{ $json.company }}' };
  const rows = leads(trackedDomains(sandbox, 50));
  const result = await runNode(sandbox, 'refreshAndWait', parameters, rows, {
    credentials: userCredential(sandbox, 'user', { maxCreditsPerRun: 10 }),
  });

  expect(result.json('Refresh and Wait')).toMatchObject([{ domain_count: 50 }]);
});

it('says how many credits are missing, and spends the rest unless On Error is Stop', async () => {
  const rows = leads(trackedDomains(sandbox, 60));
  const credentials = userCredential(sandbox, 'nearlyOut');
  const { error } = await enrich(sandbox, {}, rows, { credentials });

  expect(error).toMatchObject({ httpCode: '402', context: { itemIndex: 0 } });
  expect(error?.message).toContain('the request needs 60 credits, the balance covers 25, and');
  expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });

  const rest = await enrich(sandbox, {}, rows, { onError: 'continueErrorOutput', credentials });

  expect(rest.json(NAME, 0).map((json) => json['id'])).toEqual([...rows.keys()].slice(0, 25));
  expect(rest.json(NAME, 1)).toHaveLength(35);
  expect(sandbox.credits('nearlyOut')).toBe(0);
  expect(sandbox.report().byStatus).toEqual({ 402: 2, 200: 1 });
});

describe.each(ON_ERROR)('rows that the credits do not cover, with %s', (onError) => {
  const places: ReadonlyArray<[said: string, options: IDataObject, fields: IDataObject]> = [
    ['Max Credits (60) of this node', { maxCredits: 60 }, { maxCreditsPerRun: 80 }],
    ['Max Credits per Run (60) of the credential', { maxCredits: 80 }, { maxCreditsPerRun: 60 }],
  ];

  it.each(places)('are skipped at %s, in input order', async (said, options, fields) => {
    const tracked = trackedDomains(sandbox, 100);
    const rows = ['nobody-tracks-this.com', ...tracked, '', tracked[0]!, tracked[99]!];
    const result = await run(rows, { options: options as INodeParameters }, { onError }, fields);

    const statuses = result.json(NAME).map((json) => enrichmentOf(json)['status']);
    const [found, left] = [Array<string>(60).fill('tracked'), Array<string>(40).fill('skipped')];
    expect(statuses).toEqual(['not_tracked', ...found, ...left, 'invalid', 'tracked', 'skipped']);
    expect(result.traced(0)).toEqual([...rows.keys()]);
    expect(enrichmentOf(result.json(NAME)[61]!)).toMatchObject({
      domain: tracked[60],
      reason: 'max_credits',
      message: `Not looked up: ${said} was reached`,
    });
    expect(sandbox.report().charged).toBe(60);
    const warning = result.messages(NAME).filter((message) => message.startsWith('Skipped'));
    expect(warning).toEqual([
      expect.stringMatching(/^Skipped 41 of 104 rows\. .*filter on `enriched_status`\.$/),
    ]);
  });

  it('are skipped by name after those with a domain', async () => {
    const names = sandbox.world.companies.slice(0, 30).map(({ name }) => name);
    const items = names.map((name, at) =>
      at % 3 === 2 ? { company: trackedDomains(sandbox, 30)[at]! } : { company: '', name },
    );
    const options = { candidatesPerName: 1, maxCredits: 15 };
    const parameters = { companyName: '={{ $json.name }}', options };
    const result = await enrich(sandbox, parameters, items, { onError });

    const isSkipped = result.json(NAME).map((json) => enrichmentOf(json)['status'] === 'skipped');
    expect(isSkipped.slice(0, 7)).not.toContain(true);
    expect(isSkipped.filter((_skipped, at) => at % 3 === 2)).not.toContain(true);
    expect(isSkipped.filter(Boolean).length).toBeGreaterThan(10);
    expect(sandbox.report().charged).toBeLessThanOrEqual(15);
  });
});

const RUNS = process.env['FULL'] === '1' ? 1000 : 200;

it(`bills within the estimate and the reported figures in ${String(RUNS)} random runs`, async () => {
  const tracked = trackedDomains(sandbox, 120);
  const company = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...tracked) },
    { weight: 2, arbitrary: fc.constantFrom(...tracked).map((one) => `jo@${one}`) },
    { weight: 1, arbitrary: fc.nat(40).map((at) => `unknown-${String(at)}.com`) },
    { weight: 1, arbitrary: fc.constantFrom('', 'n/a', 'jo@gmail.com', 'gmail.com', '10.0.0.1') },
  );
  const scenario = fc.record({
    rows: fc.array(company, { minLength: 1, maxLength: 40 }),
    partnerships: fc.boolean(),
    options: fc.record({ maxCredits: fc.nat(30) }, { requiredKeys: [] }),
    perRun: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 30 })),
    // Most keys have the usual ceiling. The service teaches another one by refusals.
    ceiling: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 20 })),
    // The estimate cannot know what other users read, how much time passes and what fails.
    readByOthers: fc.array(fc.constantFrom(...tracked), { maxLength: 20 }),
    daysLater: fc.constantFrom(0, 0, 29, 31),
    balance: fc.constantFrom(1000, 1000, 5),
    // Faults are rare, because the node waits before each retry and this takes time.
    fault: fc.oneof(
      { weight: 24, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('resetAfter' as const, 'truncatedJson' as const) },
    ),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      sandbox.reset();
      if (given.readByOthers.length > 0) {
        const read = { domains: given.readByOthers, include: [] };
        await ask(sandbox, 'POST', 'companies', read, 'colleague');
      }
      sandbox.advance(given.daysLater * 24 * 3600);
      sandbox.setKey('user', { credits: given.balance, batchCeiling: given.ceiling });
      const fields = { maxCreditsPerRun: given.perRun };
      const { rows, options, partnerships } = given;
      const estimateFor = partnerships ? 'partnerships' : 'companies';
      const estimated = await estimate(rows, { options, estimateFor }, fields);
      const before = sandbox.report();
      if (given.fault !== undefined) {
        sandbox.addFault({ preset: given.fault, match: { method: 'POST' }, when: 'first' });
      }
      const operation = partnerships ? 'enrichPartnerships' : 'enrichCompanies';
      const settings = { onError: 'continueRegularOutput' } as const;
      const result = await run(rows, { options, operation }, settings, fields);
      const after = sandbox.report();
      const billed = after.charged - before.charged;
      const creditsAtMost = spent(result, 'credits_at_most');
      const requests = spent(result, 'requests');

      const limits = [given.options.maxCredits ?? 0, given.perRun].filter((limit) => limit > 0);
      expect(billed).toBeLessThanOrEqual(Math.min(...limits));
      expect(estimated['credits_at_most']).toBeGreaterThanOrEqual(billed);
      expect(creditsAtMost).toBeGreaterThanOrEqual(billed);
      // A request whose response is lost may have been charged, and its companies are requested again.
      const times = given.fault === undefined ? 1 : 2;
      expect(creditsAtMost).toBeLessThanOrEqual(times * Number(estimated['credits_at_most']));
      expect(requests).toBe(after.requests - before.requests);
      expect(spent(result, 'rows')).toBe(requests === 0 ? 0 : estimated['rows']);
    }),
    { numRuns: RUNS },
  );
}, 600_000);
