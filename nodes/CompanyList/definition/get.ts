import { getDefinition } from '../../../src/api/lists/definitions';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { definitionJson } from './output';

/** `GET /v1/lists/{list_id}/definition` */
export const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get the filter tree of a list. Free.',
    action: 'Get definition',
  },
  parameters: { listId, options: requestOptions({}) },
  ask: async ({ listId: list }, { run }) => definitionJson(list, await getDefinition(run, list)),
});
