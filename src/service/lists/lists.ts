import { toRowId, readRowWithAnyField } from '../../run/responses/rows';
import type { Run } from '../../run/run';
import type { Row } from '../../values/json';
import { quote } from '../../values/text';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';
import { deleteResource, postOnce, readAcknowledgement } from './effects';
import { DEFINITION_REFUSED } from './error-texts';

const CREATED = 201;

const LIST_FIELDS = ['list_id', 'name'];

export function getListId(list: Row): string | undefined {
  return readOwnId(list, 'list_id');
}

function readList(json: unknown): Row {
  return readRowWithAnyField(json, ['list_id', 'id', 'definition', 'permissions', 'access_level']);
}

export async function getList(run: Run, listId: string): Promise<Row> {
  return await run.readRow({
    ...buildRequest(api.list, { list_id: listId }),
    read: readList,
  });
}

/** Returns the list; after a 201 without it, the sent body with the `list_id` of the `Location` header. */
export async function createList(run: Run, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...buildRequest(api.createList, {}),
    body,
    // Without a definition, the service refused the name or another field.
    ...(body.definition === undefined ? {} : { errorTexts: DEFINITION_REFUSED }),
    check: `Check with Company List: Get Many whether a list named ${quote(body.name)} exists before you run this again.`,
    read: ({ json, status, headers }) => {
      if (status !== CREATED) return readList(json);
      const [, id] = /\/lists\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
      const list = readAcknowledgement(json, LIST_FIELDS);
      return getListId(list) === undefined
        ? { ...(id === undefined ? {} : { list_id: id }), ...body, ...list }
        : list;
    },
  });
}

export async function renameList(run: Run, listId: string, body: Row): Promise<Row> {
  return await run.request({
    ...buildRequest(api.renameList, { list_id: listId }),
    body,
    repeatable: true,
    read: ({ json }) => readAcknowledgement(json, LIST_FIELDS),
  });
}

export async function deleteList(run: Run, listId: string): Promise<void> {
  await deleteResource(run, {
    ...buildRequest(api.deleteList, { list_id: listId }),
  });
}

/** The former owner may not transfer the list again, so a retry would be refused and hide the success. */
export async function transferOwnership(run: Run, listId: string, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...buildRequest(api.transferOwnership, { list_id: listId }),
    body,
    check: 'Check who owns the list with Company List: Get before you run this again.',
    read: ({ json }) => readAcknowledgement(json, LIST_FIELDS),
  });
}

const PERMISSION_FIELDS = ['permission_id', 'access_level'];

export function getPermissionId(permission: Row): string | undefined {
  return readOwnId(permission, 'permission_id');
}

/** The API spec does not show whether a second grant replaces the first, so it is sent once. */
export async function grantAccess(run: Run, listId: string, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...buildRequest(api.grantAccess, { list_id: listId }),
    body,
    check: 'Check who has access with Permission: Get Many before you run this again.',
    read: ({ json }) => readAcknowledgement(json, PERMISSION_FIELDS),
  });
}

export async function revokeAccess(run: Run, listId: string, permissionId: string): Promise<void> {
  await deleteResource(run, {
    ...buildRequest(api.revokeAccess, { list_id: listId, permission_id: permissionId }),
  });
}

function readOwnId(row: Row, name: string): string | undefined {
  return toRowId(row[name]) ?? toRowId(row.id);
}
