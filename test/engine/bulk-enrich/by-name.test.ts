/** Rows without a usable domain, for which Bulk Enrich finds the company by its name. */
import { readFileSync } from 'node:fs';

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { WorkflowRun } from '../harness';
import type { NodeSettings } from '../shared/service';
import { enrich, enrichmentOf, NAME, trackedDomains, useSandbox } from './bulk-enrich';

const sandbox = useSandbox({ reportSize: 200 });

/**
 * Returns a company by ID. In the local service, every 250th company has the name of the one 125
 * before it.
 */
const company = (id: number) => sandbox.world.companies[id - 1]!;
const alone = (id: number) => ({ name: company(id).name, company: '' });

async function run(
  rows: readonly IDataObject[],
  options: IDataObject = {},
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
): Promise<WorkflowRun> {
  const byName = { companyName: '={{ $json.name }}', companyCountry: '={{ $json.country }}' };
  const given = { ...byName, ...parameters, options } as INodeParameters;
  return await enrich(sandbox, given, rows, settings);
}

const resultsOf = (execution: WorkflowRun) => execution.json(NAME).map(enrichmentOf);
const hintOf = (execution: WorkflowRun) => execution.messages(NAME).join(' ');
const searches = () =>
  sandbox.report().recent.filter(({ path }) => path.startsWith('/v1/companies?'));

it('chooses between companies with the same name by country, or returns candidates', async () => {
  const [one, other] = [company(125), company(250)];
  const execution = await run([
    alone(125),
    { ...alone(125), country: other.country },
    { ...alone(125), country: `Springfield, ${other.country}` },
  ]);

  const candidate = `${one.name} (${one.primaryDomain}, ${one.country})`;
  expect(resultsOf(execution)).toMatchObject([
    { status: 'ambiguous', candidates: expect.stringContaining(candidate) },
    { domain: other.primaryDomain, status: 'tracked', matched_by: 'name' },
    { domain: other.primaryDomain, status: 'tracked', matched_by: 'name' },
  ]);
  expect(searches()).toMatchObject([{ path: expect.stringContaining('include=firmographics') }]);
});

it.each([
  ['its country contradicts', 'TEN', 'Iceland', 3, 'ambiguous', 'in "NATION", not in "Iceland"'],
  ['another one was not read', 'TWIN', undefined, 1, 'ambiguous', '2 .*, of which 1 were read'],
  ['more than those read match', 'Amber', undefined, 2, 'unknown', 'None of the 2 .*"Amber"'],
])(
  'buys no company after one search when %s',
  async (_what, text, country, most, status, message) => {
    const name = text.replace('TEN', company(10).name).replace('TWIN', company(125).name);
    const execution = await run([{ name, country }], { candidatesPerName: most });

    const said = expect.stringMatching(message.replace('NATION', company(10).country));
    expect(resultsOf(execution)).toMatchObject([{ status, message: said }]);
    expect(sandbox.report()).toMatchObject({ requests: 1, charged: text === 'Amber' ? 2 : 1 });
    expect(hintOf(execution).includes('raise Candidates per Name')).toBe(status === 'unknown');
  },
);

it('searches no name whose country is not understood, and counts these rows', async () => {
  const countries = ['Atlantis', ['Germany', 'France'], { id: 7 }];
  const execution = await run(countries.map((country) => ({ ...alone(125), country })));

  const message = expect.stringContaining('is not the name of one country');
  const row = expect.objectContaining({ status: 'ambiguous', message });
  expect(resultsOf(execution)).toEqual([row, row, row]);
  expect(sandbox.report().requests).toBe(0);
  expect(hintOf(execution)).toContain('Country was not understood in 3 rows, which cost nothing');
});

it('searches no total row, header or person, unless another field shows a company', async () => {
  const texts = ['Summe', 'Firma', '250', '2026-01-01', 'Privat', 'Freelancer'];
  const rows = [
    ...texts.map((name) => ({ company: '', name })),
    { company: 'Privat', name: 'Privat' },
    { company: 'https://x.com/total', name: 'Total' },
  ];
  const execution = await run(rows);

  const reasons = resultsOf(execution).map(({ reason, message }) => [reason, message]);
  expect(reasons.slice(0, -1)).toEqual([
    ...texts
      .slice(0, 4)
      .map((text) => ['no_company', `"${text}" looks like a total row or a header`]),
    ...['Privat', 'Freelancer', 'Privat'].map((text) => ['no_company', `"${text}" is no company`]),
  ]);
  expect(searches()).toMatchObject([{ path: expect.stringContaining('q=Total') }]);
});

it('suggests the closest name if none is equal', async () => {
  const { name, primaryDomain } = company(10);
  const part = name.slice(0, -1);
  const execution = await run([part, 'Zzyzx Unheard Of'].map((one) => ({ name: one })));

  const found = resultsOf(execution);
  expect(found.map(({ status }) => status)).toEqual(['not_tracked', 'not_tracked']);
  expect(found.map(({ message }) => message)).toEqual([
    `The service tracks no company named "${part}". The closest match is "${name}" (${primaryDomain})`,
    'The service tracks no company named "Zzyzx Unheard Of"',
  ]);
  expect(found[0]?.['candidates']).toBe(`${name} (${primaryDomain})`);
});

it.each(['enrichCompanies', 'enrichPartnerships'])(
  '%s looks up a company once when one row has its domain and another only its name',
  async (operation) => {
    const { name, primaryDomain } = company(10);
    // A row with a domain needs no search by its name.
    const rows = [{ company: primaryDomain, name: company(11).name }, { name }];
    const execution = await run(rows, {}, { operation });

    expect(resultsOf(execution).map(({ domain, matched_by }) => [domain, matched_by])).toEqual([
      [primaryDomain, 'domain'],
      [primaryDomain, 'name'],
    ]);
    expect(searches()).toMatchObject([{ path: expect.not.stringContaining('firmographics') }]);
    expect(sandbox.report().requests).toBe(2);
  },
);

it('counts a company that was found by name once when its partners are read', async () => {
  const include = ['partnerships'];
  const execution = await run([alone(10), alone(11)], {}, { include });

  expect(hintOf(execution)).toContain('2 of 2 companies are tracked');
  expect(execution.customData['company_intelligence_companies_found']).toBe('2');
});

it('counts names and their candidates in Estimate Cost', async () => {
  const rows = [alone(10), alone(11), alone(11), { company: trackedDomains(sandbox, 1)[0] }];
  const [estimated] = (await run(rows, {}, { operation: 'estimateCost' })).json(NAME);

  expect(estimated).toMatchObject({
    rows: 4,
    distinct_companies: 3,
    duplicate_rows: 1,
    rows_without_domain: 0,
    credits_at_most: 7,
  });
  expect(sandbox.report().requests).toBe(0);
});

it('returns the expected company for each of 100 names that people wrote, for up to 3 credits each', async () => {
  const file = readFileSync('examples/data/company-names.csv', 'utf8');
  const rows: Array<Record<string, string>> = parse(file, { columns: true });
  const given = rows.map(({ company: name, ...row }) => ({ ...row, name }));
  const execution = await run(given, {}, { include: ['firmographics'] });

  expect(
    execution.json(NAME).map((json) => {
      const { status, domain = '' } = enrichmentOf(json);
      return [json['name'], status, domain];
    }),
  ).toEqual(rows.map((row) => [row['company'], row['right_status'], row['right_domain']]));
  // Each of the 94 distinct names needs one search, which costs 1 credit per returned company.
  // Another request looks up all companies found, which the searches have paid for.
  const { recent, requests } = sandbox.report();
  expect([searches().length, requests]).toEqual([94, 94 + 1]);
  expect(searches().filter(({ charged }) => charged > 3)).toEqual([]);
  expect(recent.filter(({ method }) => method === 'POST')).toMatchObject([{ charged: 0 }]);
});

const RUNS = process.env['FULL'] === '1' ? 500 : 60;

it(`never costs more than Max Credits or the estimate, in ${String(RUNS)} random runs`, async () => {
  const ids = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(125, 250, 375, 500));
  const row = fc.oneof(
    ids.map((id) => alone(id)),
    ids.map((id) => ({ name: `${company(id).name} GmbH`, country: company(id).country })),
    ids.map((id) => ({ company: company(id).primaryDomain })),
    fc.constantFrom({ name: 'Amber' }, { name: 'Bay' }, { name: 'Nobody Is Called So' }, {}),
  );
  const given = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 15 }),
    candidatesPerName: fc.integer({ min: 1, max: 6 }),
    maxCredits: fc.nat(25),
    balance: fc.constantFrom(1000, 1000, 6),
    operation: fc.constantFrom('enrichCompanies', 'enrichPartnerships'),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, balance, operation, ...options }) => {
      sandbox.reset();
      sandbox.setKey('user', { credits: balance });
      const [estimated = {}] = (await run(rows, options, { operation: 'estimateCost' })).json(NAME);
      const settings = { onError: 'continueRegularOutput' } as const;
      const execution = await run(rows, options, { operation }, settings);
      const { charged } = sandbox.report();
      const { customData } = execution;

      expect(execution.json(NAME)).toHaveLength(rows.length);
      expect(charged).toBeLessThanOrEqual(
        Number(customData['company_intelligence_credits_at_most'] ?? 0),
      );
      expect(charged).toBeLessThanOrEqual(Number(estimated['credits_at_most']));
      if (options.maxCredits > 0) expect(charged).toBeLessThanOrEqual(options.maxCredits);
    }),
    { numRuns: RUNS },
  );
}, 300_000);
