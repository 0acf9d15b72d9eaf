import { listPermissions } from '../../../src/api/lists/permissions';
import { listingOutput, rangeFor } from '../../../src/n8n/per-item/listing-output';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { offset, paging } from '../../shared/paging';

/** `GET /v1/lists/{list_id}/permissions` */
export const getMany = perItem({
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: 'List who has access to a list. Free.',
    action: 'Get many permissions',
  },
  parameters: { listId, wanted: paging, options: requestOptions({ offset }) },
  ask: async ({ listId: list, wanted, options }, { run }) =>
    listingOutput(await listPermissions(run, list, rangeFor(wanted, options))),
});
