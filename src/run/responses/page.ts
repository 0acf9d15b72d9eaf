import type { ApiResponse } from '../../client/client';
import { isErrorBody } from '../../client/response';
import { createInvalidResponseError } from '../../client/errors';
import { findRows, type RowSearch } from './find-rows';
import { parseCount, isRow, wrapRows, readArrayField, omitFields, type Row } from './rows';

/** One page as it arrived: its rows, and what it says about further pages. */
export interface Page {
  readonly rows: readonly Row[];
  /** Envelope fields other than rows and pagination: `technology`, `company`, `type_counts`, … */
  readonly context: Row;
  /** True if the response has no list at all. */
  readonly isSilent?: true;
  readonly pagination: {
    readonly limit: number | undefined;
    readonly totalResults: number | undefined;
    readonly hasNext: boolean | undefined;
  };
  /**
   * True if the response uses page numbers, as the standard pagination object does. A list whose
   * parameters the API spec does not show, such as `GET /v1/lists`, then continues with `page`,
   * otherwise with `offset`.
   */
  readonly countsPages?: boolean;
  /** Query parameters of the next page; undefined if the response has no cursor. */
  readonly next?: Readonly<Record<string, string>> | undefined;
}

/** Page of a response that should contain a list but has none. */
export const NO_LIST: Page = {
  rows: [],
  context: {},
  pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
  isSilent: true,
};

const NO_CONTENT = 204;

/**
 * Reads the page of a response. A response without a body, or with null fields only, has no rows.
 *
 * @param read Finds the page in the JSON.
 * @throws {InvalidResponseError} if there is no list, or the response is an error.
 */
export function toPage({ status, json }: ApiResponse, read: (json: unknown) => Page): Page {
  const page = isEmptyResponse(status, json) ? NO_LIST : read(json);
  if (page.rows.length === 0 && isErrorBody(json))
    throw createInvalidResponseError('The response is an error');
  return page;
}

function isEmptyResponse(status: number, json: unknown): boolean {
  if (status === NO_CONTENT) return json === undefined;
  return isRow(json) && Object.values(json).every((value) => value === null);
}

/**
 * Reads a page's envelope with the standard pagination object (API spec: Conventions, rule 4). The rows
 * are returned even if pagination fields are missing.
 *
 * @param key Field with the rows: `data` in the standard envelope.
 * @throws {InvalidResponseError} if that field contains no rows.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const envelope = isRow(json) ? json : {};
  const said = isRow(envelope.pagination) ? envelope.pagination : {};
  const hasAddress = typeof said.next_url === 'string' && said.next_url !== '';
  return {
    rows: wrapRows(readArrayField(json, key)),
    context: omitFields(envelope, [key, 'pagination']),
    pagination: {
      limit: parseCount(said.limit, 1),
      totalResults: parseCount(said.total_results),
      hasNext: readHasMore(said) ?? (hasAddress || undefined),
    },
  };
}

/**
 * Reads a page whose envelope and paging the API spec does not show. Totals and cursors are read next
 * to the rows and up to two levels deeper, as in `{ meta: { pagination: { total: 3 } } }`. A bare
 * `count` is not a total, because it can be the count of the page.
 *
 * @param search See {@link findRows}.
 * @param wholeCounts Fields that count the whole list, of which this request may read a part; the first
 * existing one is used. Empty if a filter is set to which none of the counts applies.
 * @throws {InvalidResponseError} if there is no list, or more than one candidate.
 */
export function readUndocumentedPage(
  json: unknown,
  search: RowSearch,
  wholeCounts: readonly string[] = ['total_count'],
): Page {
  const { rows, envelope } = findRows(json, search);
  const inner = Object.values(envelope).filter(isRow);
  const innermost = inner.flatMap((row) => Object.values(row).filter(isRow));
  const said = Object.assign({}, ...innermost, ...inner, envelope) as Row;
  const following = readNext(said);
  const hasNext = readHasMore(said) ?? following.hasMore;
  return {
    rows,
    context: {},
    pagination: {
      limit: undefined,
      totalResults: readTotal(said, wholeCounts, rows.length),
      hasNext,
    },
    ...(following.query === undefined || hasNext === false ? {} : { next: following.query }),
    countsPages: typeof said.page === 'number' || typeof said.has_next === 'boolean',
  };
}

/** Returns the total of a response; undefined if it is missing, capped, or lower than the rows of its own page. */
function readTotal(said: Row, wholeCounts: readonly string[], rows: number): number | undefined {
  if (said.capped === true) return undefined;
  const totals = [...wholeCounts, 'total_results', 'total'].map((name) => parseCount(said[name]));
  const total = totals.find((count) => count !== undefined);
  return total === undefined || total < rows ? undefined : total;
}

// --- Further pages -------------------------------------------------------------------------------

/** Fields that state explicitly whether there are more rows. */
const MORE = ['has_more', 'has_next'];

/** Cursor fields of a response, and the query parameter for each. */
const CURSORS: Readonly<Record<string, string>> = {
  next_cursor: 'cursor',
  next_page_token: 'page_token',
};

/** Fields that may contain the URL of the next page, which is parsed but never followed. */
const ADDRESSES = ['next', 'next_url', 'next_page', 'next_link'];

/** Query parameters of such a URL that state where the next page starts. */
const PARAMETERS = [...Object.values(CURSORS), 'after', 'page'];

function readHasMore(said: Row): boolean | undefined {
  return MORE.map((name) => said[name]).find((value) => typeof value === 'boolean');
}

/** Reads from cursors and URLs whether another page follows, and its query parameters. */
function readNext(said: Row): {
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
  return { query: typeof next === 'string' ? readCursor(next) : undefined, hasMore: true };
}

function readCursor(next: string): Page['next'] {
  const [, parameters] = /\?([^#]*)/.exec(next) ?? [];
  if (parameters === undefined) return /[/:]/.test(next) ? undefined : { cursor: next };
  const found = [...new URLSearchParams(parameters)].filter(([name]) => PARAMETERS.includes(name));
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
