import { deleteList as deleteOne } from '../../../src/api/lists/lists';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `DELETE /v1/lists/{list_id}` */
export const deleteList = perItem({
  option: {
    name: 'Delete',
    value: 'delete',
    description: 'Delete a list permanently. Free.',
    action: 'Delete list',
  },
  parameters: { listId, options: requestOptions({}) },
  changes: 'repeatable',
  ask: async (plan, { run }) => {
    await deleteOne(run, plan.listId);
    return { deleted: true };
  },
});
