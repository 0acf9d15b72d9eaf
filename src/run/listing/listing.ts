import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../responses/rows';
import type { GetRowId } from './distinct-rows';
import type { Paging, PageRange } from './paging';

/** The rows of a list to read. */
export interface RowRange {
  /** Number of rows; undefined for all. */
  readonly wanted: number | undefined;
  /** Number of rows to skip before the first; default 0. */
  readonly skip?: number;
  /** Whether rows are passed on page by page. Fewer pages are prefetched then, to limit memory. */
  readonly streamed?: boolean;
  /** Whether only the whole list is usable. Missing rows are an error then, unless they are very few. */
  readonly whole?: boolean;
}

/** A list to read. */
export interface ListingRequest extends RowRange {
  readonly paging: Paging;
  /** True if reading is free; otherwise a row costs up to 1 credit. */
  readonly isFree?: boolean;
  readonly idOf: GetRowId;
  /**
   * Requests a page.
   *
   * @param first Whether no response has arrived yet. Only the first request can make the service recompute.
   */
  readonly fetch: (range: PageRange, first: boolean, options: CallOptions) => Promise<Page>;
}

/** The requested rows, in the order of the service. */
export interface Listing {
  readonly rows: readonly Row[];
  /** Fields of the first page other than its rows. */
  readonly context: Row;
  /** Total number of rows in the list, if the service stated it. */
  readonly total: number | undefined;
  /** The failure of a page after the first. The rows of the other pages are kept, because they were charged. */
  readonly failure?: ServiceError;
}

/**
 * Collects the rows of all pages.
 *
 * @throws {ServiceError} when no page arrives, or the run is stopped.
 */
export async function collectListing(pages: AsyncIterable<Page>): Promise<Listing> {
  const all: Page[] = [];
  let failure: ServiceError | undefined;
  try {
    for await (const page of pages) all.push(page);
  } catch (error) {
    const isKept = error instanceof ServiceError && !(error instanceof CancelledError);
    if (!isKept || all.length === 0) throw error;
    failure = error;
  }
  return {
    rows: all.flatMap(({ rows }) => rows),
    context: all[0]?.context ?? {},
    total: all[0]?.pagination.totalResults,
    ...(failure === undefined ? {} : { failure }),
  };
}
