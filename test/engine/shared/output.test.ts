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

type Written = [type: string, parameters: INodeParameters, options: INodeParameters];

/** Operations that write the same columns for every kind of row. */
const LOOKUPS: readonly Written[] = [
  ['bulkEnrich', { domain: OF_ITEM }, {}],
  ['bulkEnrich', { operation: 'enrichPartnerships', domain: OF_ITEM }, {}],
  ['listMembers', { operation: 'addDomains', domain: OF_ITEM }, {}],
];

/** Returns a function that runs an operation on rows, for a new list if it needs one. */
async function writing([type, parameters, options]: Written) {
  const listId = byId(await createList(sandbox));
  const given = type === 'listMembers' ? { ...parameters, listId } : parameters;
  return async (rows: readonly IDataObject[]) => {
    const settings = { onError: 'continueRegularOutput' } as const;
    const result = await runNode(sandbox, type, { ...given, options }, rows, settings);
    expect(result.error).toBeUndefined();
    return result.json(NAMES[type] ?? '');
  };
}

const isFlat = (row: IDataObject) =>
  Object.values(row).every((cell) => cell === null || typeof cell !== 'object');

it.each<Written>([
  ...LOOKUPS,
  ['bulkEnrich', { domain: OF_ITEM, include: ['partnerships'], companyName: '=' }, {}],
  ['bulkEnrich', { domain: OF_ITEM }, { technologyColumns: 'hubspot' }],
  ['refreshAndWait', { domain: OF_ITEM }, {}],
])('%s %j %j has the same columns when no company is known', async (...written) => {
  sandbox.setChoices({ jobSeconds: { first: 0, last: 0 } });
  const write = await writing(written);
  const sheetOf = (company = '') => [
    { id: 1, company },
    { id: 2, company: 'no domain' },
  ];
  const some = sheetOf(trackedDomains(sandbox, 1)[0]);
  const first = await write(some);
  const without = await write(sheetOf());
  const again = await write(without.map((row, id) => ({ ...row, ...some[id] })));

  const columns = Object.keys(first[0] ?? {});
  expect(columns.length).toBeGreaterThan(7);
  for (const row of [...first, ...without, ...again]) expect(Object.keys(row)).toEqual(columns);
  expect(first.every(isFlat)).toBe(true);
  expect(Object.values(without[0] ?? {})).not.toContain(undefined);
});

it.each<Written>([...LOOKUPS, ['refreshAndWait', { domain: OF_ITEM }, {}]])(
  '%s %j %j says in a failed row which company it is and what to do',
  async (...written) => {
    const write = await writing(written);
    const [company = ''] = trackedDomains(sandbox, 1);
    sandbox.addFault({ preset: 'html500', when: 'every', match: { method: 'POST' } });
    const [row = {}] = await write([{ company }]);
    const cells = Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name.replace(/^[a-z]+_/, ''), cell]),
    );

    expect(cells).toMatchObject({ domain: company, status: 'error' });
    expect(cells['message']).toMatch(/\. .*(Run|run) (this )?again/);
    if (written[0] === 'listMembers') expect(row['list_id']).toMatch(/^lst_/);
  },
);

it('outputs the same values for a company in every node', async () => {
  const [domain = ''] = trackedDomains(sandbox, 1);
  const options = { technologyColumns: 'hubspot, google-analytics' };
  const listId = byId(await createList(sandbox, 0));
  const rowOf = async (type: string, parameters: INodeParameters) => {
    const rows = (await runNode(sandbox, type, parameters)).json(NAMES[type] ?? '');
    return rows.find((row) => row['domain'] === domain)!;
  };
  const first = await rowOf('bulkEnrich', { domain, output: 'result', options });
  const second = await rowOf('companyLookup', { identifier: domain, options });
  const many = { operation: 'getMany', returnAll: true, include: ['firmographics'] };

  const { company_name, industry, employee_range, country } = first;
  const company = { domain, company_name, industry, employee_range, country };
  expect(Object.values(company)).not.toContain(undefined);
  expect(second).toMatchObject(company);
  expect(await rowOf('companyLookup', many)).toMatchObject(company);
  expect(await rowOf('listMembers', { listId, returnAll: true })).toMatchObject({ company_name });
  for (const column of ['technology_names', 'has_hubspot', 'has_google_analytics']) {
    expect(first).toHaveProperty(column, second[column]);
  }
});
