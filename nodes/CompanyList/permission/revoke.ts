import { listIdOf, permissionIdOf } from '../../../src/api/inputs';
import { revokeAccess } from '../../../src/api/lists/permissions';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `DELETE /v1/lists/{list_id}/permissions/{permission_id}` */
export const revoke: Operation = {
  option: {
    name: 'Revoke',
    value: 'revoke',
    description: 'Take access to a list away. Free.',
    action: 'Revoke a permission',
  },
  properties: onlyFor('revoke', [
    listIdProperty,
    {
      displayName: 'Permission',
      name: 'permissionId',
      type: 'resourceLocator',
      required: true,
      default: { mode: 'list', value: '' },
      description: 'The permission to revoke',
      modes: [
        {
          displayName: 'From List',
          name: 'list',
          type: 'list',
          placeholder: 'Choose who loses access…',
          typeOptions: { searchListMethod: 'searchPermissions', searchable: true },
        },
        {
          displayName: 'By ID',
          name: 'id',
          type: 'string',
          placeholder: 'e.g. 123',
          hint: 'The permission_id that Get Many shows',
        },
      ],
    },
    requestOptions(),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      permissionId: permissionIdOf(parameters.get('permissionId')),
    }),
    ask: async ({ listId, permissionId }, { context, run, itemIndex }) => {
      await once(
        context,
        itemIndex,
        JSON.stringify([listId, permissionId]),
        async () => {
          await revokeAccess(run, listId, permissionId);
        },
        { repeatable: true },
      );
      return [{ json: { deleted: true } }];
    },
  }),
};
