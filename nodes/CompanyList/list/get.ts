import { getList } from '../../../src/api/lists/lists';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `GET /v1/lists/{list_id}` */
export const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get a list with its definition and permissions. Free.',
    action: 'Get list',
  },
  parameters: { listId, options: requestOptions({}) },
  ask: async (plan, { run }) => await getList(run, plan.listId),
});
