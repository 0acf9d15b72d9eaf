import { path } from '../../client/path';
import type { Row } from '../../run/answers/rows';
import {
  ALL_ROWS,
  readFromStart,
  readPageAnywhere,
  type Listing,
  type RowRange,
} from '../../run/listing/pages';
import { byAnswer } from '../../run/listing/paging';
import type { Run } from '../../run/run';
import { quote } from '../quote';
import { acknowledged, postOnce, remove } from './effects';
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
  return await readFromStart(
    range,
    async (wanted) =>
      await run.rows({
        path: path`/v1/lists/${listId}/permissions`,
        words: wordsOfList(listId),
        read: (json) => readPageAnywhere(json, ['permissions', 'data']),
        paging: byAnswer,
        creditsPerRow: 0,
        idOf: idOfPermission,
        wanted,
      }),
  );
}

/** A permission's id: `permission_id`, as in the path that revokes it, or the usual `id`. */
export function idOfPermission(permission: Row): string | undefined {
  const id = permission.permission_id ?? permission.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
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
