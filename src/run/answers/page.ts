import type { Answer } from '../../client/client';
import { saysError } from '../../client/error-body';
import { invalidResponse } from '../../client/errors';
import { findRows, type RowSearch } from './find-rows';
import { countOf, isRow, rowsOf, rowsUnder, without, type Row } from './rows';

/** One page as it came: its rows, and what it says of others. */
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
  /**
   * True when the answer speaks of page numbers, as the standard pagination object does: a list of
   * which no parameter is shown, such as `GET /v1/lists`, then goes on by `page`, else by `offset`.
   */
  readonly countsPages?: boolean;
  /** Parameters that the next page is asked for with, where the answer has a cursor for it. */
  readonly next?: Readonly<Record<string, string>> | undefined;
}

/** A page of an answer that is where a list should be, and has none. */
const NO_LIST: Page = {
  rows: [],
  context: {},
  pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
  isSilent: true,
};

const NO_CONTENT = 204;

/**
 * Reads the page of an answer. One without a body, or without anything in it, has no rows.
 *
 * @param read finds the page in the JSON.
 * @throws {InvalidResponseError} when there is no list, or the answer is an error.
 */
export function pageOf({ status, json }: Answer, read: (json: unknown) => Page): Page {
  const page = isNothing(status, json) ? NO_LIST : read(json);
  if (page.rows.length === 0 && saysError(json)) throw invalidResponse('The answer is an error');
  return page;
}

function isNothing(status: number, json: unknown): boolean {
  if (status === NO_CONTENT) return json === undefined;
  return isRow(json) && Object.values(json).every((value) => value === null);
}

/**
 * Reads a page's envelope, with the standard pagination object (interface: Conventions, rule 4). Rows
 * come out whatever it lacks.
 *
 * @param key where the rows are: `data` in the standard envelope.
 * @throws {InvalidResponseError} when there are no rows there.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const envelope = isRow(json) ? json : {};
  const said = isRow(envelope.pagination) ? envelope.pagination : {};
  const hasAddress = typeof said.next_url === 'string' && said.next_url !== '';
  return {
    rows: rowsOf(rowsUnder(json, key)),
    context: without(envelope, [key, 'pagination']),
    pagination: {
      limit: countOf(said.limit, 1),
      totalResults: countOf(said.total_results),
      hasNext: saidMore(said) ?? (hasAddress || undefined),
    },
  };
}

/**
 * Reads a page whose envelope and paging the API spec does not show. Totals and cursors are read next
 * to the rows and up to two levels deeper, as in `{ meta: { pagination: { total: 3 } } }`. A bare
 * `count` is no total: it may be that of the page.
 *
 * @param search see {@link findRows}.
 * @param wholeCounts fields that count the whole list, of which this request may read a part; the
 * first that is there counts. None under a filter that none of them is about.
 * @throws {InvalidResponseError} when there is no list, or more than one that could be meant.
 */
export function readFoundPage(
  json: unknown,
  search: RowSearch,
  wholeCounts: readonly string[] = ['total_count'],
): Page {
  const { rows, envelope } = findRows(json, search);
  const inner = Object.values(envelope).filter(isRow);
  const innermost = inner.flatMap((row) => Object.values(row).filter(isRow));
  const said = Object.assign({}, ...innermost, ...inner, envelope) as Row;
  const following = followingOf(said);
  const hasNext = saidMore(said) ?? following.hasMore;
  return {
    rows,
    context: {},
    pagination: {
      limit: undefined,
      totalResults: totalIn(said, wholeCounts, rows.length),
      hasNext,
    },
    ...(following.query === undefined || hasNext === false ? {} : { next: following.query }),
    countsPages: typeof said.page === 'number' || typeof said.has_next === 'boolean',
  };
}

/** The total that a response states; one that is capped, or below the rows of its own page, is none. */
function totalIn(said: Row, wholeCounts: readonly string[], rows: number): number | undefined {
  if (said.capped === true) return undefined;
  const totals = [...wholeCounts, 'total_results', 'total'].map((name) => countOf(said[name]));
  const total = totals.find((count) => count !== undefined);
  return total === undefined || total < rows ? undefined : total;
}

// --- What an answer says of more -----------------------------------------------------------------

/** Fields that say in so many words whether there is more. */
const MORE = ['has_more', 'has_next'];

/** Where an answer speaks of the next page by a word of its own, and the parameter it is asked for with. */
const CURSORS: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  next_page_token: 'page_token',
};

/** Fields that may hold the address of the next page; it is read, never followed. */
const ADDRESSES = ['next', 'next_url', 'next_page', 'next_link'];

/** Parameters of such an address that say where the next page begins. */
const PARAMETERS = [...Object.values(CURSORS), 'after', 'page'];

function saidMore(said: Row): boolean | undefined {
  return MORE.map((name) => said[name]).find((value) => typeof value === 'boolean');
}

/** Whether a page follows, as far as cursors and addresses tell, and what it is asked for with. */
function followingOf(said: Row): {
  readonly query?: Page['next'];
  readonly hasMore: boolean | undefined;
} {
  for (const [field, parameter] of Object.entries(CURSORS)) {
    const value = said[field];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) {
      return { query: { [parameter]: String(value) }, hasMore: true };
    }
    if (value === null || value === '') return { hasMore: false };
  }
  const address = ADDRESSES.map((name) => said[name]).find((value) => value !== undefined);
  const next = isRow(address) ? address.href : address;
  if (address === undefined) return { hasMore: undefined };
  if (next === null || next === '' || next === false) return { hasMore: false };
  return { query: typeof next === 'string' ? cursorIn(next) : undefined, hasMore: true };
}

function cursorIn(next: string): Page['next'] {
  const [, parameters] = /\?([^#]*)/.exec(next) ?? [];
  if (parameters === undefined) return /[/:]/.test(next) ? undefined : { cursor: next };
  const found = [...new URLSearchParams(parameters)].filter(([name]) => PARAMETERS.includes(name));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
