import { toRowSource } from '../../src/service/endpoint';
import { api } from '../../src/service/endpoints';
import * as lists from '../../src/service/lists/lists';
import { parseListName } from '../../src/input/inputs';
import type { Resource } from '../../src/n8n/operation';
import { parameter } from '../../src/n8n/parameters/declare';
import { outputList } from '../../src/n8n/items/output-list';
import { perItem } from '../../src/n8n/items/per-item';
import { listId } from '../shared/list';
import { offset, paging } from '../shared/listParameters';
import { createOptions } from '../shared/options';
import { definitionJson, definitionNotice, withRegistryVersion } from './definition';
import { user } from './permission';

const listName = parameter(
  {
    displayName: 'Name',
    name: 'name',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'e.g. Shopify merchants in Germany',
    description: 'The name of the list',
  },
  parseListName,
);

const create = perItem({
  option: {
    name: 'Create',
    value: 'create',
    description:
      "Create a list; equal items share one. Free. Retry On Fail won't create it twice; Retry execution will.",
    action: 'Create list',
  },
  returns: 'list_id, name, definition',
  parameters: {
    name: listName,
    definitionNotice,
    definition: definitionJson,
  },
  execute: async ({ name, definition }, session) => {
    const isEmpty = Object.keys(definition).length === 0;
    const own = isEmpty ? {} : { definition: await withRegistryVersion(definition, session) };
    return await session.once(async () => await lists.createList(session.run, { name, ...own }));
  },
});

const deleteList = perItem({
  option: {
    name: 'Delete',
    value: 'delete',
    description: 'Delete a list permanently. Free.',
    action: 'Delete list',
  },
  returns: 'list_id, deleted',
  parameters: { list_id: listId },
  execute: async ({ list_id }, { run, once }) => {
    await once(async () => await lists.deleteList(run, list_id), { repeatable: true });
    return { list_id, deleted: true };
  },
});

const get = perItem({
  option: {
    name: 'Get',
    value: 'get',
    description: 'Get a list with its definition and permissions. Free.',
    action: 'Get list',
  },
  returns: 'list_id, name, access_level, definition',
  parameters: { listId },
  execute: async (values, { run }) => await lists.getList(run, values.listId),
});

const getMany = perItem({
  option: {
    name: 'Get Many',
    value: 'getMany',
    description: "Get all lists this user can see, with the user's access level. Free.",
    action: 'Get many lists',
  },
  returns: 'list_id, name, access_level',
  parameters: { wanted: paging, options: createOptions({ offset }) },
  execute: async (parameters, session) =>
    await outputList(session, parameters, toRowSource(session.run, api.lists, {})),
});

const rename = perItem({
  option: {
    name: 'Rename',
    value: 'rename',
    description: 'Rename a list. Free.',
    action: 'Rename list',
  },
  returns: 'list_id, name',
  parameters: {
    list_id: listId,
    name: listName,
  },
  execute: async ({ list_id, name }, { run, once }) => ({
    list_id,
    name,
    ...(await once(async () => await lists.renameList(run, list_id, { name }), {
      repeatable: true,
    })),
  }),
});

const transferOwnership = perItem({
  option: {
    name: 'Transfer Ownership',
    value: 'transferOwnership',
    description: 'Make another user the owner of a list. Free. Only the new owner can undo it.',
    action: 'Transfer list ownership',
  },
  returns: 'list_id',
  parameters: {
    list_id: listId,
    owner: user('The new owner'),
  },
  execute: async ({ list_id, owner }, { run, once }) => ({
    list_id,
    ...(await once(async () => await lists.transferOwnership(run, list_id, owner))),
  }),
});

export const list: Resource = {
  option: { name: 'List', value: 'list' },
  operations: [create, deleteList, get, getMany, rename, transferOwnership],
  defaultOperation: getMany,
};
