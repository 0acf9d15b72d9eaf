import { listIdOf } from '../../../src/api/inputs';
import { listPermissions } from '../../../src/api/lists/permissions';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { listingOutput } from '../../../src/n8n/per-item/listing-output';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { pagingProperties } from '../../shared/paging';

/** `GET /v1/lists/{list_id}/permissions` */
export const getMany: Operation = {
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: 'List who has access to a list. Free.',
    action: 'Get many permissions',
  },
  properties: onlyFor('getMany', [listIdProperty, ...pagingProperties, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      wanted: parameters.wanted(),
    }),
    ask: async ({ listId, wanted }, { run }) =>
      listingOutput(await listPermissions(run, listId, wanted)),
  }),
};
