import type { Client } from '../../client/client';
import { path } from '../../client/path';
import type { ApiOptions } from '../options';
import { readPagesAnywhere, type RowsSoFar } from '../pages-anywhere';
import type { Row } from '../rows';
import { rowsAnywhere } from '../rows-anywhere';

/**
 * `GET /v1/lists`: the lists that the caller can see, each with the caller's `access_level`
 * (interface: Lists). Free. The envelope and any paging are not shown, hence read tolerantly.
 *
 * @param wanted number of lists; undefined for all.
 */
export async function listLists(
  client: Client,
  wanted: number | undefined,
  { signal, beforeSend }: ApiOptions,
): Promise<RowsSoFar> {
  return await readPagesAnywhere(
    async (position) =>
      await client.request(
        {
          method: 'GET',
          path: path`/v1/lists`,
          query: position,
          repeatable: true,
          read: ({ json }) => rowsAnywhere(json, ['lists', 'data']),
        },
        { signal, beforeSend },
      ),
    (list) => idOfList(list) ?? JSON.stringify(list),
    wanted,
  );
}

/** A list's id: `list_id`, as the interface names it, or the usual `id`. */
export function idOfList(list: Row): string | undefined {
  const id = list.list_id ?? list.id;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
