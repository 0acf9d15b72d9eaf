import { renameList } from '../../../src/api/lists/lists';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFields } from '../../shared/additional-fields';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { listName } from './name';

/** `PATCH /v1/lists/{list_id}` */
export const rename = perItem({
  option: {
    name: 'Rename',
    value: 'rename',
    description: 'Give a list another name. Free.',
    action: 'Rename list',
  },
  parameters: {
    list_id: listId,
    name: listName,
    more: additionalFields,
    options: requestOptions({}),
  },
  changes: 'repeatable',
  ask: async ({ list_id, name, more }, { run }) => {
    const body = { name, ...more };
    return { list_id, name: body.name, ...(await renameList(run, list_id, body)) };
  },
});
