export interface Paging {
  /** With `page` (API spec: Conventions, rule 4) or `offset` (API spec: Lists), and with `limit`. */
  readonly by: 'page' | 'offset';
  readonly size: number;
}

export interface PageRange {
  /** Counted from 0. */
  readonly from: number;
  readonly limit: number;
  readonly query: Readonly<Record<string, number>>;
}

export function toPageRange(by: Paging['by'], from: number, most: number): PageRange {
  if (by === 'offset') return { from, limit: most, query: { limit: most, offset: from } };
  // A page can only start at a multiple of its own size.
  let limit = most;
  while (from % limit !== 0) limit -= 1;
  return { from, limit, query: { page: from / limit + 1, limit } };
}

/** Of a streamed list, and of all its prefetched pages: they determine its memory use. */
export const STREAMED_PAGE_SIZE = 2_000;
/** A key has up to 10 requests per second (API spec: Rate limits). */
const STREAMED_PREFETCH = 10;
const MAX_PREFETCH = 90;

/** @param pagesRead A total alone does not justify many requests. */
export function getPrefetchLimit(pagesRead: number, size: number, streamed: boolean): number {
  return streamed
    ? Math.min(STREAMED_PREFETCH, Math.ceil(STREAMED_PAGE_SIZE / size))
    : Math.min(MAX_PREFETCH, 4 + 4 * pagesRead);
}
