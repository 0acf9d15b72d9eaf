/** Company List: lists, and who has access to them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService, text } from '../../src/client/support/service';
import { ask, byId } from '../shared/nodes';
import { useSandbox, userCredential } from '../shared/service';
import { companyList, NAME, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const CREATE = { resource: 'list', operation: 'create' };
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
    [{ total: 63 }, {}, 'returned 1 of 63 rows'],
    [{ count: 63 }, {}, 'returned 1 of 63 rows'],
    [{ pagination: { has_next: true } }, {}, 'returned 1 rows and reported more'],
    [{ last: false }, {}, 'returned 1 rows and reported more'],
    [{}, { link: '</v1/lists?page=2>; rel="next"' }, 'returned 1 rows and reported more'],
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
  [
    { ...CREATE, name: 'A', options: { additionalFields: '{ "folder": 7, "name": "B" }' } },
    'POST /v1/lists',
    { name: 'B', folder: 7 },
  ],
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
  [
    { ...GRANT, user: '7', options: { additionalFields: '{ "notify": true, "user_id": 7 }' } },
    `POST /v1/lists/${OWN}/permissions`,
    { access_level: 'viewer', user_id: 7, notify: true },
  ],
])('for the parameters %j, sends %s with %j', async (parameters, request, body) => {
  const service = await TestService.start(json({ list_id: OWN, ok: true }, 201));
  const run = await companyList(service, parameters);

  expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
  expect(JSON.parse(service.received[0]?.body ?? '')).toEqual(body);
  // Unlike a new list, a new permission is output with the fields of the request.
  const echo = parameters['operation'] === 'grant' ? body : {};
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

it('outputs the ID and name of a renamed list when the response is empty', async () => {
  const service = await TestService.start(text('', 204));
  const run = await companyList(service, {
    resource: 'list',
    operation: 'rename',
    listId: byId('l1'),
    name: 'A',
    options: { additionalFields: { note: 'x' } },
  });

  expect(run.json(NAME)).toEqual([{ list_id: 'l1', name: 'A' }]);
  expect(service.received.map(({ method, body }) => [method, body])).toEqual([
    ['PATCH', '{"name":"A","note":"x"}'],
  ]);
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
