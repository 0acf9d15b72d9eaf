import { identityOf, findRow, rowWith, type Row } from '../../run/answers/rows';
import type { RowSearch } from '../../run/answers/find-rows';
import { ALL_ROWS, type Listing, type RowRange } from '../../run/listing/listing';
import { readFoundPage } from '../../run/answers/page';
import { byAnswer } from '../../run/listing/paging';
import type { GetRows, Run } from '../../run/run';
import { quote } from '../../input/quote';
import { requestOf } from '../endpoint';
import { api } from '../endpoints';
import { acknowledged, postOnce, remove } from './effects';
import { wordsOfDefinition, wordsOfList } from './words';

/** The status alone says that something was made. */
const CREATED = 201;

/** Fields by which a list is found in an answer. */
const LIST_FIELDS = ['list_id', 'name'];

/**
 * `GET /v1/lists`: the lists that the caller can see, each with the caller's `access_level`
 * (interface: Lists). Free. The envelope and any paging are not shown, hence read tolerantly.
 *
 * @param range which of them; all if left out.
 */
export async function listLists(run: Run, range: RowRange = ALL_ROWS): Promise<Listing> {
  return await rowsByAnswer(run, range, {
    ...requestOf(api.lists, {}),
    read: (json) => readFoundPage(json, LISTS_SEARCH),
    idOf: idOfList,
  });
}

const LISTS_SEARCH: RowSearch = {
  names: ['lists'],
  groups: ['my_lists', 'shared_with_me'],
  hasId: (row) => idOfList(row) !== undefined,
};

/** A list's id. */
export function idOfList(list: Row): string | undefined {
  return ownId(list, 'list_id');
}

function listIn(json: unknown): Row {
  return rowWith(findRow(json, LIST_FIELDS), [...LIST_FIELDS, 'id', 'definition']);
}

/**
 * `GET /v1/lists/{list_id}`: one list with definition and permissions (interface: Lists). Free.
 *
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 */
export async function getList(run: Run, listId: string): Promise<Row> {
  return await run.row({
    ...requestOf(api.list, { list_id: listId }),
    words: wordsOfList(listId),
    read: listIn,
  });
}

/**
 * `POST /v1/lists`: creates a list (interface: Lists). Free. Sent again, it would create another, so
 * it is sent again only when it surely was not processed.
 *
 * @param body `name`, and `definition` where the list is to have one from the start.
 * @returns the list with its `list_id` and definition; where the service says 201 without
 * it, what was sent, with the `list_id` of the `Location` header if there is one.
 * @throws {UnprocessableError} for a malformed or unbounded definition.
 * @throws {UnknownOutcomeError} when the list may or may not have been created.
 */
export async function createList(run: Run, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...requestOf(api.createList, {}),
    body,
    // Without a definition it is the name, or another field, that was refused.
    ...(body.definition === undefined ? {} : { words: wordsOfDefinition }),
    check: `Look for a list named ${quote(body.name)} with Get Many of Company List before you run this again.`,
    read: ({ json, status, headers }) => {
      if (status !== CREATED) return listIn(json);
      const [, id] = /\/lists\/([^/?#]+)/.exec(headers.location ?? '') ?? [];
      const list = acknowledged(json, LIST_FIELDS);
      return idOfList(list) === undefined
        ? { ...(id === undefined ? {} : { list_id: id }), ...body, ...list }
        : list;
    },
  });
}

/**
 * `PATCH /v1/lists/{list_id}`: renames a list (interface: Lists). Free. A name that is given twice is
 * the same name, so it may be sent again.
 *
 * @param body not shown by the interface; `name`.
 * @returns what the service says about the list, if anything.
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 */
export async function renameList(run: Run, listId: string, body: Row): Promise<Row> {
  return await run.request({
    ...requestOf(api.renameList, { list_id: listId }),
    body,
    repeatable: true,
    words: wordsOfList(listId),
    read: ({ json }) => acknowledged(json, LIST_FIELDS),
  });
}

/**
 * `DELETE /v1/lists/{list_id}`: deletes a list (interface: Lists). Free. May be sent again; see
 * {@link remove}.
 *
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 */
export async function deleteList(run: Run, listId: string): Promise<void> {
  await remove(run, {
    ...requestOf(api.deleteList, { list_id: listId }),
    words: wordsOfList(listId),
    isThere: async () => {
      const { rows } = await listLists(run);
      return rows.some((list) => idOfList(list) === listId);
    },
  });
}

/**
 * `POST /v1/lists/{list_id}/owner`: gives a list to another user (interface: Lists). Free. Once it is
 * done the caller may not do it again, so that a second sending would be refused and hide that it
 * was done: it is sent again only when it surely was not processed.
 *
 * @param body not shown by the interface; names the user.
 * @returns what the service says about the list, if anything.
 * @throws {NotFoundError} when there is no such list or user, or the caller may not see the list.
 * @throws {UnknownOutcomeError} when the list may or may not have a new owner.
 */
export async function transferOwnership(run: Run, listId: string, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...requestOf(api.transferOwnership, { list_id: listId }),
    body,
    check: 'See who owns the list with Get of Company List before you run this again.',
    words: wordsOfList(listId, 'there is no such user'),
    read: ({ json }) => acknowledged(json, LIST_FIELDS),
  });
}

const PERMISSION_FIELDS = ['permission_id', 'access_level'];

/**
 * `GET /v1/lists/{list_id}/permissions`: who has access (interface: Lists). Free. Envelope, paging
 * and the fields of a permission are not shown, hence read tolerantly.
 *
 * @param range which of them; all if left out.
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 */
export async function listPermissions(
  run: Run,
  listId: string,
  range: RowRange = ALL_ROWS,
): Promise<Listing> {
  return await rowsByAnswer(run, range, {
    ...requestOf(api.permissions, { list_id: listId }),
    words: wordsOfList(listId),
    read: (json) => readFoundPage(json, PERMISSIONS_SEARCH),
    idOf: idOfPermission,
  });
}

const PERMISSIONS_SEARCH: RowSearch = {
  names: ['permissions'],
  groups: ['users', 'org_wide', 'viewers', 'editors'],
  hasId: (row) => idOfPermission(row) !== undefined,
};

/** A permission's id, as in the path that revokes it. */
export function idOfPermission(permission: Row): string | undefined {
  return ownId(permission, 'permission_id');
}

/**
 * `POST /v1/lists/{list_id}/permissions`: grants `editor` or `viewer`, to a user or `org_wide`
 * (interface: Lists). Free. Whether a second grant replaces the first is not shown, so it is sent
 * again only when it surely was not processed.
 *
 * @param body not shown by the interface; level and to whom.
 * @returns what the service says about the permission, if anything.
 * @throws {NotFoundError} when there is no such list or user, or the caller may not see the list.
 * @throws {UnknownOutcomeError} when access may or may not have been granted.
 */
export async function grantAccess(run: Run, listId: string, body: Row): Promise<Row> {
  return await postOnce(run, {
    ...requestOf(api.grantAccess, { list_id: listId }),
    body,
    check: 'See who has access with Get Many of the Permission resource before you run this again.',
    words: wordsOfList(listId, 'there is no such user'),
    read: ({ json }) => acknowledged(json, PERMISSION_FIELDS),
  });
}

/**
 * `DELETE /v1/lists/{list_id}/permissions/{permission_id}`: revokes access (interface: Lists). Free.
 * May be sent again; see {@link remove}.
 *
 * @throws {NotFoundError} when there is no such list or permission, or the caller may not see the list.
 */
export async function revokeAccess(run: Run, listId: string, permissionId: string): Promise<void> {
  await remove(run, {
    ...requestOf(api.revokeAccess, { list_id: listId, permission_id: permissionId }),
    words: wordsOfList(listId, `it has no permission ${quote(permissionId)}`),
    isThere: async () => {
      const { rows } = await listPermissions(run, listId);
      return rows.some((permission) => idOfPermission(permission) === permissionId);
    },
  });
}

/**
 * Rows of an endpoint of which neither envelope nor paging is shown (interface: Lists). They are free,
 * and so read from the first one on wherever the range begins.
 *
 * @throws what {@link Run.rows} throws.
 */
async function rowsByAnswer(
  run: Run,
  range: RowRange,
  source: Pick<GetRows, 'path' | 'words' | 'read' | 'idOf'>,
): Promise<Listing> {
  const { wanted, skip = 0 } = range;
  const listing = await run.rows({
    ...source,
    paging: byAnswer,
    creditsPerRow: 0,
    wanted: wanted === undefined ? undefined : skip + wanted,
  });
  return { ...listing, rows: listing.rows.slice(skip) };
}

/** A row's id: under the interface's name for it, or the usual `id`. */
function ownId(row: Row, name: string): string | undefined {
  return identityOf(row[name]) ?? identityOf(row.id);
}
