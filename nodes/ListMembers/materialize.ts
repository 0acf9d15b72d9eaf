import { materialize as compute } from '../../src/api/lists/members';
import { perItem } from '../../src/n8n/per-item/per-item';
import { listId } from '../shared/list';
import { requestOptions } from '../shared/options';

/** `POST /v1/lists/{list_id}/materialize` */
export const materialize = perItem({
  option: {
    name: 'Materialize List',
    value: 'materialize',
    description: 'Recompute the members of a list, and count them in all and by tier. Free.',
    action: 'Recompute list members',
  },
  parameters: { list_id: listId, options: requestOptions({}) },
  ask: async ({ list_id }, { run }) => ({ list_id, ...(await compute(run, list_id)) }),
});
