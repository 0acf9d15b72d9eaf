/**
 * Output and Simplify: results next to the fields of a row or in its columns, with the same values
 * in every node.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, runNode } from './nodes';
import { createList } from '../list-members/list-members';
import { useSandbox, trackedDomains } from './service';

const sandbox = useSandbox();
const NAMES: Record<string, string> = {
  bulkEnrich: 'Bulk Enrich',
  companyLookup: 'Company Lookup',
  listMembers: 'List Members',
  refreshAndWait: 'Refresh and Wait',
};
const OF_ITEM = '={{ $json.company }}';

async function run(
  type: string,
  parameters: INodeParameters,
  items: readonly IDataObject[],
  options: INodeParameters = {},
) {
  const given = { ...parameters, options: { output: 'columns', ...options } };
  const name = NAMES[type] ?? '';
  const result = await runNode(sandbox, type, given, items, { onError: 'continueRegularOutput' });
  expect(result.error).toBeUndefined();
  return { rows: result.json(name), hints: result.messages(name) };
}

const leads = (): IDataObject[] => [
  { id: 1, company: trackedDomains(sandbox, 1)[0] ?? '', industry: 'of the row' },
  { id: 2, company: 'nobody-tracks-this.com' },
  { id: 3, company: 'no domain' },
];

/** Operations that write the same columns for every kind of row. */
const LOOKUPS: ReadonlyArray<[string, INodeParameters, INodeParameters]> = [
  ['bulkEnrich', { domain: OF_ITEM }, {}],
  ['bulkEnrich', { operation: 'enrichPartnerships', domain: OF_ITEM }, {}],
  ['companyLookup', { identifier: OF_ITEM }, {}],
  ['companyLookup', { identifier: OF_ITEM }, { ifNotFound: 'item' }],
  ['listMembers', { operation: 'addDomains', domain: OF_ITEM }, {}],
];

it.each<[string, INodeParameters, INodeParameters]>([
  ...LOOKUPS,
  ['bulkEnrich', { operation: 'normalizeDomains', domain: OF_ITEM }, {}],
])('%s %j %j gives the same sheet after three runs as one', async (type, parameters, options) => {
  const [first = '', second = ''] = trackedDomains(sandbox, 2);
  const listId = byId(await createList(sandbox));
  const given = type === 'listMembers' ? { ...parameters, listId } : parameters;
  const runs = [
    ['no domain', first, 'nobody-tracks-this.com', second],
    ['', '', 'jo@gmail.com', first],
    [first, 'nobody-tracks-this.com', second, 'no domain'],
  ];
  const own = (domains: readonly string[] = []) =>
    domains.map((company, id) => ({ id, company, enriched_by: 'Jo', list_name: 'Autumn' }));
  let sheet: IDataObject[] = own(runs[0]);
  for (const domains of runs) {
    const changed = sheet.map((row, id) => ({ ...row, company: domains[id] ?? '' }));
    sheet = (await run(type, given, changed, options)).rows;
  }
  const fresh = (await run(type, given, own(runs[2]), options)).rows;

  expect(sheet).toEqual(fresh);
  const columns = [...sheet, ...fresh].map((row) => Object.keys(row).join());
  expect(new Set(columns).size).toBe(1);
  expect(sheet[0]).toMatchObject({ enriched_by: 'Jo', list_name: 'Autumn' });
});

const isFlat = (row: IDataObject) =>
  Object.values(row).every((cell) => cell === null || typeof cell !== 'object');

it('Bulk Enrich adds all data of a company as columns next to the fields of its row', async () => {
  const { rows } = await run('bulkEnrich', { domain: OF_ITEM }, leads());

  expect(rows).toMatchObject([
    {
      ...leads()[0],
      enriched_status: 'tracked',
      enriched_industry: expect.any(String),
      enriched_technology_names: expect.any(String),
    },
    { ...leads()[1], enriched_status: 'not_tracked' },
    { ...leads()[2], enriched_status: 'invalid', enriched_reason: 'placeholder' },
  ]);
  expect(rows.every(isFlat)).toBe(true);
});

describe('columns of a sheet', () => {
  const none: IDataObject[] = [
    { id: 1, company: '' },
    { id: 2, company: 'no domain' },
  ];
  const some = (): IDataObject[] => [
    { id: 1, company: trackedDomains(sandbox, 1)[0] ?? '' },
    { id: 2, company: 'no domain' },
  ];
  const columnsOf = (rows: readonly IDataObject[]) => rows.map((row) => Object.keys(row));

  it.each<[string, INodeParameters, INodeParameters]>([
    ...LOOKUPS,
    ['bulkEnrich', { domain: OF_ITEM, include: ['partnerships'] }, { companyName: '' }],
    ['bulkEnrich', { domain: OF_ITEM }, { technologyColumns: 'hubspot' }],
    ['refreshAndWait', { domain: OF_ITEM }, { waitMode: 'inExecution' }],
    ['refreshAndWait', { domain: OF_ITEM }, { onlyIfOlderThanDays: 1 }],
  ])('are the same when no company is known: %s %j %j', async (type, parameters, options) => {
    sandbox.setChoices({ jobSeconds: { first: 0, last: 0 } });
    const listId = byId(await createList(sandbox));
    const given = type === 'listMembers' ? { ...parameters, listId } : parameters;
    const first = await run(type, given, some(), options);
    const without = await run(type, given, none, options);
    const again = await run(
      type,
      given,
      without.rows.map((row, id) => ({ ...row, ...some()[id] })),
      options,
    );

    expect(new Set(columnsOf([...first.rows, ...without.rows]).map(String)).size).toBe(1);
    const keys = columnsOf(first.rows)[0] ?? [];
    expect(keys.length).toBeGreaterThan(7);
    expect(columnsOf(again.rows)[0]).toEqual(keys);
    expect(first.rows.every(isFlat)).toBe(true);
    expect(Object.values(without.rows[0] ?? {})).not.toContain(undefined);
  });
});

it('outputs the same values for a company in every node', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const list = await createList(sandbox, 0);
  const options = { output: 'result', technologyColumns: 'hubspot, google-analytics' };
  const cases: ReadonlyArray<readonly [name: string, type: string, parameters: INodeParameters]> = [
    ['Bulk Enrich', 'bulkEnrich', { domain, options }],
    ['Company Lookup', 'companyLookup', { identifier: domain, options }],
    [
      'Company Lookup',
      'companyLookup',
      { operation: 'getMany', returnAll: true, include: ['firmographics'] },
    ],
    ['List Members', 'listMembers', { listId: byId(list), returnAll: true }],
  ];
  const rows: Array<IDataObject | undefined> = [];
  for (const [name, type, parameters] of cases) {
    const items = (await runNode(sandbox, type, parameters)).json(name);
    rows.push(items.find((row) => row['domain'] === domain));
  }

  const [first, second, third, member] = rows;
  const name = { domain, company_name: first?.['company_name'] };
  const { industry, employee_range, country } = first ?? {};
  expect([...Object.values(name), industry, employee_range, country]).not.toContain(undefined);
  for (const row of [first, second, third]) {
    expect(row).toMatchObject({ ...name, industry, employee_range, country });
  }
  expect(member).toMatchObject(name);
  for (const column of ['technology_names', 'has_hubspot', 'has_google_analytics']) {
    expect(first).toHaveProperty(column);
    expect(second?.[column]).toBe(first?.[column]);
  }
});

it('Company Lookup keeps all fields with If Not Found and another result field', async () => {
  const parameters = {
    identifier: OF_ITEM,
    options: { ifNotFound: 'item', resultField: 'looked_up' },
  };
  const [known, unknown] = leads();
  const result = await runNode(sandbox, 'companyLookup', parameters, [unknown!, known!]);

  expect(result.json('Company Lookup')).toMatchObject([
    { ...unknown, looked_up: { found: false } },
    { ...known, looked_up: { found: true, domain: known?.['company'] } },
  ]);
});

it.each<[unknown, boolean]>([
  ['mine', true],
  [{ note: 'mine' }, true],
  [{ domain: 'acme.com', status: 'tracked' }, false],
  [null, false],
])('warns when the result replaces the input field %j: %s', async (enrichment, warns) => {
  const item = { company: trackedDomains(sandbox, 1)[0] ?? '', enrichment } as IDataObject;
  const { hints } = await run('bulkEnrich', { domain: OF_ITEM }, [item], { output: 'merge' });
  expect(hints.join().includes('replaced the input field "enrichment" of 1 item')).toBe(warns);
});
