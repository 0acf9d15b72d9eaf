import type { CallOptions, Client } from '../../client/client';
import { path } from '../../client/path';
import { getRowsAnywhere } from '../get';
import type { RowsSoFar } from '../pages-anywhere';
import { quote } from '../quote';
import type { Row } from '../rows';
import { acknowledged, postOnce, remove } from './effects';
import { listNotFound } from './not-found';

/** Levels that can be granted (interface: Resources, List). */
export const ACCESS_LEVELS = ['editor', 'viewer'] as const;

const PERMISSION_FIELDS = ['permission_id', 'access_level'];

/**
 * `GET /v1/lists/{list_id}/permissions`: who has access (interface: Lists). Free. Envelope, paging
 * and the fields of a permission are not shown, hence read tolerantly.
 *
 * @param wanted number of permissions; undefined for all.
 * @throws {NotFoundError} when there is no such list, or the caller may not see it.
 */
export async function listPermissions(
  client: Client,
  listId: string,
  wanted: number | undefined,
  options: CallOptions,
): Promise<RowsSoFar> {
  return await getRowsAnywhere(
    client,
    {
      path: path`/v1/lists/${listId}/permissions`,
      notFound: listNotFound(listId),
      rowsNames: ['permissions', 'data'],
      idOf: idOfPermission,
      wanted,
    },
    options,
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
export async function grantAccess(
  client: Client,
  listId: string,
  body: Row,
  options: CallOptions,
): Promise<Row> {
  return await postOnce(
    client,
    {
      path: path`/v1/lists/${listId}/permissions`,
      body,
      check:
        'See who has access with Get Many of the Permission resource before you run this again.',
      notFound: listNotFound(listId, 'there is no such user'),
      read: ({ json }) => acknowledged(json, PERMISSION_FIELDS),
    },
    options,
  );
}

/**
 * `DELETE /v1/lists/{list_id}/permissions/{permission_id}`: revokes access (interface: Lists). Free.
 * May be sent again; see {@link remove}.
 *
 * @throws {NotFoundError} when there is no such list or permission, or the caller may not see the list.
 */
export async function revokeAccess(
  client: Client,
  listId: string,
  permissionId: string,
  options: CallOptions,
): Promise<void> {
  await remove(
    client,
    {
      path: path`/v1/lists/${listId}/permissions/${permissionId}`,
      notFound: listNotFound(listId, `it has no permission ${quote(permissionId)}`),
      isThere: async () => {
        const { rows } = await listPermissions(client, listId, undefined, options);
        return rows.some((permission) => idOfPermission(permission) === permissionId);
      },
    },
    options,
  );
}
