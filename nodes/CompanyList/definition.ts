import type { IDataObject } from 'n8n-workflow';

import { getFilterCatalog } from '../../src/service/lists/catalog';
import {
  getDefinition,
  previewCount as preview,
  replaceDefinition,
  type SavedDefinition,
} from '../../src/service/lists/definitions';
import type { Resource } from '../../src/n8n/operation';
import { prepareDefinition } from '../../src/n8n/parameters/definition';
import { perItem } from '../../src/n8n/rows/per-item';
import type { Row } from '../../src/run/responses/rows';
import { additionalFields, listId } from '../shared/list';
import { requestOptions } from '../shared/options';
import { definitionOptions, onConflict, requiredDefinition, wrapIn } from './definition-parameters';

/** Returns a definition as an item; its field `definition` can be passed to Replace unchanged. */
function definitionJson(listId: string, { definition, envelopeFields }: SavedDefinition): Row {
  return { list_id: listId, ...envelopeFields, definition };
}

/** `GET /v1/lists/{list_id}/definition` */
const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get the filter tree of a list. Free.',
    action: 'Get definition',
  },
  returns: 'list_id, definition',
  parameters: { listId, options: requestOptions({}) },
  execute: async ({ listId: list }, { run }) =>
    definitionJson(list, await getDefinition(run, list)),
});

/** `GET /v1/lists/filter-fields` */
const getFilterFields = perItem({
  option: {
    name: 'Get Filter Fields',
    value: 'getFilterFields',
    description: 'List the fields and operators that a definition can use. Free.',
    action: 'Get filter fields',
  },
  returns: 'key, label, type, operators, values',
  parameters: { options: requestOptions({}) },
  execute: async (_plan, { run }) => {
    const { rows, envelopeFields } = await getFilterCatalog(run);
    return rows.map((row) => ({ json: { ...envelopeFields, ...row } as IDataObject }));
  },
});

/** `POST /v1/lists/preview-count` */
const previewCount = perItem({
  option: {
    name: 'Preview Count',
    value: 'previewCount',
    description:
      'Count the companies that match a definition, up to 10,000, without saving it. Free.',
    action: 'Preview definition count',
  },
  returns: 'count, capped',
  parameters: {
    definition: requiredDefinition,
    options: requestOptions({ ...definitionOptions, additionalFields, wrapIn }),
  },
  check: async ({ definition }, session) => await prepareDefinition(definition, session),
  execute: async ({ options }, { run }, tree) => await preview(run, tree, options),
});

/** `PUT /v1/lists/{list_id}/definition` */
const replace = perItem({
  option: {
    name: 'Replace',
    value: 'replace',
    description: 'Replace the filter tree of a list. Free. The next read recomputes the members.',
    action: 'Replace definition',
  },
  returns: 'list_id, definition',
  parameters: {
    listId,
    definition: requiredDefinition,
    options: requestOptions({ ...definitionOptions, additionalFields, onConflict, wrapIn }),
  },
  check: async ({ definition }, session) => await prepareDefinition(definition, session),
  changes: 'repeatable',
  execute: async ({ listId: list, options }, { run, inTurn }, tree) =>
    // One at a time, or two items for one list would report each other as a conflict.
    await inTurn(async () =>
      definitionJson(list, await replaceDefinition(run, list, tree, options.onConflict, options)),
    ),
});

/** The filters that decide which companies are in a list. */
export const definition: Resource = {
  option: { name: 'Definition', value: 'definition' },
  operations: [get, getFilterFields, previewCount, replace],
  defaultOperation: get,
};
