/** How an endpoint divides its list into pages. */
export interface Paging {
  /** With `page` and `limit` (API spec: Conventions, rule 4), or with `offset` and `limit` (API spec: Lists). */
  readonly by: 'page' | 'offset';
  /** Rows per page. */
  readonly size: number;
}

/** Range of rows that one request reads. */
export interface PageRange {
  /** Index of the first row, counted from 0. */
  readonly from: number;
  readonly limit: number;
  readonly query: Readonly<Record<string, number>>;
}

/** Returns the largest range that starts at a row and has up to `most` rows. */
export function toPageRange(by: Paging['by'], from: number, most: number): PageRange {
  if (by === 'offset') return { from, limit: most, query: { limit: most, offset: from } };
  // A page can only start at a multiple of its own size, so it may have to be smaller.
  let limit = most;
  while (from % limit !== 0) limit -= 1;
  return { from, limit, query: { page: from / limit + 1, limit } };
}

/** Rows per page of a streamed list, and of all its prefetched pages; they determine its memory use. */
export const STREAMED_PAGE_SIZE = 2_000;
/** Maximum pages of a streamed list in flight. A key has up to 10 requests per second (API spec: Rate limits). */
const STREAMED_PREFETCH = 10;
/** Maximum pages of one list in flight. */
const MAX_PREFETCH = 90;

/**
 * Returns the maximum pages in flight of a list with a known total.
 *
 * @param pagesRead Pages that have arrived, because a total alone does not justify many requests.
 */
export function getPrefetchLimit(pagesRead: number, size: number, streamed: boolean): number {
  return streamed
    ? Math.min(STREAMED_PREFETCH, Math.ceil(STREAMED_PAGE_SIZE / size))
    : Math.min(MAX_PREFETCH, 4 + 4 * pagesRead);
}
