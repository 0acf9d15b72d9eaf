import { listIdOf } from '../../../src/api/inputs';
import { deleteList as deleteOne } from '../../../src/api/lists/lists';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `DELETE /v1/lists/{list_id}` */
export const deleteList: Operation = {
  option: {
    name: 'Delete',
    value: 'delete',
    description: 'Delete a list permanently. Free.',
    action: 'Delete a list',
  },
  properties: onlyFor('delete', [listIdProperty, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({ listId: listIdOf(parameters.get('listId')) }),
    ask: async ({ listId }, { context, run, itemIndex }) => {
      await once(
        context,
        itemIndex,
        listId,
        async () => {
          await deleteOne(run, listId);
        },
        { repeatable: true },
      );
      return [{ json: { deleted: true } }];
    },
  }),
};
