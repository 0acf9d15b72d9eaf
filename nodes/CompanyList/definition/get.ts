import { listIdOf } from '../../../src/api/inputs';
import { getDefinition } from '../../../src/api/lists/definitions';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { definitionOutput } from './output';

/** `GET /v1/lists/{list_id}/definition` */
export const get: Operation = {
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get the filter tree of a list. Free.',
    action: 'Get a definition',
  },
  properties: onlyFor('get', [listIdProperty, requestOptions()]),
  execute: perItem({
    plan: (parameters) => ({ listId: listIdOf(parameters.get('listId')) }),
    ask: async ({ listId }, { run }) => [
      definitionOutput(listId, await getDefinition(run, listId)),
    ],
  }),
};
