import type { Answer } from '../../client/client';
import { saysError } from '../../client/error-body';
import {
  CancelledError,
  invalidResponse,
  InvalidResponseError,
  ServiceError,
} from '../../client/errors';
import { countOf } from '../answers/count';
import { followingOf, pagesLeft, pagingOf, saidMore } from '../answers/cursor';
import { isRow, rowsOf, rowsUnder, without, type Row } from '../answers/rows';
import { rowsAnywhere, type Groups } from '../answers/rows-anywhere';

/** One page as it came. */
export interface Page {
  readonly rows: readonly Row[];
  /** What the envelope holds beside rows and pagination: `technology`, `company`, `type_counts`, … */
  readonly context: Row;
  /** True when the answer has no list at all. */
  readonly isSilent?: true;
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
  /** True when a part of the list is worth nothing: what may not be all of it is an error. */
  readonly whole?: boolean;
}

/** A page of an answer that is where a list should be, and has none. */
const NO_LIST: Page = {
  rows: [],
  context: {},
  pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
  isSilent: true,
};

const ACCEPTED = 202;
const NO_CONTENT = 204;

/** What an answer calls itself that is not finished. */
const IS_PENDING =
  /^(?:accepted|building|calculating|computing|in[_ -]?progress|materiali[sz]ing|pending|preparing|processing|queued|running|started)$/i;

/**
 * Reads the page of an answer. One without a body, or without anything in it, has no rows; one without
 * rows that is accepted, but not finished, is not ready.
 *
 * @param read finds the page in the JSON.
 * @throws {InvalidResponseError} when there is no list, or it is not ready, or the answer is an error.
 */
export function pageOf({ status, headers, json }: Answer, read: (json: unknown) => Page): Page {
  const page = isNothing(status, json) ? NO_LIST : read(json);
  if (page.rows.length > 0) return hasLink(headers.link) ? withMore(page) : page;
  const said = isRow(json) ? [json.status, json.state].map(String) : [];
  if (status === ACCEPTED || said.some((word) => IS_PENDING.test(word))) {
    throw new InvalidResponseError({
      code: 'not_ready',
      message: 'The service is still working on this list',
      hint: 'Run again in a minute or two.',
    });
  }
  if (saysError(json)) throw invalidResponse('The answer is an error');
  return page;
}

/** Whether a `Link` header names a next page (RFC 8288); its address is not followed. */
function hasLink(link = ''): boolean {
  return /;\s*rel\s*=\s*"?(?:[\w-]+\s+)*next\b/i.test(link);
}

function withMore(page: Page): Page {
  const { pagination } = page;
  return { ...page, pagination: { ...pagination, hasNext: pagination.hasNext ?? true } };
}

function isNothing(status: number, json: unknown): boolean {
  if (status === NO_CONTENT) return json === undefined;
  return isRow(json) && Object.values(json).every((value) => value === null);
}

/**
 * Reads a page's envelope.
 *
 * @param key where the rows are: `data` in the standard envelope.
 * @throws {InvalidResponseError} when there are no rows there.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const envelope = isRow(json) ? json : {};
  const rows = envelope[key] === null ? [] : rowsOf(rowsUnder(json, key));
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

/** All rows, or none; see {@link RowRange.whole}. */
export const WHOLE_LIST: RowRange = { ...ALL_ROWS, whole: true };

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
