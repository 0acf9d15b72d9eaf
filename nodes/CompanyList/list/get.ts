import type { IDataObject } from 'n8n-workflow';

import { listIdOf } from '../../../src/api/inputs';
import { getList } from '../../../src/api/lists/lists';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';

/** `GET /v1/lists/{list_id}` */
export const get: Operation = {
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get a list with its definition and permissions. Free.',
    action: 'Get a list',
  },
  properties: onlyFor('get', [listIdProperty, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({ listId: listIdOf(parameters.get('listId')) }),
    ask: async ({ listId }, { run }) => [{ json: (await getList(run, listId)) as IDataObject }],
  }),
};
