import type { Page } from '../answers/page';
import type { IdOf } from './distinct-rows';

/** Rows of a list that one request asks for. */
export interface Slice {
  /** The first of them, counted from 0. */
  readonly from: number;
  /** How many; Infinity where the service decides. */
  readonly limit: number;
  readonly query: Readonly<Record<string, number | string>>;
}

/** A page, and what it was asked for with. */
export interface Taken {
  readonly slice: Slice;
  readonly page: Page;
}

/** A way in which an endpoint has pages. Pure. */
export interface Paging {
  /** Page sizes the endpoint may take, the largest first; more than one where none is shown. */
  readonly sizes: readonly number[];
  /**
   * The largest slice that begins at a row and holds `most` rows at most.
   *
   * @param before the page before it; undefined for the first.
   */
  readonly slice: (from: number, most: number, before?: Taken) => Slice;
  /**
   * Pages that may be under way at once where the total is known.
   *
   * @param taken pages that have come so far: a total alone is not to be trusted with many requests.
   * @param streamed see `RowRange`.
   */
  readonly ahead: (taken: number, streamed: boolean) => number;
  /** Behind which pages that say nothing about others there may be others. */
  readonly silent: 'any' | 'full' | 'none';
  /** Whether a page of another size than was asked for may have begun at another row. */
  readonly beginsBySize: boolean;
  /** The error of a list that sends the same rows again; undefined where it is told and no more. */
  readonly ifStuck: string | undefined;
}

/** Rows of a page of a streamed list, and of those that are read ahead: they are what it takes in memory. */
export const STREAMED_PAGE = 2_000;
/** Pages of a streamed list under way at once: a key has ten requests a second at most (interface: Rate limits). */
const STREAMED_AHEAD = 10;
/** Pages under way at once for one list, when it has proved to be long. */
const MOST_AHEAD = 90;

/**
 * `page` and `limit` (interface: Conventions, rule 4).
 *
 * @param size the endpoint's largest `limit`.
 */
export function byPage(size: number): Paging {
  return {
    sizes: [size],
    slice: (from, most) => {
      // A page can only begin at a multiple of its own size, so the last ones may have to be smaller.
      let limit = most;
      while (from % limit !== 0) limit -= 1;
      return { from, limit, query: { page: from / limit + 1, limit } };
    },
    ahead: (taken, streamed) =>
      streamed
        ? Math.min(STREAMED_AHEAD, Math.ceil(STREAMED_PAGE / size))
        : Math.min(MOST_AHEAD, 4 + 4 * taken),
    silent: 'full',
    beginsBySize: true,
    ifStuck: 'page_ignored',
  };
}

/** What is tried first, where the interface shows no largest `limit` (Size and pagination bounds). */
export const LARGEST_PAGE = 1000;

/** `limit` and `offset`, of which the interface shows no bounds (Lists, members); the cursor of an answer that has one. */
export const byOffset: Paging = {
  sizes: [LARGEST_PAGE, 500, 200, 100, 50, 20, 10, 5, 1],
  slice: (from, limit, before) => ({
    from,
    limit,
    query: { limit, ...(before?.page.next ?? { offset: from }) },
  }),
  ahead: (_taken, streamed) => (streamed ? 2 : 6),
  // The largest page is not shown, so that a short one may be a full one.
  silent: 'any',
  beginsBySize: false,
  ifStuck: 'offset_ignored',
};

/**
 * In the way in which the last answer speaks of pages: nothing is asked for at first, then the next
 * page number where it counts pages, or else the offset. No `limit` is sent where none is shown.
 */
export const byAnswer: Paging = {
  sizes: [Infinity],
  slice: (from, _most, before) => ({ from, limit: Infinity, query: queryAfter(from, before) }),
  ahead: () => 1,
  silent: 'none',
  beginsBySize: false,
  ifStuck: undefined,
};

function queryAfter(from: number, before: Taken | undefined): Slice['query'] {
  if (before === undefined) return {};
  const { page, slice } = before;
  if (page.next !== undefined) return page.next;
  if (page.countsPages !== true) return { offset: from };
  return { page: Number(slice.query.page ?? 1) + 1 };
}

/** Whether a page holds as many rows as were asked for, or as the service says it serves. */
export function isFull({ slice, page: { rows, pagination } }: Taken): boolean {
  return rows.length >= Math.min(slice.limit, pagination.limit ?? Infinity);
}

/** Whether others may follow a page where nobody says whether they do. */
export function mayBeFollowed(
  at: Taken,
  { paging: { silent }, idOf }: { readonly paging: Paging; readonly idOf?: IdOf },
): boolean {
  if (silent !== 'none' && isFull(at)) return true;
  const { rows } = at.page;
  const [first] = rows;
  // What nothing tells from others may be anything, and different each time.
  const isRow = first !== undefined && idOf?.(first) !== undefined;
  return silent === 'any' && (rows.length > 1 || isRow);
}

/** The size that pages really have, where a page of another one shows it, or may show it. */
export function sizeShownBy({ slice, page }: Taken): number | undefined {
  const { rows, pagination } = page;
  if (pagination.limit !== undefined && pagination.limit < slice.limit) return pagination.limit;
  if (rows.length === 0 || slice.limit === Infinity) return undefined;
  const end = slice.from + rows.length;
  const goesOn = pagination.hasNext ?? (pagination.totalResults ?? Infinity) > end;
  return rows.length > slice.limit || (goesOn && rows.length < slice.limit)
    ? rows.length
    : undefined;
}

/** Whether there is no row behind a page, as it says itself. */
export function isWhole({ slice, page: { rows, pagination } }: Taken): boolean {
  const { hasNext, totalResults } = pagination;
  return totalResults === undefined
    ? hasNext === false
    : totalResults <= slice.from + rows.length && hasNext !== true;
}
