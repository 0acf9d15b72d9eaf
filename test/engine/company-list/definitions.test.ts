/** Company List, definitions: sent as entered, stamped with the version of the current catalog. */
import { sentTo, useSandbox } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { companyList, NAME, OWN } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const path = `/v1/lists/${OWN}/definition`;
const RETAIL = { root: { field: 'industry', operator: 'equals', value: 'Retail' } };
const CURRENT = '2025-06-01';
const PREVIEW = { resource: 'definition', operation: 'previewCount' };
const REPLACE = { resource: 'definition', operation: 'replace', listId: byId(OWN) };

const replace = async (definition: unknown) =>
  await companyList(sandbox, { ...REPLACE, definition: JSON.stringify(definition) });
const saved = async () => await ask(sandbox, 'GET', `lists/${OWN}/definition`);
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

it('replaces nothing and says what to do when another edit was saved first', async () => {
  const { error } = await replace({ ...RETAIL, version: 7 });

  expect(error).toMatchObject({
    httpCode: '409',
    message: expect.stringMatching(/^Someone else changed the definition of this list/),
    description: expect.stringMatching(
      /^Nothing was replaced\. Read it again with Definition: Get/,
    ),
  });
  expect(await saved()).toMatchObject({ version: 1 });
});

it.each([
  [REPLACE, '', /^The definition is empty$/],
  [REPLACE, '{ "root": ', /^"Definition" cannot be read as JSON/],
  [PREVIEW, '{}', /^The definition is empty$/],
  [PREVIEW, '[]', /^"Definition" is valid JSON but not an object$/],
])('with %j refuses %j before anything is sent', async (parameters, definition, message) => {
  const run = await companyList(sandbox, { ...parameters, definition });

  expect(run.error?.message).toMatch(message);
  expect(sandbox.report().requests).toBe(0);
});
