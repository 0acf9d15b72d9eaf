/** Company List, definitions: sent as entered, stamped with the version of the current catalog. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { sentTo, useSandbox, type NodeSettings } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { companyList, INVISIBLE, NAME, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const path = `/v1/lists/${OWN}/definition`;
const RETAIL = { root: { field: 'industry', operator: 'equals', value: 'Retail' } };
const CURRENT = '2025-06-01';
const REPLACE = { resource: 'definition', operation: 'replace', listId: byId(OWN) };

const replace = async (definition: unknown, settings: NodeSettings = {}) =>
  await companyList(
    sandbox,
    { ...REPLACE, definition: JSON.stringify(definition) },
    [{}],
    settings,
  );
const saved = async (list = OWN) => await ask(sandbox, 'GET', `lists/${list}/definition`);
const requests = () => sentTo(sandbox).map(({ method, path: to }) => `${method} ${to}`);

it.each([
  ['has no stamp', RETAIL],
  ['has an old stamp', { registry_version: '2024-01-01', ...RETAIL }],
  ['is based on the current version', { version: 1, ...RETAIL }],
])('replaces a definition, stamped with the current catalog, when it %s', async (_what, given) => {
  const run = await replace(given);

  expect(requests()).toEqual(['GET /v1/lists/filter-fields', `PUT ${path}`]);
  expect(await saved()).toEqual({ registry_version: CURRENT, ...RETAIL, version: 2 });
  expect(run.json(NAME)).toEqual([{ list_id: OWN, definition: await saved() }]);
  expect(sandbox.report().charged).toBe(0);
});

it('creates a list with a definition, and without one when it is empty', async () => {
  const parameters = { resource: 'list', operation: 'create', name: ' [Draft] "Shops" ' };
  const run = await companyList(sandbox, { ...parameters, definition: '={{ $json.tree }}' }, [
    { tree: { registry_version: 'old', ...RETAIL } },
    { tree: '{}' },
    { tree: '' },
  ]);

  const none = { name: '[Draft] "Shops"', definition: { root: null } };
  expect(run.json(NAME)).toMatchObject([
    { name: '[Draft] "Shops"', definition: { registry_version: CURRENT, ...RETAIL } },
    none,
    none,
  ]);
  expect(requests().filter((one) => one.endsWith('filter-fields'))).toHaveLength(1);
});

it('returns the fields of the catalog, one item each', async () => {
  const run = await companyList(sandbox, { resource: 'definition', operation: 'getFilterFields' });

  expect(run.json(NAME)).toContainEqual({
    registry_version: CURRENT,
    key: 'tech_count',
    label: 'Number of technologies',
    type: 'number',
    operators: ['equals', 'gte'],
  });
});

it('accepts the definition that Get returned for another list', async () => {
  const got = await companyList(sandbox, {
    resource: 'definition',
    operation: 'get',
    listId: byId(SHARED),
  });
  const run = await replace(got.json(NAME)[0]?.['definition']);

  expect(run.error?.message).toBeUndefined();
  expect(await saved()).toMatchObject({ version: 2, root: { value: 'shopify' } });
});

it('counts the companies of each item with one read of the catalog', async () => {
  const parameters = { resource: 'definition', operation: 'previewCount' };
  const items = ['Software', 'Retail', 'Media'].map((value) => ({
    tree: { root: { ...RETAIL.root, value } },
  }));
  const run = await companyList(sandbox, { ...parameters, definition: '={{ $json.tree }}' }, items);

  expect(run.traced()).toEqual([0, 1, 2]);
  expect(new Set(run.json(NAME).map(({ count }) => count)).size).toBeGreaterThan(1);
  expect(requests().sort()).toEqual([
    'GET /v1/lists/filter-fields',
    ...Array<string>(3).fill('POST /v1/lists/preview-count'),
  ]);
});

it('replaces in item order when several items are for the same list', async () => {
  const values = ['Retail', 'Media', 'Software'];
  const run = await companyList(
    sandbox,
    { ...REPLACE, definition: '={{ $json.tree }}' },
    values.map((value) => ({ tree: { root: { ...RETAIL.root, value } } })),
  );

  expect(run.json(NAME)).toMatchObject(
    values.map((value, index) => ({ definition: { root: { value }, version: index + 2 } })),
  );
});

it('replaces a definition once, even when Retry On Fail repeats another item', async () => {
  await companyList(
    sandbox,
    { ...REPLACE, listId: byId('={{ $json.list }}'), definition: JSON.stringify(RETAIL) },
    [{ list: INVISIBLE }, { list: OWN }],
    { retryOnFail: true, maxTries: 4, waitBetweenTries: 1, onError: 'continueRegularOutput' },
  );

  expect(await saved()).toMatchObject({ version: 2 });
});

it.each<[string, unknown, string, RegExp, RegExp]>([
  [
    'another edit was saved first',
    { ...RETAIL, version: 7 },
    '409',
    /^Someone else changed the definition of this list at the same time/,
    /^Nothing was replaced\. Read it again with Definition: Get/,
  ],
  [
    'the definition is unbounded',
    { root: { op: 'not', children: [RETAIL.root] } },
    '422',
    /^The service rejected the definition as malformed or unbounded .*unbounded/,
    /Definition: Get Filter Fields/,
  ],
])('explains the error when %s', async (_what, definition, httpCode, message, hint) => {
  const { error } = await replace(definition);

  expect(error).toMatchObject({
    httpCode,
    message: expect.stringMatching(message),
    description: expect.stringMatching(hint),
  });
  expect(await saved()).toMatchObject({ version: 1 });
});

it.each(['resetBefore', 'resetAfter', 'html500'] as const)(
  'reports an unknown outcome without a retry when a response is lost (%s)',
  async (preset) => {
    sandbox.addFault({ preset, match: { method: 'PUT', path }, when: 'every' });
    const { error } = await replace(RETAIL, {
      retryOnFail: true,
      maxTries: 3,
      waitBetweenTries: 1,
    });

    expect(error).toMatchObject({
      message: expect.stringMatching(/^The outcome of this request is unknown \(PUT/),
      description: expect.stringMatching(/Check the definition with Definition: Get/),
    });
    expect(requests().filter((one) => one.startsWith('PUT'))).toHaveLength(1);
  },
);

describe.each<[string, INodeParameters]>([
  ['Replace', REPLACE],
  ['Preview Count', { resource: 'definition', operation: 'previewCount' }],
])('%s', (_title, parameters) => {
  it.each<[IDataObject, RegExp]>([
    [{ tree: '' }, /^The definition is empty$/],
    [{ tree: {} }, /^The definition is empty$/],
    [{ tree: '{ "root": ' }, /^"Definition" cannot be read as JSON/],
    [{ tree: [] }, /^"Definition" is valid JSON but not an object$/],
    [{ tree: '7' }, /^"Definition" is valid JSON but not an object$/],
  ])('refuses %j before anything is sent', async (item, message) => {
    const run = await companyList(sandbox, { ...parameters, definition: '={{ $json.tree }}' }, [
      item,
    ]);

    expect(run.error?.message).toMatch(message);
    expect(sandbox.report().requests).toBe(0);
  });
});
