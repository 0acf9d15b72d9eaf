import type { KeyName } from '../../../sandbox';
import type { Endpoint } from '../../../sandbox/endpoint';
import { ENDPOINTS } from '../../../sandbox/routes';
import * as schemas from '../../../sandbox/schemas/lists';
import { createList, NO_LIST, ok, refusal, refused, send, SOFTWARE, useSandbox } from '../harness';

const service = useSandbox();

const TO_ALL = { access_level: 'viewer', org_wide: true };

const call = ({ body, method, path }: Endpoint, key: KeyName | null) =>
  send(service.sandbox.baseUrl, method, path.replace(/\{\w+\}/g, 'x'), {
    key,
    ...(body === null ? {} : { body: {} }),
  });

test('Authentication 1: every endpoint except /v1/open requires a known key', async () => {
  for (const endpoint of ENDPOINTS.filter(({ key }) => key !== 'none')) {
    expect((await call(endpoint, null)).status).toBe(401);
  }
  const headers = { 'x-api-key': 'ci_user_nobody' };
  const wrong = await fetch(`${service.sandbox.baseUrl}/v1/technologies?q=a`, { headers });
  expect(wrong.status).toBe(401);
});

test('Authentication 2: list endpoints return 403 for an organization key', async () => {
  const lists = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/lists'));
  expect(lists.length).toBeGreaterThanOrEqual(18);
  for (const endpoint of lists) {
    expect(refused(await call(endpoint, 'organization'))).toBe('403 user_credential_required');
  }
});

test('Authentication 4: open endpoints need no key', async () => {
  for (const endpoint of ENDPOINTS.filter(({ key }) => key === 'none')) {
    expect(endpoint.path.startsWith('/v1/open/')).toBe(true);
    expect((await call(endpoint, null)).status).toBe(200);
  }
});

test("Lists read all: returns the visible lists, each with the caller's access_level", async () => {
  const rows = async (key: KeyName) =>
    (await service.read('/v1/lists', schemas.listRows, key)).lists;
  const mine = await createList(service);
  const grant = { access_level: 'editor', user_id: 'user-colleague' };
  await service.post(`/v1/lists/${mine}/permissions`, grant);
  expect((await rows('user')).find((row) => row.list_id === mine)?.access_level).toBe('owner');
  const colleagues = await rows('colleague');
  expect(colleagues.map((row) => row.access_level).sort()).toEqual(['editor', 'viewer']);
  expect((await rows('otherOrganization')).map((row) => row.list_id)).not.toContain(mine);
});

test('Lists 4: returns the same 404 for an unknown list and for one the caller cannot see', async () => {
  const id = await createList(service, SOFTWARE);
  const body = { ...SOFTWARE, ...TO_ALL, name: 'x', domains: ['a.com'], user_id: 'user-elsewhere' };
  const ofLists = ENDPOINTS.filter(({ path }) => path.startsWith('/v1/lists/{list_id}'));
  expect(ofLists).not.toEqual([]);
  for (const list of [id, 'lst_999999']) {
    for (const { method, path } of ofLists) {
      const full = path.replace('{list_id}', list).replace(/\{\w+\}/, 'a.com');
      const reply = await send(service.sandbox.baseUrl, method, full, {
        key: 'otherOrganization',
        ...(method === 'GET' ? {} : { body }),
      });
      expect([method, path, refusal(reply)]).toEqual([method, path, NO_LIST]);
    }
    expect(refusal(await service.get(`/v1/lists/${list}`, 'colleague'))).toEqual(NO_LIST);
  }
});

test('Authentication 5: viewers can read, editors can also change, and only owners can manage access', async () => {
  const id = await createList(service, SOFTWARE);
  const grant = (level: string) =>
    service.post(`/v1/lists/${id}/permissions`, { access_level: level, user_id: 'user-colleague' });
  const attempts = async () =>
    Promise.all([
      service.get(`/v1/lists/${id}/members`, 'colleague'),
      service.get(`/v1/lists/${id}/export.csv`, 'colleague'),
      service.patch(`/v1/lists/${id}`, { name: 'x' }, 'colleague'),
      service.post(`/v1/lists/${id}/domains`, { domains: ['a.com'] }, 'colleague'),
      service.put(`/v1/lists/${id}/definition`, SOFTWARE, 'colleague'),
      service.post(`/v1/lists/${id}/permissions`, TO_ALL, 'colleague'),
      service.remove(`/v1/lists/${id}`, 'colleague'),
    ]).then((replies) => replies.map((reply) => reply.status));
  expect(await attempts()).toEqual([404, 404, 404, 404, 404, 404, 404]);
  await grant('viewer');
  expect(await attempts()).toEqual([200, 200, 403, 403, 403, 403, 403]);
  await grant('editor');
  expect(await attempts()).toEqual([200, 200, 200, 200, 200, 403, 403]);
});

test('Lists permissions: an org_wide permission can be granted, listed and revoked', async () => {
  const list = `/v1/lists/${await createList(service)}`;
  const path = `${list}/permissions`;
  const statuses = async () =>
    [await service.get(list, 'colleague'), await service.get(list, 'otherOrganization')].map(
      ({ status }) => status,
    );
  const granted = ok(await service.post(path, TO_ALL), schemas.permission, 201);
  expect(await statuses()).toEqual([200, 404]);
  expect(granted).toMatchObject({ scope: 'org_wide', user_id: null, access_level: 'viewer' });
  expect((await service.read(list, schemas.listDetail)).permissions).toEqual([granted]);
  expect((await service.read(path, schemas.permissionRows)).permissions).toEqual([granted]);
  for (const status of [204, 404]) {
    expect((await service.remove(`${path}/${granted.permission_id}`)).status).toBe(status);
  }
  expect(await statuses()).toEqual([404, 404]);
  for (const body of [{}, { access_level: 'owner', org_wide: true }, { access_level: 'viewer' }]) {
    expect((await service.post(path, body)).status).toBe(400);
  }
  const stranger = { access_level: 'viewer', user_id: 'user-elsewhere' };
  expect(refused(await service.post(path, stranger))).toBe('404 user_not_found');
});

test('Lists owner: ownership can be transferred only within the organization', async () => {
  const list = `/v1/lists/${await createList(service)}`;
  const transfer = async (to: string) =>
    (await service.post(`${list}/owner`, { user_id: to })).status;
  expect(await transfer('user-elsewhere')).toBe(404);
  expect(await transfer('user-colleague')).toBe(200);
  expect(await service.read(list, schemas.listDetail, 'colleague')).toMatchObject({
    owner_user_id: 'user-colleague',
    access_level: 'owner',
  });
  expect((await service.read(list, schemas.listDetail)).access_level).toBe('editor');
  expect((await service.remove(list)).status).toBe(403);
});
