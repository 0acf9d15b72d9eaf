/** Company List, permissions: lists, grants and revokes access. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, TestService } from '../../src/client/support/service';
import { credentialFor, useSandbox } from '../shared/service';
import { ask, byId } from '../shared/nodes';
import { NAME, operationsOf, OWN, SHARED } from './company-list';

const sandbox = useSandbox({ companies: 500 });

const run = operationsOf(sandbox, { resource: 'permission', listId: byId(OWN) });
const levelOf = async (key: 'user' | 'colleague', id = OWN) =>
  (await ask(sandbox, 'GET', `lists/${id}`, undefined, key))['access_level'];

describe('Get Many', () => {
  it('returns no item when no other user has access', async () => {
    const got = await run('getMany', { returnAll: true });

    expect(got.error?.message).toBeUndefined();
    expect(got.json(NAME)).toEqual([]);
  });

  it('returns up to Limit permissions, starting at Offset', async () => {
    await ask(sandbox, 'POST', `lists/${SHARED}/permissions`, {
      access_level: 'editor',
      user_id: 'user-colleague',
    });
    const first = await run('getMany', { listId: byId(SHARED), limit: 1 });
    const second = await run('getMany', {
      listId: byId(SHARED),
      limit: 1,
      options: { offset: 1 },
    });

    expect([first, second].map((got) => got.json(NAME)[0]?.['access_level'])).toEqual([
      'viewer',
      'editor',
    ]);
  });
});

describe('Grant', () => {
  it('grants a user access', async () => {
    const got = await run('grant', { accessLevel: 'editor', user: 'user-colleague' });

    expect(got.json(NAME)).toEqual([
      expect.objectContaining({
        list_id: OWN,
        permission_id: expect.any(Number),
        user_id: 'user-colleague',
        access_level: 'editor',
      }),
    ]);
    expect(await levelOf('colleague')).toBe('editor');
  });

  it('grants everyone in the organization access, as a viewer by default', async () => {
    const got = await run('grant', { grantTo: 'orgWide' });

    expect(got.json(NAME)).toEqual([
      expect.objectContaining({ scope: 'org_wide', access_level: 'viewer' }),
    ]);
    expect(await levelOf('colleague')).toBe('viewer');
  });

  it.each<[INodeParameters, unknown]>([
    [
      { user: 'nathan@example.com', accessLevel: 'editor' },
      { access_level: 'editor', email: 'nathan@example.com' },
    ],
    [
      { grantTo: 'orgWide', user: 'left over' },
      { access_level: 'viewer', org_wide: true },
    ],
    [
      { user: '7', options: { additionalFields: '' } },
      { access_level: 'viewer', user_id: '7' },
    ],
    [
      { user: '7', options: { additionalFields: '{ "notify": true, "user_id": 7 }' } },
      { access_level: 'viewer', user_id: 7, notify: true },
    ],
  ])('for the parameters %j, sends %j', async (parameters, body) => {
    const service = await TestService.start(json({ ok: true }, 201));
    const got = await run('grant', parameters, [{}], {
      credentials: credentialFor(service.baseUrl),
    });

    expect(service.received.map(({ method, url }) => [method, url])).toEqual([
      ['POST', `/v1/lists/${OWN}/permissions`],
    ]);
    expect(JSON.parse(service.received[0]?.body ?? '')).toEqual(body);
    expect(got.json(NAME)).toEqual([{ list_id: OWN, ...(body as IDataObject), ok: true }]);
  });

  it.each<[string, string, RegExp]>([
    ['user', '', /"User" is empty/],
    ['accessLevel', 'owner', /"Access Level" has the invalid value "owner"/],
    ['grantTo', 'team', /"Grant To" has the invalid value "team"/],
  ])(
    'refuses an expression that sets %s to %j before anything is sent',
    async (name, value, message) => {
      const parameters = { user: 'u', [name]: '={{ $json.value }}' };
      const got = await run('grant', parameters, [{ value }]);

      expect(got.error?.message).toMatch(message);
      expect(sandbox.report().requests).toBe(0);
    },
  );
});

describe('Revoke', () => {
  it.each(['empty', 'body'] as const)('revokes access (response: %s)', async (deleteAnswer) => {
    sandbox.setChoices({ deleteAnswer });
    expect(await levelOf('colleague', SHARED)).toBe('viewer');
    const got = await run('revoke', { listId: byId(SHARED), permissionId: byId('1') });

    expect(got.json(NAME)).toMatchObject([
      { list_id: expect.any(String), permission_id: expect.any(String), deleted: true },
    ]);
    expect(await levelOf('colleague', SHARED)).toBeUndefined();
  });

  it('fails when the permission does not exist', async () => {
    const got = await run('revoke', { permissionId: byId('77') });

    expect(got.error).toMatchObject({
      httpCode: '404',
      message: expect.stringMatching(/or it has no permission "77" \(the service says: /),
    });
  });
});
