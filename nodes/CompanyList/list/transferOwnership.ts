import type { IDataObject } from 'n8n-workflow';

import { listIdOf } from '../../../src/api/inputs';
import { transferOwnership as transfer } from '../../../src/api/lists/lists';
import { userFieldsOf } from '../../../src/api/lists/user';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { additionalFieldsOf } from '../../../src/n8n/per-item/parameters';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFieldsProperty } from '../../shared/additional-fields';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { userProperty } from '../user';

/** `POST /v1/lists/{list_id}/owner` */
export const transferOwnership: Operation = {
  option: {
    name: 'Transfer Ownership',
    value: 'transferOwnership',
    description: 'Make another user the owner of a list. Free. Only the new owner can undo it.',
    action: 'Transfer ownership of a list',
  },
  properties: onlyFor('transferOwnership', [
    listIdProperty,
    userProperty('The new owner'),
    additionalFieldsProperty,
    requestOptions(),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      body: { ...userFieldsOf(parameters.get('user')), ...additionalFieldsOf(parameters) },
    }),
    ask: async ({ listId, body }, { context, run, itemIndex }) => {
      const list = await once(
        context,
        itemIndex,
        JSON.stringify([listId, body]),
        async () => await transfer(run, listId, body),
      );
      return [{ json: { list_id: listId, ...(list as IDataObject) } }];
    },
  }),
};
