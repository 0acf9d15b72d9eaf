import { CancelledError, ServiceError } from '../../client/errors';
import { countOf } from '../answers/count';
import { followingOf, pagesLeft, saidMore } from '../answers/cursor';
import type { Groups } from '../answers/grouped-rows';
import { isRow, rowsOf, rowsUnder, without, type Row } from '../answers/rows';
import { pagingOf, rowsAnywhere } from '../answers/rows-anywhere';

/** One page as it came. */
export interface Page {
  readonly rows: readonly Row[];
  /** What the envelope holds beside rows and pagination: `technology`, `company`, `type_counts`, … */
  readonly context: Row;
  readonly pagination: {
    readonly limit: number | undefined;
    readonly totalResults: number | undefined;
    readonly hasNext: boolean | undefined;
  };
  /** True when the answer speaks of page numbers, as the standard pagination object does. */
  readonly countsPages?: boolean;
  /** Parameters that the next page is asked for with, where the answer has a cursor for it. */
  readonly next?: Readonly<Record<string, string>> | undefined;
}

/** All rows that were wanted, in the order of the service. */
export interface Listing {
  readonly rows: readonly Row[];
  readonly context: Row;
  /** Rows there are in all, when the service said so. */
  readonly total: number | undefined;
  /** Why there are no rows behind these, where what had arrived is kept. */
  readonly failure?: ServiceError;
}

/** Which rows of a list are wanted. */
export interface RowRange {
  /** How many; undefined for all. */
  readonly wanted: number | undefined;
  /** Rows to leave out before the first; none if left out. */
  readonly skip?: number;
  /** True when rows are passed on page by page: few are read ahead, so that memory stays bounded. */
  readonly streamed?: boolean;
  /** True when rows that have arrived are wanted although a later page fails: they are paid for. */
  readonly keepsArrived?: boolean;
}

/**
 * Reads a page's envelope.
 *
 * @param key where the rows are: `data` in the standard envelope.
 * @throws {InvalidResponseError} when there are no rows there.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const rows = rowsOf(rowsUnder(json, key));
  const envelope = isRow(json) ? json : {};
  const given = [envelope.links, envelope.meta, envelope.pagination].filter(isRow);
  const said = Object.assign({}, envelope, ...given) as Row;
  return {
    rows,
    context: without(envelope, [key, 'pagination']),
    pagination: {
      limit: countOf(said.limit, 1),
      totalResults: countOf(said.total_results, 0),
      hasNext: saidMore(said) ?? hintedMore(said),
    },
  };
}

/** What an address or the number of pages tells. That no address is there tells nothing. */
function hintedMore(said: Row): boolean | undefined {
  const left = pagesLeft(said);
  if (left === true || followingOf(said).hasMore === true) return true;
  return countOf(said.total_results) === undefined ? left : undefined;
}

/**
 * Reads a page of which the interface shows neither envelope nor paging.
 *
 * @param names that the rows may have, the likeliest first.
 * @param groups see {@link rowsAnywhere}.
 * @throws {InvalidResponseError} when there is no list at all.
 */
export function readPageAnywhere(json: unknown, names: readonly string[], groups?: Groups): Page {
  const { rows, beside } = rowsAnywhere(json, names, groups);
  const { total, hasMore, next } = pagingOf(beside);
  return {
    rows,
    context: {},
    pagination: { limit: undefined, totalResults: total, hasNext: hasMore },
    ...(next === undefined || hasMore === false ? {} : { next }),
    countsPages: [beside, ...Object.values(beside)].some(
      (said) =>
        isRow(said) && (typeof said.page === 'number' || typeof said.has_next === 'boolean'),
    ),
  };
}

/** Every row of a list. */
export const ALL_ROWS: RowRange = { wanted: undefined };

/**
 * The rows of a range of a list of which nobody knows how to begin in the middle; its rows are free.
 *
 * @param read reads so many rows from the first one on; all for undefined.
 */
export async function readFromStart(
  { wanted, skip = 0 }: RowRange,
  read: (wanted: number | undefined) => Promise<Listing>,
): Promise<Listing> {
  const listing = await read(wanted === undefined ? undefined : skip + wanted);
  return { ...listing, rows: listing.rows.slice(skip) };
}

/**
 * All rows of the pages, and what the first one says beside them.
 *
 * @param keepsArrived see {@link RowRange}.
 * @throws {ServiceError} when a page fails, unless rows have come that are to be kept.
 */
export async function listingOf(
  pages: AsyncIterable<Page>,
  keepsArrived = false,
): Promise<Listing> {
  const all: Page[] = [];
  let failure: ServiceError | undefined;
  try {
    for await (const page of pages) all.push(page);
  } catch (error) {
    const isKept = keepsArrived && all.some(({ rows }) => rows.length > 0);
    if (!isKept || !(error instanceof ServiceError) || error instanceof CancelledError) throw error;
    failure = error;
  }
  return {
    ...(failure === undefined ? {} : { failure }),
    rows: all.flatMap(({ rows }) => [...rows]),
    context: all[0]?.context ?? {},
    total: all[0]?.pagination.totalResults,
  };
}
