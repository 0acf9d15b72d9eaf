/** Output: Input Fields and Columns, by which results fill the columns of a sheet. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, runNode } from './nodes';
import { createList } from '../list-members/list-members';
import { useSandbox, trackedDomains } from './service';

const sandbox = useSandbox();
const NAMES: Record<string, string> = {
  bulkEnrich: 'Bulk Enrich',
  companyLookup: 'Company Lookup',
  listMembers: 'List Members',
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
  const hints = result.hints(name).map(({ message }) => message);
  return { rows: result.json(name), hints };
}

const leads = (): IDataObject[] => [
  { id: 1, company: trackedDomains(sandbox, 1)[0] ?? '', industry: 'of the row' },
  { id: 2, company: 'nobody-tracks-this.com' },
  { id: 3, company: 'no domain' },
];

it('a sheet that is enriched three times equals one that is enriched once', async () => {
  const [first = '', second = '', third = ''] = trackedDomains(sandbox, 3);
  const runs = [
    [first, second, 'nobody-tracks-this.com', 'no domain'],
    ['no domain', first, third, second],
    [second, 'nobody-tracks-this.com', first, third],
  ];
  const own = (domains: readonly string[]) => domains.map((company, id) => ({ id, company }));
  let sheet: IDataObject[] = own(runs[0] ?? []);
  for (const domains of runs) {
    const changed = sheet.map((row, id) => ({ ...row, company: domains[id] ?? '' }));
    sheet = (await run('bulkEnrich', { domain: OF_ITEM }, changed)).rows;
  }
  const fresh = (await run('bulkEnrich', { domain: OF_ITEM }, own(runs[2] ?? []))).rows;

  expect(JSON.stringify(sheet)).toBe(JSON.stringify(fresh));
  expect(new Set(sheet.map((row) => Object.keys(row).join())).size).toBe(1);
  expect(Object.keys(sheet[0] ?? {}).slice(0, 4)).toEqual([
    ...['id', 'company', 'enriched_domain', 'enriched_status'],
  ]);
  expect(sheet[0]).toMatchObject({ enriched_employees_min: expect.any(Number) });
});

const isFlat = (row: IDataObject) =>
  Object.values(row).every((cell) => cell === null || typeof cell !== 'object');

it('Bulk Enrich: all that is known of a company stands beside the fields of its row', async () => {
  const { rows, hints } = await run('bulkEnrich', { domain: OF_ITEM }, leads());

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
  expect(hints.join()).not.toContain('Overwrite Columns');
});

it.each<[string, INodeParameters, Array<string | undefined>]>([
  ['bulkEnrich', { operation: 'normalizeDomains', domain: OF_ITEM }, ['valid', 'valid', 'invalid']],
  [
    'bulkEnrich',
    { operation: 'enrichPartnerships', domain: OF_ITEM },
    ['found', 'not_tracked', 'invalid'],
  ],
  ['companyLookup', { identifier: OF_ITEM }, ['', 'error', 'error']],
])('%s %j: every row has columns', async (type, parameters, statuses) => {
  const { rows } = await run(type, parameters, leads());

  expect(rows).toMatchObject(leads());
  expect(rows.map((row) => row['enriched_status'])).toEqual(statuses);
  expect(rows[0]).toHaveProperty('enriched_domain');
  expect(rows.every(isFlat)).toBe(true);
});

it('List Members: what became of each domain, with a prefix of the user', async () => {
  const listId = byId(await createList(sandbox));
  const parameters = { operation: 'addDomains', listId, domain: OF_ITEM };
  const { rows } = await run('listMembers', parameters, leads(), { columnPrefix: 'Added ' });

  expect(rows).toMatchObject(leads());
  expect(rows.map((row) => row['Added status'])).toEqual([
    expect.stringMatching(/^added/),
    expect.any(String),
    'invalid',
  ]);
});
