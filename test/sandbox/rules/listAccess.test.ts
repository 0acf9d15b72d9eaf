import { z } from 'zod/v4';
import type { KeyName } from '../../../sandbox';
import * as schemas from '../../../sandbox/schemas/lists';
import { ok, refusal, refused, useSandbox } from '../harness';
import { createList, NO_LIST, SOFTWARE } from '../listHarness';

const service = useSandbox();

/** Grants access to everyone in the organization. */
const TO_ALL = { access_level: 'viewer', org_wide: true };

test("Lists read all: returns the visible lists, each with the caller's access_level", async () => {
  const list = z.object({ list_id: z.string(), access_level: z.string() });
  const rows = async (key: KeyName) =>
    (await service.read('/v1/lists', z.object({ lists: z.array(list) }), key)).lists;
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
  const stranger = 'otherOrganization';
  const calls = (list: string) => [
    service.get(`/v1/lists/${list}`, stranger),
    service.get(`/v1/lists/${list}/definition`, stranger),
    service.put(`/v1/lists/${list}/definition`, SOFTWARE, stranger),
    service.patch(`/v1/lists/${list}`, { name: 'x' }, stranger),
    service.remove(`/v1/lists/${list}`, stranger),
    service.get(`/v1/lists/${list}/members`, stranger),
    service.post(`/v1/lists/${list}/materialize`, undefined, stranger),
    service.get(`/v1/lists/${list}/export.csv`, stranger),
    service.post(`/v1/lists/${list}/domains`, { domains: ['a.com'] }, stranger),
    service.remove(`/v1/lists/${list}/domains/a.com`, stranger),
    service.get(`/v1/lists/${list}/permissions`, stranger),
    service.post(`/v1/lists/${list}/permissions`, TO_ALL, stranger),
    service.remove(`/v1/lists/${list}/permissions/1`, stranger),
    service.post(`/v1/lists/${list}/owner`, { user_id: 'user-elsewhere' }, stranger),
    service.get(`/v1/lists/${list}/members`, 'colleague'),
  ];
  for (const list of [id, 'lst_999999']) {
    const refusals = (await Promise.all(calls(list))).map(refusal);
    expect(refusals).toEqual(refusals.map(() => NO_LIST));
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
  const id = await createList(service);
  const path = `/v1/lists/${id}/permissions`;
  const granted = ok(await service.post(path, TO_ALL), schemas.permission, 201);
  expect((await service.get(`/v1/lists/${id}`, 'colleague')).status).toBe(200);
  expect((await service.get(`/v1/lists/${id}`, 'otherOrganization')).status).toBe(404);
  expect(await service.read(`/v1/lists/${id}`, schemas.listDetail)).toMatchObject({
    permissions: [{ scope: 'org_wide', user_id: null, access_level: 'viewer' }],
  });
  const listed = z.object({ permissions: z.array(schemas.permission) });
  expect((await service.read(path, listed)).permissions).toEqual([granted]);
  expect((await service.remove(`${path}/${granted.permission_id}`)).status).toBe(204);
  expect((await service.get(`/v1/lists/${id}`, 'colleague')).status).toBe(404);
  expect((await service.remove(`${path}/${granted.permission_id}`)).status).toBe(404);
  for (const body of [{}, { access_level: 'owner', org_wide: true }, { access_level: 'viewer' }]) {
    expect((await service.post(path, body)).status).toBe(400);
  }
  const stranger = { access_level: 'viewer', user_id: 'user-elsewhere' };
  expect(refused(await service.post(path, stranger))).toBe('404 user_not_found');
});

test('Lists owner: ownership can be transferred only within the organization', async () => {
  const id = await createList(service);
  const path = `/v1/lists/${id}/owner`;
  expect((await service.post(path, { user_id: 'user-elsewhere' })).status).toBe(404);
  expect((await service.post(path, { user_id: 'user-colleague' })).status).toBe(200);
  expect(await service.read(`/v1/lists/${id}`, schemas.listDetail, 'colleague')).toMatchObject({
    owner_user_id: 'user-colleague',
    access_level: 'owner',
  });
  expect((await service.read(`/v1/lists/${id}`, schemas.listDetail)).access_level).toBe('editor');
  expect((await service.remove(`/v1/lists/${id}`)).status).toBe(403);
});
