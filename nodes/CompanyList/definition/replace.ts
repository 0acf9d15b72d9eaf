import { listIdOf } from '../../../src/api/inputs';
import { replaceDefinition } from '../../../src/api/lists/definitions';
import { once } from '../../../src/n8n/once';
import { onlyFor, type Operation } from '../../../src/n8n/operation';
import { prepared, requiredDefinitionOf } from '../../../src/n8n/per-item/definition';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { listIdProperty } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import {
  definitionOptions,
  definitionProperties,
  onConflictOption,
} from '../definition-properties';
import { definitionOutput } from './output';

/** `PUT /v1/lists/{list_id}/definition` */
export const replace: Operation = {
  option: {
    name: 'Replace',
    value: 'replace',
    description:
      'Replace the filter tree of a list; its members are computed anew when they are next read. Free.',
    action: 'Replace a definition',
  },
  properties: onlyFor('replace', [
    listIdProperty,
    ...definitionProperties('required'),
    requestOptions(...definitionOptions, onConflictOption),
  ]),
  execute: perItem({
    plan: (parameters) => ({
      listId: listIdOf(parameters.get('listId')),
      definition: requiredDefinitionOf(parameters),
      onConflict: parameters.choice(
        parameters.in('options', 'onConflict'),
        'On Conflict',
        ['fail', 'overwrite'],
        'fail',
      ),
    }),
    check: async ({ definition }, session) => await prepared(definition, session),
    ask: async ({ listId, definition, onConflict }, session) => {
      const { context, run, itemIndex, inTurn } = session;
      // At the same time, two items for one list would take each other for somebody else.
      const saved = await inTurn(async () => {
        const tree = await prepared(definition, session);
        return await once(
          context,
          itemIndex,
          JSON.stringify([listId, tree]),
          async () => await replaceDefinition(run, listId, tree, onConflict),
          { repeatable: true },
        );
      });
      return [definitionOutput(listId, saved)];
    },
  }),
};
