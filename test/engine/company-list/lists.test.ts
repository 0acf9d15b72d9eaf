/** Company List: lists, who has access to them, and the definitions of their members. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { ask, byId } from '../shared/nodes';
import { sentTo, useSandbox, userCredential } from '../shared/service';
import { companyList, NAME, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const CREATE = { resource: 'list', operation: 'create' };
const RENAME = { resource: 'list', operation: 'rename', listId: byId(OWN) };
const TRANSFER = { resource: 'list', operation: 'transferOwnership', listId: byId(OWN) };
const GRANT = { resource: 'permission', operation: 'grant', listId: byId(OWN) };

describe('Get Many', () => {
  it.each<[string, INodeParameters, number, number]>([
    ['list', { limit: 1, options: { offset: 1 } }, 1, 2],
    ['list', { returnAll: true, options: { offset: 1 } }, 1, 3],
    ['permission', { limit: 1 }, 0, 1],
    ['permission', { limit: 1, options: { offset: 1 } }, 1, 2],
  ])('of a %s returns the requested rows: %j', async (resource, parameters, from, to) => {
    const grant = { access_level: 'editor', user_id: 'user-colleague' };
    await ask(sandbox, 'POST', `lists/${SHARED}/permissions`, grant);
    const usual = { resource, operation: 'getMany', listId: byId(SHARED) };
    const all = await companyList(sandbox, { ...usual, returnAll: true });
    const run = await companyList(sandbox, { ...usual, ...parameters });

    expect(run.json(NAME)).toEqual(all.json(NAME).slice(from, to));
    expect(run.json(NAME)).toHaveLength(to - from);
  });

  it.each([
    [{ total: 63 }, {}, 'reported 63 rows in the list, but returned 1'],
    [{ last: false }, {}, 'may have more than these 1 rows'],
    [{}, { link: '</v1/lists?page=2>; rel="next"' }, 'may have more than these 1 rows'],
  ])(
    'sends one request and warns when the response says with %j and %j that there are more lists',
    async (beside, headers, warning) => {
      const service = await TestService.start(
        json({ lists: [{ list_id: 'a' }], ...beside }, 200, headers),
      );
      const getMany = { resource: 'list', operation: 'getMany' };
      const all = await companyList(service, { ...getMany, returnAll: true });
      const first = await companyList(service, { ...getMany, limit: 1 });

      expect(all.json(NAME)).toEqual([{ list_id: 'a' }]);
      expect(all.messages(NAME)).toEqual([expect.stringContaining(warning)]);
      expect(first.messages(NAME)).toEqual([]);
      expect(service.received).toHaveLength(2);
    },
  );
});

it.each<[INodeParameters, string, IDataObject]>([
  [{ ...CREATE, name: 'A' }, 'POST /v1/lists', { name: 'A' }],
  [{ ...RENAME, name: 'A' }, `PATCH /v1/lists/${OWN}`, { name: 'A' }],
  [{ ...TRANSFER, user: ' u7 ' }, `POST /v1/lists/${OWN}/owner`, { user_id: 'u7' }],
  [
    { ...GRANT, user: 'nathan@example.com', accessLevel: 'editor' },
    `POST /v1/lists/${OWN}/permissions`,
    { access_level: 'editor', email: 'nathan@example.com' },
  ],
  [
    { ...GRANT, grantTo: 'orgWide', user: 'left over' },
    `POST /v1/lists/${OWN}/permissions`,
    { access_level: 'viewer', org_wide: true },
  ],
])('for the parameters %j, sends %s with %j', async (parameters, request, body) => {
  const service = await TestService.start(json({ list_id: OWN, ok: true }, 201));
  const run = await companyList(service, parameters);

  expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
  expect(JSON.parse(service.received[0]?.body ?? '')).toEqual(body);
  // Unlike a new list, a new permission is output with the fields of the request.
  const echo = { grant: body, rename: { name: 'A' } }[parameters['operation'] as string] ?? {};
  expect(run.json(NAME)).toEqual([{ list_id: OWN, ...echo, ok: true }]);
});

it.each<[INodeParameters, RegExp]>([
  [{ ...CREATE, name: ' ' }, /"Name" is empty/],
  [{ ...GRANT, user: ' ' }, /"User" is empty/],
  // As after a downgrade of the package.
  [{ resource: 'list', operation: 'archive' }, /^There is no operation "archive"$/],
  [{ resource: 'folder', operation: 'get' }, /^There is no resource "folder"$/],
])('refuses %j before anything is sent', async (parameters, message) => {
  const run = await companyList(sandbox, parameters);

  expect(run.error?.message).toMatch(message);
  expect(sandbox.report().requests).toBe(0);
});

it('names the needed access level when the user may only view the list', async () => {
  const credentials = userCredential(sandbox, 'colleague');
  const parameters = { resource: 'list', operation: 'delete', listId: byId(SHARED) };
  const { error } = await companyList(sandbox, parameters, [{}], { credentials });

  expect(error).toMatchObject({
    httpCode: '403',
    message: expect.stringMatching(
      /does not allow this.*needs access level owner; you have viewer/,
    ),
  });
});

const path = `/v1/lists/${OWN}/definition`;
const RETAIL = { root: { field: 'industry', operator: 'equals', value: 'Retail' } };
const CURRENT = '2025-06-01';
const REPLACE = { resource: 'definition', operation: 'replace', listId: byId(OWN) };
const PREVIEW = { ...REPLACE, operation: 'previewCount' };

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

it('warns when the catalog has no version to stamp a definition with', async () => {
  const service = await TestService.start((request, response) => {
    const catalog = { fields: [{ field: 'industry', operators: ['equals'] }] };
    json(request.method === 'GET' ? catalog : { version: 2 })(request, response);
  });
  const run = await companyList(service, { ...REPLACE, definition: JSON.stringify(RETAIL) });

  expect(run.messages(NAME)).toEqual([
    expect.stringMatching(/has no registry_version.*as entered/),
  ]);
  expect(JSON.parse(service.received[1]?.body ?? '')).toEqual(RETAIL);
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
  // So long that edits would overlap, also on a busy machine.
  sandbox.setChoices({ definitionEditMs: 500 });
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
