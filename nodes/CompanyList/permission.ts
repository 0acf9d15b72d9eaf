import { toRowSource } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import { grantAccess, revokeAccess } from '../../src/service/lists/lists';
import { parsePermissionId, parseUserFields } from '../../src/input/inputs';
import type { Resource } from '../../src/n8n/operation';
import {
  choice,
  locator,
  parameter,
  shownIf,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { outputList } from '../../src/n8n/items/output-list';
import { perItem } from '../../src/n8n/items/per-item';
import type { Row } from '../../src/values/json';
import { listId } from '../shared/list';
import { offset, paging } from '../shared/listParameters';
import { createOptions } from '../shared/options';

export function user(who: string) {
  return parameter(
    {
      displayName: 'User',
      name: 'user',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. nathan@example.com',
      description: `${who}: ID or email address of a user in the organization`,
    },
    parseUserFields,
  );
}

const getMany = perItem({
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: 'List the users who have access to a list. Free.',
    action: 'Get many permissions',
  },
  returns: 'permission_id, user_id, access_level',
  parameters: { listId, wanted: paging, options: createOptions({ offset }) },
  execute: async ({ listId: list_id, ...parameters }, session) =>
    await outputList(session, parameters, toRowSource(session.run, api.permissions, { list_id })),
});

const grantTo = choice({
  displayName: 'Grant To',
  name: 'grantTo',
  type: 'options',
  options: [
    { name: 'User', value: 'user' },
    { name: 'Whole Organization', value: 'orgWide' },
  ],
  default: 'user',
  description: 'Who gets access',
});
const grantee = shownIf({ grantTo: ['user'] }, user('Who gets access'));

const holder: Parameter<Row> = {
  properties: [...grantTo.properties, ...grantee.properties],
  read: (place) => (grantTo.read(place) === 'orgWide' ? { org_wide: true } : grantee.read(place)),
};

const grant = perItem({
  option: {
    name: 'Grant',
    value: 'grant',
    description: 'Give a user, or everyone in the organization, access to a list. Free.',
    action: 'Grant permission',
  },
  returns: 'list_id, permission_id, access_level',
  parameters: {
    list_id: listId,
    access_level: choice({
      displayName: 'Access Level',
      name: 'accessLevel',
      type: 'options',
      options: [
        { name: 'Editor', value: 'editor', description: 'Can read and change the list' },
        { name: 'Viewer', value: 'viewer', description: 'Can read the list' },
      ],
      default: 'viewer',
      description: 'What the user can do with the list',
    }),
    holder,
  },
  execute: async ({ list_id, access_level, holder: to }, { run, once }) => {
    const body = { access_level, ...to };
    const granted = await once(async () => await grantAccess(run, list_id, body));
    return { list_id, ...body, ...granted };
  },
});

const revoke = perItem({
  option: {
    name: 'Revoke',
    value: 'revoke',
    description: 'Remove access to a list. Free.',
    action: 'Revoke permission',
  },
  returns: 'list_id, permission_id, deleted',
  parameters: {
    list_id: listId,
    permission_id: locator(
      { displayName: 'Permission', name: 'permissionId', description: 'The permission to revoke' },
      { placeholder: 'Choose who loses access…', searchListMethod: 'searchPermissions' },
      { placeholder: 'e.g. 123', hint: 'The permission_id that Get Many returns' },
      parsePermissionId,
    ),
  },
  execute: async ({ list_id, permission_id }, { run, once }) => {
    await once(async () => await revokeAccess(run, list_id, permission_id), { repeatable: true });
    return { list_id, permission_id, deleted: true };
  },
});

export const permission: Resource = {
  option: { name: 'Permission', value: 'permission' },
  operations: [getMany, grant, revoke],
  defaultOperation: getMany,
};
