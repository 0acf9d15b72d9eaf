/** Items and parameters nested deeper than any stack: said in words, and the rows keep their fields. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { OWN } from '../company-list/company-list';
import { type NodeSettings, useSandbox, trackedDomains } from './service';
import { byId, runNode } from './nodes';

const sandbox = useSandbox({ companies: 50 });

const DEPTH = 20_000;
const nestedText = `${'['.repeat(DEPTH)}1${']'.repeat(DEPTH)}`;
function nested(): IDataObject {
  let value: IDataObject = { bottom: true };
  for (let level = 0; level < DEPTH; level += 1) value = { deeper: value };
  return value;
}

const run = async (
  type: string,
  parameters: INodeParameters,
  items: IDataObject[],
  onError: NodeSettings['onError'] = 'continueRegularOutput',
) => await runNode(sandbox, type, parameters, items, { onError });

const ROWS: Array<[string, string, INodeParameters]> = [
  ['Bulk Enrich', 'bulkEnrich', { operation: 'enrichCompanies', include: [] }],
  ['Bulk Enrich', 'bulkEnrich', { operation: 'enrichPartnerships' }],
  ['Bulk Enrich', 'bulkEnrich', { operation: 'normalizeDomains' }],
  ['List Members', 'listMembers', { operation: 'addDomains', listId: byId(OWN) }],
];

it.each(ROWS)('%s (%#): rows keep fields of any depth', async (name, type, parameters) => {
  const [domain] = trackedDomains(sandbox, 1);
  const deep = nested();
  const items = [
    { id: 1, domain, deep },
    { id: 2, domain: 'nowhere', deep },
    { id: 3, domain, deep },
  ];
  const result = await run(type, { domain: '={{ $json.domain }}', ...parameters }, items);
  const rows = result.json(name);

  expect(rows.map((row) => row['id'])).toEqual([1, 2, 3]);
  for (const row of rows) expect(row['deep']).toBeDefined();
  expect(rows.map((row) => row['error'])).toEqual([undefined, undefined, undefined]);
});

it('a row whose domain cannot be evaluated keeps its fields, and says why', async () => {
  const items = [
    { id: 1, deep: nested() },
    { id: 2, deep: 'a.com' },
  ];
  const result = await run(
    'bulkEnrich',
    { operation: 'normalizeDomains', domain: '={{ [$json.deep][0] }}' },
    items,
  );

  expect(result.json('Bulk Enrich').map((row) => row['id'])).toEqual([1, 2]);
  expect(JSON.stringify(result.json('Bulk Enrich').map((row) => row['error']))).not.toMatch(
    /call stack/,
  );
});

const SENT: Array<[string, string, INodeParameters]> = [
  ['API Request', 'apiRequest', { method: 'POST', path: 'lists', body: '={{ $json.deep }}' }],
  ['API Request', 'apiRequest', { method: 'POST', path: 'lists', body: nestedText }],
  ['API Request', 'apiRequest', { method: 'GET', path: '={{ $json.deep }}' }],
  ['Company Lookup', 'companyLookup', { operation: 'get', identifier: '={{ $json.deep }}' }],
  [
    'Flag Data',
    'flagData',
    { operation: 'create', identifier: 'a.com', description: '={{ $json.deep }}' },
  ],
  [
    'Company List',
    'companyList',
    {
      resource: 'list',
      operation: 'create',
      name: 'x',
      definitionMode: 'none',
      additionalFields: `{"a":${nestedText}}`,
    },
  ],
  [
    'Company List',
    'companyList',
    {
      resource: 'list',
      operation: 'create',
      name: 'x',
      definitionMode: 'json',
      definition: `{"a":${nestedText}}`,
    },
  ],
  [
    'Company List',
    'companyList',
    {
      resource: 'list',
      operation: 'create',
      name: 'x',
      definitionMode: 'json',
      definition: '={{ $json.deep }}',
    },
  ],
  [
    'Company List',
    'companyList',
    { resource: 'list', operation: 'create', name: '={{ $json.deep }}', definitionMode: 'none' },
  ],
  [
    'List Members',
    'listMembers',
    {
      operation: 'addDomains',
      domain: 'a.com',
      listId: byId(OWN),
      additionalFields: `{"a":${nestedText}}`,
    },
  ],
];
it.each(SENT)(
  '%s (%#): says which parameter is nested too deep',
  async (name, type, parameters) => {
    const items = [{ id: 1, deep: nested() }];
    const stopped = await run(type, parameters, items, 'stopWorkflow');
    const [failed] = (await run(type, parameters, items)).json(name);

    expect(stopped.error?.message).toMatch(/^"[\w ]+" is nested too deep: 200 levels are allowed/);
    const said = JSON.stringify({ ...failed, deep: undefined });
    expect(said).toContain(JSON.stringify(stopped.error?.message).slice(1, -1));
    expect(said).toContain('invalid_input');
    expect(said).toContain('nothing was sent');
    expect(sandbox.report().created).toMatchObject({ flags: 0 });
    expect(sandbox.report().recent.filter(({ method }) => method !== 'GET')).toEqual([]);
  },
);

it('200 levels are sent', async () => {
  const body = `${'['.repeat(199)}1${']'.repeat(199)}`;
  const result = await run('apiRequest', { method: 'POST', path: 'lists', body }, [{}]);

  expect(sandbox.report().recent).toHaveLength(1);
  expect(JSON.stringify(result.json('API Request'))).not.toContain('nested');
});
