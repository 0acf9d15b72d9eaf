import { permissionIdOf } from '../../../src/input/inputs';
import { revokeAccess } from '../../../src/api/lists/permissions';
import { parameter } from '../../../src/n8n/parameters/declare';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `DELETE /v1/lists/{list_id}/permissions/{permission_id}` */
export const revoke = perItem({
  option: {
    name: 'Revoke',
    value: 'revoke',
    description: 'Take away access to a list. Free.',
    action: 'Revoke permission',
  },
  parameters: {
    listId,
    permissionId: parameter(
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
      permissionIdOf,
    ),
    options: requestOptions({}),
  },
  changes: 'repeatable',
  ask: async (plan, { run }) => {
    await revokeAccess(run, plan.listId, plan.permissionId);
    return { deleted: true };
  },
});
