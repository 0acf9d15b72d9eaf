import type { IDataObject } from 'n8n-workflow';

import { listIdOf, listNameOf } from '../../../src/api/inputs';
import { renameList } from '../../../src/api/lists/lists';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { additionalFieldsOf } from '../../../src/n8n/per-item/parameters';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFieldsProperty } from '../../shared/additional-fields';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { nameProperty } from './name';

/** `PATCH /v1/lists/{list_id}` */
export const rename: Operation = {
  option: {
    name: 'Rename',
    value: 'rename',
    description: 'Give a list another name. Free.',
    action: 'Rename a list',
  },
  properties: onlyFor('rename', [
    listIdProperty,
    nameProperty,
    additionalFieldsProperty,
    requestOptions(),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      body: { name: listNameOf(parameters.get('name')), ...additionalFieldsOf(parameters) },
    }),
    ask: async ({ listId, body }, { context, run, itemIndex }) => {
      const list = await once(
        context,
        itemIndex,
        JSON.stringify([listId, body]),
        async () => await renameList(run, listId, body),
        { repeatable: true },
      );
      return [{ json: { list_id: listId, name: body.name, ...(list as IDataObject) } }];
    },
  }),
};
