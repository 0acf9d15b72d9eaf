import type { ApiResponse } from '../../client/client';
import { isErrorBody } from '../../client/response';
import { createInvalidResponseError } from '../../client/errors';
import { findRows, type RowSearch } from './find-rows';
import { parseCount, isJsonObject, type Row } from '../../values/json';
import { wrapRows, omitFields, readArrayField } from './rows';

export interface Page {
  readonly rows: readonly Row[];
  /** Other than rows and pagination: `technology`, `company`, `type_counts`, … */
  readonly context: Row;
  readonly pagination: {
    readonly limit?: number | undefined;
    readonly totalResults?: number | undefined;
    readonly hasNext?: boolean | undefined;
    /** An undocumented response has the standard pagination (API spec: Conventions, rule 4). */
    readonly isStandard?: boolean;
  };
}

/** RFC 8288, as GitHub and GitLab send it. */
const NEXT_LINK = /;\s*rel="?next\b/i;

export function toPage({ json, headers }: ApiResponse, read: (json: unknown) => Page): Page {
  const page = read(json);
  if (page.rows.length === 0 && isErrorBody(json)) {
    throw createInvalidResponseError('The response is an error');
  }
  const { pagination } = page;
  if (pagination.hasNext !== undefined || !NEXT_LINK.test(headers.link ?? '')) return page;
  return { ...page, pagination: { ...pagination, hasNext: true } };
}

/**
 * Reads a page with the standard pagination object (API spec: Conventions, rule 4), whose fields may be missing.
 *
 * @throws {InvalidResponseError} if the field `key` contains no rows.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const envelope = isJsonObject(json) ? json : {};
  const said = isJsonObject(envelope.pagination) ? envelope.pagination : {};
  return {
    rows: wrapRows(readArrayField(json, key)),
    context: omitFields(envelope, [key, 'pagination']),
    pagination: {
      limit: parseCount(said.limit, 1),
      totalResults: parseCount(said.total_results),
      hasNext: readHasNext(said),
    },
  };
}

/**
 * Totals and signs of further pages are read next to the rows and in the objects there: `{ meta: { total: 3 } }`
 * (Laravel), `{ page: { totalElements: 3 } }` (Spring).
 *
 * @param wholeCounts Fields that count the whole list, of which this request may read a part; the first existing
 * one is used. Empty if a filter is set to which none of the counts applies.
 * @throws {InvalidResponseError} if there is no list, or more than one candidate.
 */
export function readUndocumentedPage(
  json: unknown,
  search: RowSearch,
  wholeCounts: readonly string[] = ['total_count'],
): Page {
  const { rows, envelope } = findRows(json, search);
  const said = Object.assign({}, ...Object.values(envelope).filter(isJsonObject), envelope) as Row;
  const { pagination, has_next, next_url } = envelope;
  const standard = isJsonObject(pagination) ? pagination : {};
  return {
    rows,
    context: {},
    pagination: {
      limit: parseCount(standard.limit, 1),
      totalResults: readTotal(said, wholeCounts, rows.length),
      hasNext: readHasNext(said),
      isStandard: [pagination, has_next, next_url].some((value) => value !== undefined),
    },
  };
}

/** `count` (Django) and others can also be the number of rows of the page. */
const TOTALS = ['total_results', 'total', 'totalElements'];

function readTotal(said: Row, wholeCounts: readonly string[], rows: number): number | undefined {
  if (said.capped === true) return undefined;
  const total = [...wholeCounts, ...TOTALS]
    .map((name) => parseCount(said[name]))
    .find((count) => count !== undefined);
  const count = total ?? parseCount(said.count, rows + 1);
  return count === undefined || count < rows ? undefined : count;
}

function readHasNext(said: Row): boolean | undefined {
  const { has_next, has_more = has_next, last, total_pages } = said;
  if (typeof has_more === 'boolean') return has_more;
  const pages = parseCount(total_pages);
  const page = parseCount(said.page, 1);
  if (pages !== undefined && page !== undefined) return page < pages;
  if (typeof last === 'boolean') return !last;
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const { next_url, next, next_cursor, next_page_token } = said;
  return [next_url, next, next_cursor, next_page_token].some(isText) || undefined;
}
