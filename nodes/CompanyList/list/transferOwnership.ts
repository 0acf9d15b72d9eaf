import { transferOwnership as transfer } from '../../../src/api/lists/lists';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFields } from '../../shared/additional-fields';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { user } from '../user';

/** `POST /v1/lists/{list_id}/owner` */
export const transferOwnership = perItem({
  option: {
    name: 'Transfer Ownership',
    value: 'transferOwnership',
    description: 'Make another user the owner of a list. Free. Only the new owner can undo it.',
    action: 'Transfer list ownership',
  },
  parameters: {
    list_id: listId,
    owner: user('The new owner'),
    more: additionalFields,
    options: requestOptions({}),
  },
  changes: 'once',
  ask: async ({ list_id, owner, more }, { run }) => ({
    list_id,
    ...(await transfer(run, list_id, { ...owner, ...more })),
  }),
});
