import type { Call, CallOptions, Client } from '../client/client';
import type { ApiOptions } from './options';
import { listingOf, readPage, readPages, type Listing, type Page, type RowRange } from './pages';
import { readPagesAnywhere, type RowsSoFar } from './pages-anywhere';
import { rowWith, type Row } from './rows';
import { rowsAnywhere } from './rows-anywhere';

/** A read of the interface. */
export interface Get {
  /** Built with the `path` template. */
  readonly path: string;
  readonly query?: Call<unknown>['query'];
  readonly notFound?: Call<unknown>['notFound'];
}

/** A read that is answered with one object. */
export interface GetRow extends Get {
  /** Fields of which the object has one; see {@link rowWith}. */
  readonly fields: readonly string[];
  /** Credits it can cost. */
  readonly credits: number;
  /** Credits an answer cost at most; `credits` if left out. */
  readonly creditsOf?: (row: Row) => number;
}

/** A read that is answered in pages. */
export interface GetRows extends Get, RowRange {
  /** Where the envelope has its rows; `data` unless the interface says otherwise. */
  readonly rowsKey?: string;
  /** The endpoint's largest `limit` (interface: Size and pagination bounds). */
  readonly pageSize: number;
  /** 0 where reading is free; 1 if left out. */
  readonly creditsPerRow?: number;
}

/** A free read of rows of which the interface shows neither envelope nor paging. */
export interface GetRowsAnywhere extends Get {
  /** Names the rows may have, the likeliest first. */
  readonly rowsNames: readonly string[];
  /** A row's id; undefined for one that has none. */
  readonly idOf: (row: Row) => string | undefined;
  /** Number of rows; undefined for all. */
  readonly wanted: number | undefined;
}

/** Reads one object. */
export async function getRow(
  client: Client,
  { fields, credits, creditsOf = () => credits, ...get }: GetRow,
  { guard, ...options }: ApiOptions,
): Promise<Row> {
  const send = async () =>
    await client.request(
      { ...get, method: 'GET', repeatable: true, read: ({ json }) => rowWith(json, fields) },
      options,
    );
  return guard === undefined ? await send() : await guard.spend(credits, send, creditsOf);
}

/** Reads as many rows as are wanted, page by page, and what the first page says beside them. */
export async function getRows(
  client: Client,
  request: GetRows,
  options: ApiOptions,
): Promise<Listing> {
  return await listingOf(getPages(client, request, options));
}

/** The same as pages, one by one and in order; see {@link readPages}. */
export function getPages(
  client: Client,
  { path, query, rowsKey, creditsPerRow = 1, ...range }: GetRows,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  return readPages(
    {
      ...range,
      creditsPerRow,
      fetch: async (page, callOptions) =>
        await client.request(
          {
            path,
            method: 'GET',
            query: { ...query, ...page },
            repeatable: true,
            read: ({ json }) => readPage(json, rowsKey),
          },
          callOptions,
        ),
    },
    options,
  );
}

/** Reads as many rows as are wanted, wherever answers have them and however they have pages. */
export async function getRowsAnywhere(
  client: Client,
  { rowsNames, idOf, wanted, ...get }: GetRowsAnywhere,
  options: CallOptions,
): Promise<RowsSoFar> {
  return await readPagesAnywhere(
    async (position) =>
      await client.request(
        {
          ...get,
          method: 'GET',
          query: { ...get.query, ...position },
          repeatable: true,
          read: ({ json }) => rowsAnywhere(json, rowsNames),
        },
        options,
      ),
    (row) => idOf(row) ?? JSON.stringify(row),
    wanted,
  );
}
