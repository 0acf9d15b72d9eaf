import type { CallOptions } from '../client/client';
import { CancelledError, type ServiceError } from '../client/errors';
import { RUN_CONCURRENT } from '../client/limiter/key-limiter';
import { inOrder } from '../client/parallel';
import { notAttempted } from './ends-the-run';
import type { ApiOptions } from './options';
import { isRow, rowsOf, rowsUnder, type Row } from './rows';

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

/** Which rows of a list are wanted. */
export interface RowRange {
  /** How many; undefined for all. */
  readonly wanted: number | undefined;
  /** Rows to leave out before the first; none if left out. */
  readonly skip?: number;
  /** True when rows are passed on page by page: few are read ahead, so that memory stays bounded. */
  readonly streamed?: boolean;
}

export interface ListingRequest extends RowRange {
  /** The endpoint's largest `limit`. */
  readonly pageSize: number;
  /** Credits one row costs at most: 1, or 0 where reading is free. */
  readonly creditsPerRow: number;
  readonly fetch: (request: PageRequest, options: CallOptions) => Promise<Page>;
}

/** Rows of a streamed list that are read before they are taken: one of the largest pages. */
const ROWS_AHEAD = 10_000;

/**
 * Reads a page's envelope.
 *
 * @param key where the rows are: `data` in the standard envelope.
 * @throws {InvalidResponseError} when there are no rows there.
 */
export function readPage(json: unknown, key = 'data'): Page {
  const rows = rowsOf(rowsUnder(json, key));
  const envelope = isRow(json) ? json : {};
  const context = Object.fromEntries(
    Object.entries(envelope).filter(([name]) => name !== key && name !== 'pagination'),
  );
  const given = isRow(envelope.pagination) ? envelope.pagination : {};
  const count = (value: unknown, min: number) =>
    Number.isSafeInteger(value) && Number(value) >= min ? Number(value) : undefined;
  return {
    rows,
    context,
    pagination: {
      limit: count(given.limit, 1),
      totalResults: count(given.total_results, 0),
      hasNext: typeof given.has_next === 'boolean' ? given.has_next : undefined,
    },
  };
}

/**
 * Reads as many rows as are wanted, page by page and in order, and never asks for more, because rows
 * are billed. Pages are asked for by number; `next_url` is not followed, it could lead the key to
 * another host. When the first page tells the total, the others are read in parallel, ahead of what
 * was taken.
 *
 * There is always a first page, if only an empty one. Nothing is sent before it is taken.
 */
export async function* readPages(
  request: ListingRequest,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  let left = request.wanted ?? Infinity;
  for await (const page of pagesOf(request, options)) {
    yield left < page.rows.length ? { ...page, rows: page.rows.slice(0, left) } : page;
    left -= page.rows.length;
  }
}

/** All rows of the pages, and what the first one says beside them. */
export async function listingOf(pages: AsyncIterable<Page>): Promise<Listing> {
  const all: Page[] = [];
  for await (const page of pages) all.push(page);
  return {
    rows: all.flatMap(({ rows }) => rows),
    context: all[0]?.context ?? {},
    total: all[0]?.pagination.totalResults,
  };
}

async function* pagesOf(
  request: ListingRequest,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  let start: Start | undefined = await readFirst(request, options);
  yield start.first;
  const rest = pagesAfter(start, request, options);
  // A million rows may follow, during which these are not kept.
  start = undefined;
  yield* rest;
}

function pagesAfter(
  { first, limit, pageSize }: Start,
  request: ListingRequest,
  options: ApiOptions,
): AsyncGenerator<Page, void, undefined> {
  const { wanted = Infinity, skip = 0 } = request;
  const { totalResults: total = Infinity } = first.pagination;
  if (first.rows.length > 0 && total === Infinity) {
    return readOn(request, options, { last: first, limit, pageSize });
  }
  const next = skip + Math.min(first.rows.length, limit);
  const end = Math.min(skip + wanted, total);
  const isEnd = first.rows.length === 0 || next >= end;
  const reach = isEnd ? next : endOfPages(end, request, options, pageSize);
  return readRest(request, options, planPages(next, reach, pageSize));
}

/** The first page, how many rows it could hold, and how many the others can. */
interface Start {
  readonly first: Page;
  readonly limit: number;
  readonly pageSize: number;
}

async function readFirst(request: ListingRequest, options: ApiOptions): Promise<Start> {
  const { skip = 0 } = request;
  const asked = pageAt(skip, await firstPageSize(request, options));
  const first = await fetchPage(request, options, asked);
  const served = first.pagination.limit ?? asked.limit;
  if (served >= asked.limit) return { first, limit: asked.limit, pageSize: request.pageSize };
  if (skip === 0) return { first, limit: served, pageSize: served };
  // Smaller pages than were asked for begin elsewhere: this was not the one that begins at `skip`.
  const again = pageAt(skip, served);
  const page = await fetchPage(request, options, again);
  return { first: page, limit: again.limit, pageSize: served };
}

/**
 * How many rows the first page asks for. When all rows are wanted and Max Credits does not cover a
 * full page, a single row tells how long the list is, so that a short one can be read and a long one
 * is refused for 1 credit.
 */
async function firstPageSize(request: ListingRequest, options: ApiOptions): Promise<number> {
  const { wanted, pageSize, skip = 0 } = request;
  if (wanted !== undefined) return Math.min(wanted, pageSize);
  const covered = (options.guard?.available ?? Infinity) / request.creditsPerRow;
  if (pageSize <= covered || covered < 1) return pageSize;
  const { pagination } = await fetchPage(request, options, { page: skip + 1, limit: 1 });
  const { totalResults = Infinity } = pagination;
  return Math.max(1, Math.min(pageSize, totalResults - skip));
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

/**
 * Reads planned pages ahead of the one that is taken. Max Credits must cover all of them before the
 * first is sent: half a list that was paid for would be thrown away.
 */
async function* readRest(
  request: ListingRequest,
  options: ApiOptions,
  plan: readonly PageRequest[],
): AsyncGenerator<Page, void, undefined> {
  const { guard } = options;
  let held = plan.reduce((sum, { limit }) => sum + limit, 0) * request.creditsPerRow;
  guard?.check(held);
  guard?.reserve(held);
  const release = (credits: number): void => {
    held -= credits;
    guard?.settle(credits, 0);
  };
  let stopped: ServiceError | undefined;
  const stoppable: ApiOptions = {
    ...options,
    beforeSend: () => {
      if (stopped !== undefined) throw stopped;
      options.beforeSend?.();
    },
  };
  const ahead =
    request.streamed === true ? Math.ceil(ROWS_AHEAD / request.pageSize) : RUN_CONCURRENT;
  try {
    yield* inOrder(plan, ahead, async (page) => {
      try {
        // What was held for this page is what it reserves now.
        release(page.limit * request.creditsPerRow);
        return await fetchPage(request, stoppable, page);
      } catch (error) {
        stopped ??= notAttempted(error);
        throw error;
      }
    });
  } finally {
    // What still waits for its turn would be billed for nothing.
    stopped ??= new CancelledError();
    release(held);
  }
}

/** Without a total, the pages tell one by one whether there is another. */
async function* readOn(
  request: ListingRequest,
  options: ApiOptions,
  first: { readonly last: Page; readonly limit: number; readonly pageSize: number },
): AsyncGenerator<Page, void, undefined> {
  const { wanted = Infinity, skip = 0 } = request;
  const { pageSize } = first;
  let { last, limit } = first;
  let taken = last.rows.length;
  while (taken < wanted && (last.pagination.hasNext ?? last.rows.length >= limit)) {
    const next = pageAt(skip + taken, Math.min(pageSize, wanted - taken));
    last = await fetchPage(request, options, next);
    if (last.rows.length === 0) return;
    yield last;
    limit = next.limit;
    taken += last.rows.length;
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
    const page = pageAt(at, Math.min(pageSize, to - at));
    pages.push(page);
    at += page.limit;
  }
  return pages;
}

/** The largest page that begins at a row, counted from 0, and holds `most` rows at most. */
function pageAt(row: number, most: number): PageRequest {
  let limit = most;
  while (row % limit !== 0) limit -= 1;
  return { page: row / limit + 1, limit };
}
