import { replaceDefinition } from '../../../src/api/lists/definitions';
import { prepared } from '../../../src/n8n/per-item/definition';
import { perItem } from '../../../src/n8n/per-item/per-item';
import { additionalFields } from '../../shared/additional-fields';
import { listId } from '../../shared/list';
import { requestOptions } from '../../shared/options';
import { definitionOptions, onConflict, someDefinition, wrapIn } from '../definition-properties';
import { definitionJson } from './output';

/** `PUT /v1/lists/{list_id}/definition` */
export const replace = perItem({
  option: {
    name: 'Replace',
    value: 'replace',
    description: 'Replace the filter tree of a list; members are recomputed when next read. Free.',
    action: 'Replace definition',
  },
  parameters: {
    listId,
    definition: someDefinition,
    more: additionalFields,
    options: requestOptions({ ...definitionOptions, onConflict, wrapIn }),
  },
  check: async ({ definition }, session) => await prepared(definition, session),
  changes: 'repeatable',
  ask: async ({ listId: list, definition, more, options }, session) =>
    // At the same time, two items for one list would take each other for somebody else.
    await session.inTurn(async () => {
      const tree = await prepared(definition, session);
      return definitionJson(
        list,
        await replaceDefinition(session.run, list, tree, options.onConflict, { ...options, more }),
      );
    }),
});
