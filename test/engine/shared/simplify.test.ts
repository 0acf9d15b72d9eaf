/** Simplify flattens companies, keeps the fields of leads and outputs no null. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, runNode } from './nodes';
import { createList } from '../list-members/list-members';
import { useSandbox, trackedDomains } from './service';

const company = '={{ $json.company }}';

const sandbox = useSandbox();
let domains: string[];
beforeAll(() => {
  domains = trackedDomains(sandbox, 2);
});

const run = runNode.bind(undefined, sandbox);

const leads = () => [
  { id: 0, company: 'nobody-tracks-this.com' },
  { id: 1, company: domains[0] ?? '' },
];

it('Bulk Enrich outputs flat rows, even when the first lead is not tracked', async () => {
  const parameters = {
    domain: company,
    options: { technologyColumns: 'hubspot, google-analytics' },
  };
  const result = await run('bulkEnrich', parameters, leads());
  const [unknown, known] = result.json('Bulk Enrich');

  expect(unknown).toEqual({
    id: 0,
    company: 'nobody-tracks-this.com',
    enrichment: expect.objectContaining({
      domain: 'nobody-tracks-this.com',
      status: 'not_tracked',
    }),
  });
  expect(Object.values(unknown?.['enrichment'] ?? {})).not.toContain(null);
  expect(known).toMatchObject({
    id: 1,
    enrichment: {
      domain: domains[0],
      status: 'tracked',
      company_name: expect.any(String),
      industry: expect.any(String),
      technology_count: expect.any(Number),
      technology_names: expect.any(String),
      has_hubspot: expect.any(Boolean),
      has_google_analytics: expect.any(Boolean),
    },
  });
});

it('outputs the same values for a company in every node', async () => {
  const [domain = ''] = domains;
  const list = await createList(sandbox, 0);
  const cases: ReadonlyArray<readonly [name: string, type: string, parameters: INodeParameters]> = [
    ['Bulk Enrich', 'bulkEnrich', { domain, options: { output: 'result' } }],
    ['Company Lookup', 'companyLookup', { identifier: domain, options: { output: 'result' } }],
    [
      'Company Lookup',
      'companyLookup',
      { operation: 'getMany', returnAll: true, include: ['firmographics'] },
    ],
    ['List Members', 'listMembers', { listId: byId(list), returnAll: true }],
  ];
  const rows: Array<IDataObject | undefined> = [];
  for (const [name, type, parameters] of cases) {
    const items = (await run(type, parameters)).json(name);
    rows.push(items.find((row) => row['domain'] === domain));
  }

  const [first, second, third, member] = rows;
  const name = { domain, company_name: first?.['company_name'] };
  const { industry, employee_range, country } = first ?? {};
  expect([industry, employee_range, country]).not.toContain(undefined);
  for (const row of [first, second, third]) {
    expect(row).toMatchObject({ ...name, industry, employee_range, country });
  }
  expect(member).toMatchObject(name);
  expect(second?.['technology_names']).toBe(first?.['technology_names']);
});

it('Company Lookup keeps the fields of each lead, even if its lookup fails', async () => {
  const kept = await run('companyLookup', { identifier: company }, leads(), {
    onError: 'continueRegularOutput',
  });
  const [unknown, known] = kept.json('Company Lookup');

  expect(known).toMatchObject({
    ...leads()[1],
    enrichment: { domain: domains[0], industry: expect.any(String) },
  });
  expect(known?.['enrichment']).toHaveProperty('technology_names');
  expect(unknown).toMatchObject({
    ...leads()[0],
    enrichment: { status: 'error', error: 'company_not_found' },
  });
});

it('Company Lookup keeps all fields with If Not Found and another result field', async () => {
  const options = { ifNotFound: 'item', resultField: 'looked_up' };
  const result = await run('companyLookup', { identifier: company, options }, leads());

  expect(result.json('Company Lookup')).toMatchObject([
    { ...leads()[0], looked_up: { found: false } },
    { ...leads()[1], looked_up: { found: true, domain: domains[0] } },
  ]);
});
