import type { IDataObject } from 'n8n-workflow';

import { listIdOf } from '../../src/api/inputs';
import { materialize as compute } from '../../src/api/lists/members';
import { onlyFor, type Operation } from '../../src/n8n/operation';
import { perItem } from '../../src/n8n/per-item/per-item';
import { listIdProperty } from '../shared/list';
import { requestOptions } from '../shared/options';

/** `POST /v1/lists/{list_id}/materialize` */
export const materialize: Operation = {
  option: {
    name: 'Materialize',
    value: 'materialize',
    description:
      'Compute the members of a list anew and count them, in all and in each tier. Free, because no company is returned.',
    action: 'Materialize a list',
  },
  properties: onlyFor('materialize', [listIdProperty, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({ listId: listIdOf(parameters.get('listId')) }),
    ask: async ({ listId }, { run }) => {
      const counts = await compute(run, listId);
      return [{ json: { list_id: listId, ...(counts as IDataObject) } }];
    },
  }),
};
