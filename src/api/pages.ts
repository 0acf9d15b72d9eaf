import type { CallOptions } from '../client/client';
import type { NotAttemptedError } from '../client/errors';
import { inParallel } from '../client/parallel';
import { notAttempted } from './ends-the-run';
import type { ApiOptions } from './options';
import { isRow, rowsUnder, type Row } from './rows';

/** Which rows one request asks for (interface: Conventions, rule 4). */
export interface PageRequest {
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
}

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
}

/** All rows that were wanted, in the order of the service. */
export interface Listing {
  readonly rows: readonly Row[];
  readonly context: Row;
  /** Rows there are in all, when the service said so. */
  readonly total: number | undefined;
}

export interface ListingRequest {
  /** How many rows; undefined for all. */
  readonly wanted: number | undefined;
  /** The endpoint's largest `limit`. */
  readonly pageSize: number;
  /** Credits one row costs at most: 1, or 0 where reading is free. */
  readonly creditsPerRow: number;
  readonly fetch: (request: PageRequest, options: CallOptions) => Promise<Page>;
}

/**
 * Reads a page's envelope.
 *
 * @param key where the rows are: `data` in the standard envelope.
 * @throws {InvalidResponseError} when there are no rows there.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const rows = rowsUnder(json, key).filter(isRow);
  const envelope = isRow(json) ? json : {};
  const context = Object.fromEntries(
    Object.entries(envelope).filter(([name]) => name !== key && name !== 'pagination'),
  );
  const given = isRow(envelope.pagination) ? envelope.pagination : {};
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return {
    rows,
    context,
    pagination: {
      limit: number(given.limit),
      totalResults: number(given.total_results),
      hasNext: typeof given.has_next === 'boolean' ? given.has_next : undefined,
    },
  };
}

/**
 * Reads as many rows as are wanted and never asks for more, because rows are billed. Pages are asked
 * for by number; `next_url` is not followed, it could lead the key to another host. When the first
 * page tells the total, the others are fetched in parallel.
 */
export async function readListing(request: ListingRequest, options: ApiOptions): Promise<Listing> {
  const { wanted = Infinity } = request;
  const asked = await firstPageSize(request, options);
  const first = await fetchPage(request, options, { page: 1, limit: asked });
  const pageSize = Math.min(asked, first.pagination.limit ?? asked);
  const total = first.pagination.totalResults;
  const rows = [...first.rows];
  if (rows.length > 0 && total === undefined) {
    await readOn(request, options, first, pageSize, rows);
  } else if (rows.length > 0) {
    const end = endOfPages(Math.min(wanted, total ?? 0), request, options, pageSize);
    const plan = planPages(Math.min(rows.length, pageSize), end, pageSize);
    for (const page of await readRest(request, options, plan)) rows.push(...page.rows);
  }
  return {
    rows: wanted < rows.length ? rows.slice(0, wanted) : rows,
    context: first.context,
    total,
  };
}

/**
 * How many rows the first page asks for. When all rows are wanted and Max Credits does not cover a
 * full page, a single row tells how long the list is, so that a short one can be read and a long one
 * is refused for 1 credit.
 */
async function firstPageSize(request: ListingRequest, options: ApiOptions): Promise<number> {
  if (request.wanted !== undefined) return Math.min(request.wanted, request.pageSize);
  const covered = (options.guard?.available ?? Infinity) / request.creditsPerRow;
  if (request.pageSize <= covered || covered < 1) return request.pageSize;
  const { pagination } = await fetchPage(request, options, { page: 1, limit: 1 });
  return Math.max(1, Math.min(request.pageSize, pagination.totalResults ?? request.pageSize));
}

/**
 * How far pages reach. Where all rows are wanted the last page may be as large as the others, because
 * nothing beyond the last row can be billed; not so where Max Credits must hold even if rows are
 * added meanwhile.
 */
function endOfPages(
  lastRow: number,
  { wanted }: ListingRequest,
  { guard }: ApiOptions,
  pageSize: number,
): number {
  return wanted === undefined && guard?.limit === undefined && lastRow > pageSize
    ? Math.ceil(lastRow / pageSize) * pageSize
    : lastRow;
}

/** All pages or none: half a list that was paid for would be thrown away. */
async function readRest(
  request: ListingRequest,
  options: ApiOptions,
  plan: readonly PageRequest[],
): Promise<Page[]> {
  options.guard?.check(plan.reduce((sum, { limit }) => sum + limit, 0) * request.creditsPerRow);
  let stopped: NotAttemptedError | undefined;
  const stoppable: ApiOptions = {
    ...options,
    beforeSend: () => {
      if (stopped !== undefined) throw stopped;
      options.beforeSend?.();
    },
  };
  return await inParallel(plan, async (page) => {
    try {
      return await fetchPage(request, stoppable, page);
    } catch (error) {
      // What still waits for its turn would be billed for nothing.
      stopped ??= notAttempted(error);
      throw error;
    }
  });
}

/** Without a total, the pages tell one by one whether there is another. */
async function readOn(
  request: ListingRequest,
  options: ApiOptions,
  first: Page,
  pageSize: number,
  rows: Row[],
): Promise<void> {
  const { wanted = Infinity } = request;
  let last = first;
  let limit = pageSize;
  while (rows.length < wanted && (last.pagination.hasNext ?? last.rows.length >= limit)) {
    const [next] = planPages(rows.length, Math.min(wanted, rows.length + pageSize), pageSize);
    if (next === undefined || last.rows.length === 0) return;
    last = await fetchPage(request, options, next);
    limit = next.limit;
    rows.push(...last.rows);
  }
}

async function fetchPage(
  request: ListingRequest,
  options: ApiOptions,
  page: PageRequest,
): Promise<Page> {
  const spend = async () => await request.fetch(page, options);
  const credits = (answer: Page) => answer.rows.length * request.creditsPerRow;
  return options.guard === undefined
    ? await spend()
    : await options.guard.spend(page.limit * request.creditsPerRow, spend, credits);
}

/**
 * The pages that cover rows `from` to `to` and not one row more. A page can only begin at a multiple
 * of its own size, so the last ones may have to be smaller.
 */
export function planPages(from: number, to: number, pageSize: number): PageRequest[] {
  const pages: PageRequest[] = [];
  let at = from;
  while (at < to) {
    let limit = Math.min(pageSize, to - at);
    while (at % limit !== 0) limit -= 1;
    pages.push({ page: at / limit + 1, limit });
    at += limit;
  }
  return pages;
}
