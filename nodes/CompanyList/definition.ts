import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../src/input/inputs';
import { DEFINITION_ADVICE } from '../../src/service/lists/error-texts';
import * as definitions from '../../src/service/lists/definitions';
import type { Resource } from '../../src/n8n/operation';
import {
  jsonObject,
  unread,
  withDescription,
  type Parameter,
} from '../../src/n8n/parameters/declare';
import { perItem, type OperationContext } from '../../src/n8n/items/per-item';
import type { Row } from '../../src/values/json';
import { listId } from '../shared/list';

export const definitionNotice = unread({
  displayName: DEFINITION_ADVICE,
  name: 'definitionNotice',
  type: 'notice',
  default: '',
});

export const definitionJson = jsonObject({
  displayName: 'Definition (JSON)',
  name: 'definition',
  type: 'json',
  default: '{}',
  description:
    'The definition, for example from Definition: Get, built from the fields of Definition: Get Filter Fields. The node sets registry_version to the version of the current catalog. Empty creates a list without a definition.',
});

const requiredDefinition: Parameter<Row> = {
  properties: withDescription(definitionJson, (usual) =>
    usual.replace(/ Empty .*$/, ''),
  ).properties.map((property) => ({ ...property, required: true })),
  read: (place) => {
    const definition = definitionJson.read(place);
    if (Object.keys(definition).length > 0) return definition;
    throw new InputError(
      'The definition is empty',
      'Enter a definition as JSON. Nothing was sent, because such a list would contain nothing or everything.',
    );
  },
};

const NOT_STAMPED =
  'The catalog of filter fields has no registry_version, so the node sent the definition as entered. The service may read it by another version.';

/**
 * Stamps a definition with the `registry_version` of the current catalog (API spec: Versioning, rule 3),
 * which is read once per run.
 */
export async function withRegistryVersion(
  definition: Row,
  { run, shared }: OperationContext,
): Promise<Row> {
  const { registryVersion } = await shared('filter fields', async () => {
    const catalog = await definitions.getFilterCatalog(run);
    if (catalog.registryVersion === undefined) run.warn(NOT_STAMPED);
    return catalog;
  });
  return registryVersion === undefined
    ? definition
    : { ...definition, registry_version: registryVersion };
}

const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get the definition of a list. Free.',
    action: 'Get definition',
  },
  returns: 'list_id, definition',
  parameters: { listId },
  execute: async ({ listId: list }, { run }) => ({
    list_id: list,
    ...(await definitions.getDefinition(run, list)),
  }),
});

const getFilterFields = perItem({
  option: {
    name: 'Get Filter Fields',
    value: 'getFilterFields',
    description: 'List the fields and operators that a definition can use. Free.',
    action: 'Get filter fields',
  },
  returns: 'key, label, type, operators, values',
  parameters: {},
  execute: async (_values, { run }) => {
    const { rows } = await definitions.getFilterCatalog(run);
    return rows.map((row) => ({ json: row as IDataObject }));
  },
});

const previewCount = perItem({
  option: {
    name: 'Preview Count',
    value: 'previewCount',
    description:
      'Count the companies that match a definition, up to 10,000, without saving it. Free.',
    action: 'Preview definition count',
  },
  returns: 'count, capped',
  parameters: { definition: requiredDefinition },
  execute: async ({ definition }, session) =>
    await definitions.previewCount(session.run, await withRegistryVersion(definition, session)),
});

const replace = perItem({
  option: {
    name: 'Replace',
    value: 'replace',
    description: 'Replace the definition of a list. Free. The next read recomputes the members.',
    action: 'Replace definition',
  },
  returns: 'list_id, definition',
  parameters: {
    listId,
    definitionNotice,
    definition: requiredDefinition,
  },
  execute: async ({ listId: list, definition }, session) => {
    const stamped = await withRegistryVersion(definition, session);
    const replaceOne = async () => await definitions.replaceDefinition(session.run, list, stamped);
    // One at a time, or two items for one list would report each other as a conflict.
    const replaced = await session.inTurn(async () => await session.once(replaceOne));
    return { list_id: list, ...replaced };
  },
});

export const definition: Resource = {
  option: { name: 'Definition', value: 'definition' },
  operations: [get, getFilterFields, previewCount, replace],
  defaultOperation: get,
};
