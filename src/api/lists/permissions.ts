import { path } from '../../client/call';
import type { Row } from '../../run/answers/rows';
import { ALL_ROWS, readPageAnywhere, type Listing, type RowRange } from '../../run/listing/pages';
import type { Run } from '../../run/run';
import { quote } from '../../input/quote';
import { acknowledged, postOnce, remove } from './effects';
import { ownId, rowsByAnswer } from './rows-by-answer';
import { wordsOfList } from './words';

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
    path: path`/v1/lists/${listId}/permissions`,
    words: wordsOfList(listId),
    read: (json) => readPageAnywhere(json, ['permissions', 'data']),
    idOf: idOfPermission,
  });
}

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
    path: path`/v1/lists/${listId}/permissions`,
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
    path: path`/v1/lists/${listId}/permissions/${permissionId}`,
    words: wordsOfList(listId, `it has no permission ${quote(permissionId)}`),
    isThere: async () => {
      const { rows } = await listPermissions(run, listId);
      return rows.some((permission) => idOfPermission(permission) === permissionId);
    },
  });
}
