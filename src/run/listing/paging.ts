import type { Page } from '../responses/page';
import type { GetRowId } from './distinct-rows';

/** Range of rows that one request reads. */
export interface PageRange {
  /** Index of the first row, counted from 0. */
  readonly from: number;
  /** Number of rows; Infinity if the service decides. */
  readonly limit: number;
  readonly query: Readonly<Record<string, number | string>>;
}

/** A page and the range it was requested with. */
export interface FetchedPage {
  readonly slice: PageRange;
  readonly page: Page;
}

/** Paging method of an endpoint. Pure. */
export interface Paging {
  /** Page sizes to try, the largest first; more than one if the API spec shows none. */
  readonly sizes: readonly number[];
  /**
   * Returns the largest range that starts at a row and has up to `most` rows.
   *
   * @param before Previous page; undefined for the first one.
   */
  readonly slice: (from: number, most: number, before?: FetchedPage) => PageRange;
  /**
   * Returns the maximum pages in flight if the total is known.
   *
   * @param taken Pages that have arrived, because a total alone does not justify many requests.
   * @param streamed See `RowRange`.
   */
  readonly prefetch: (taken: number, streamed: boolean) => number;
  /** After which pages further ones may follow if the response does not say. */
  readonly silent: 'any' | 'full' | 'none';
  /** Whether a page with a size other than requested may have started at another row. */
  readonly beginsBySize: boolean;
  /** Error code for a list that repeats rows; undefined if a warning is enough. */
  readonly ifStuck: string | undefined;
}

/** Rows per page of a streamed list, and of all its prefetched pages; they determine its memory use. */
export const STREAMED_PAGE_SIZE = 2_000;
/** Maximum pages of a streamed list in flight. A key has up to 10 requests per second (API spec: Rate limits). */
const STREAMED_PREFETCH = 10;
/** Maximum pages of one list in flight, after many pages have arrived. */
const MAX_PREFETCH = 90;

/**
 * Returns the paging method with `page` and `limit` (API spec: Conventions, rule 4).
 *
 * @param size Maximum `limit` of the endpoint.
 */
export function pageNumberPaging(size: number): Paging {
  return {
    sizes: [size],
    slice: (from, most) => {
      // A page can only start at a multiple of its own size, so the last ones may have to be smaller.
      let limit = most;
      while (from % limit !== 0) limit -= 1;
      return { from, limit, query: { page: from / limit + 1, limit } };
    },
    prefetch: (taken, streamed) =>
      streamed
        ? Math.min(STREAMED_PREFETCH, Math.ceil(STREAMED_PAGE_SIZE / size))
        : Math.min(MAX_PREFETCH, 4 + 4 * taken),
    silent: 'full',
    beginsBySize: true,
    ifStuck: 'page_ignored',
  };
}

/** Page size to try first if the API spec shows no maximum `limit` (Size and pagination bounds). */
export const ASSUMED_MAX_PAGE_SIZE = 1000;

/** Paging with `limit` and `offset`, whose bounds the API spec does not show (Lists, members), or with the response's cursor if it has one. */
export const offsetPaging: Paging = {
  sizes: [ASSUMED_MAX_PAGE_SIZE, 500, 200, 100, 50, 20, 10, 5, 1],
  slice: (from, limit, before) => ({
    from,
    limit,
    query: { limit, ...(before?.page.next ?? { offset: from }) },
  }),
  prefetch: (_taken, streamed) => (streamed ? 2 : 6),
  // The API spec shows no maximum page size, so a short page may be a full one.
  silent: 'any',
  beginsBySize: false,
  ifStuck: 'offset_ignored',
};

/**
 * Paging in the way of the last response: the first request has no parameters; after that, it uses the
 * response's cursor, the next page number if the response counts pages, or otherwise the offset. It sends
 * no `limit`, because the API spec shows none.
 */
export const adaptivePaging: Paging = {
  sizes: [Infinity],
  slice: (from, _most, before) => ({ from, limit: Infinity, query: toNextQuery(from, before) }),
  prefetch: () => 1,
  silent: 'none',
  beginsBySize: false,
  ifStuck: undefined,
};

function toNextQuery(from: number, before: FetchedPage | undefined): PageRange['query'] {
  if (before === undefined) return {};
  const { page, slice } = before;
  if (page.next !== undefined) return page.next;
  if (page.countsPages !== true) return { offset: from };
  return { page: Number(slice.query.page ?? 1) + 1 };
}

/** Returns whether a page has as many rows as requested, or as the service states as its limit. */
export function isFull({ slice, page: { rows, pagination } }: FetchedPage): boolean {
  return rows.length >= Math.min(slice.limit, pagination.limit ?? Infinity);
}

/** Returns whether further pages may follow if the response does not say. */
export function mayHaveNextPage(
  at: FetchedPage,
  { paging: { silent }, idOf }: { readonly paging: Paging; readonly idOf?: GetRowId },
): boolean {
  if (silent !== 'none' && isFull(at)) return true;
  const { rows } = at.page;
  const [first] = rows;
  // An entry without an ID can be anything, and different each time.
  const isRow = first !== undefined && idOf?.(first) !== undefined;
  return silent === 'any' && (rows.length > 1 || isRow);
}

/** Returns the actual page size if a page shows, or may show, that it differs from the requested one; otherwise undefined. */
export function findActualPageSize({ slice, page }: FetchedPage): number | undefined {
  const { rows, pagination } = page;
  if (pagination.limit !== undefined && pagination.limit < slice.limit) return pagination.limit;
  if (rows.length === 0 || slice.limit === Infinity) return undefined;
  const end = slice.from + rows.length;
  const goesOn = pagination.hasNext ?? (pagination.totalResults ?? Infinity) > end;
  return rows.length > slice.limit || (goesOn && rows.length < slice.limit)
    ? rows.length
    : undefined;
}

/** Returns whether a page states that no row follows it. */
export function isLastPage({ slice, page: { rows, pagination } }: FetchedPage): boolean {
  const { hasNext, totalResults } = pagination;
  return totalResults === undefined
    ? hasNext === false
    : totalResults <= slice.from + rows.length && hasNext !== true;
}
