import { z } from 'zod/v4';
import * as schemas from '../../../sandbox/schemas/lists';
import { ok, refusal, refused, useSandbox } from '../harness';
import { createList, NO_LIST, SOFTWARE } from '../listHarness';

const service = useSandbox();

test("Lists read all: visible lists, each with the caller's access_level", async () => {
  const rows = async (key: Parameters<typeof service.get>[1]) =>
    (
      await service.read(
        '/v1/lists',
        z.object({ lists: z.array(z.object({ list_id: z.string(), access_level: z.string() })) }),
        key,
      )
    ).lists;
  const mine = await createList(service);
  await service.post(
    `/v1/lists/${mine}/permissions`,
    { access_level: 'editor', user_id: 'user-colleague' },
    'user',
  );
  expect((await rows('user')).find((row) => row.list_id === mine)?.access_level).toBe('owner');
  const colleagues = await rows('colleague');
  expect(colleagues.map((row) => row.access_level).sort()).toEqual(['editor', 'viewer']);
  expect((await rows('otherOrganization')).map((row) => row.list_id)).not.toContain(mine);
});

test('Lists 4: an unknown list and one the caller cannot see are answered identically', async () => {
  const id = await createList(service, SOFTWARE);
  const calls = (list: string) => [
    service.get(`/v1/lists/${list}`, 'otherOrganization'),
    service.get(`/v1/lists/${list}/definition`, 'otherOrganization'),
    service.put(`/v1/lists/${list}/definition`, SOFTWARE, 'otherOrganization'),
    service.patch(`/v1/lists/${list}`, { name: 'x' }, 'otherOrganization'),
    service.remove(`/v1/lists/${list}`, 'otherOrganization'),
    service.get(`/v1/lists/${list}/members`, 'otherOrganization'),
    service.post(`/v1/lists/${list}/materialize`, undefined, 'otherOrganization'),
    service.get(`/v1/lists/${list}/export.csv`, 'otherOrganization'),
    service.post(`/v1/lists/${list}/domains`, { domains: ['a.com'] }, 'otherOrganization'),
    service.remove(`/v1/lists/${list}/domains/a.com`, 'otherOrganization'),
    service.get(`/v1/lists/${list}/permissions`, 'otherOrganization'),
    service.post(
      `/v1/lists/${list}/permissions`,
      { access_level: 'viewer', org_wide: true },
      'otherOrganization',
    ),
    service.remove(`/v1/lists/${list}/permissions/1`, 'otherOrganization'),
    service.post(`/v1/lists/${list}/owner`, { user_id: 'user-elsewhere' }, 'otherOrganization'),
    service.get(`/v1/lists/${list}/members`, 'colleague'),
  ];
  const invisible = (await Promise.all(calls(id))).map(refusal);
  const unknown = (await Promise.all(calls('lst_999999'))).map(refusal);
  expect(invisible).toEqual(unknown);
  expect(new Set(unknown.map((body) => JSON.stringify(body)))).toEqual(
    new Set([JSON.stringify(NO_LIST)]),
  );
});

test('Authentication 5: viewers read, editors also change, only owners manage access', async () => {
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
      service.post(
        `/v1/lists/${id}/permissions`,
        { access_level: 'viewer', org_wide: true },
        'colleague',
      ),
      service.remove(`/v1/lists/${id}`, 'colleague'),
    ]).then((replies) => replies.map((reply) => reply.status));
  expect(await attempts()).toEqual([404, 404, 404, 404, 404, 404, 404]);
  await grant('viewer');
  expect(await attempts()).toEqual([200, 200, 403, 403, 403, 403, 403]);
  await grant('editor');
  expect(await attempts()).toEqual([200, 200, 200, 200, 200, 403, 403]);
});

test('Authentication 5: a grant to one user lets no other user in', async () => {
  const id = await createList(service, SOFTWARE);
  const toMyself = { access_level: 'editor', user_id: 'user-main' };
  expect((await service.post(`/v1/lists/${id}/permissions`, toMyself)).status).toBe(201);
  expect(refusal(await service.get(`/v1/lists/${id}`, 'colleague'))).toEqual(NO_LIST);
});

test('Lists permissions: grant, list and revoke, per user or org_wide', async () => {
  const id = await createList(service);
  const path = `/v1/lists/${id}/permissions`;
  const granted = ok(
    await service.post(path, { access_level: 'viewer', org_wide: true }),
    schemas.permission,
    201,
  );
  expect((await service.get(`/v1/lists/${id}`, 'colleague')).status).toBe(200);
  expect((await service.get(`/v1/lists/${id}`, 'otherOrganization')).status).toBe(404);
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

test('Lists owner: ownership moves within the organization', async () => {
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
