import type { CallOptions } from '../../client/client';
import { CancelledError, ServiceError } from '../../client/errors';
import type { Page } from '../responses/page';
import type { Row } from '../../values/json';
import type { GetRowId } from './distinct-rows';

export interface Paging {
  /**
   * With `page` (API spec: Conventions, rule 4) or `offset` (API spec: Lists), and with `limit`. By `response`,
   * the first page is requested without them, and others with `page` if it came in the standard envelope.
   */
  readonly by: 'page' | 'offset' | 'response';
  readonly size: number;
}

export interface PageRange {
  readonly from: number;
  readonly limit: number;
  readonly query: Readonly<Record<string, number>>;
}

export function toPageRange(by: Paging['by'], from: number, most: number): PageRange {
  if (by === 'offset') return { from, limit: most, query: { limit: most, offset: from } };
  if (by === 'response' && from === 0) return { from, limit: most, query: {} };
  // A page can only start at a multiple of its own size.
  let limit = most;
  while (from % limit !== 0) limit -= 1;
  return { from, limit, query: { page: from / limit + 1, limit } };
}

export interface RowRange {
  readonly wanted: number | undefined;
  readonly skip?: number;
  readonly streamed?: boolean;
  /** Only the whole list is usable. Missing rows are an error then, unless they are very few. */
  readonly whole?: boolean;
}

export interface ListingRequest extends RowRange {
  readonly paging: Paging;
  readonly isFree?: boolean;
  readonly idOf: GetRowId;
  /** @param first No response has arrived yet. Only the first request can make the service recompute. */
  readonly fetch: (range: PageRange, first: boolean, options: CallOptions) => Promise<Page>;
}

export interface Listing {
  readonly rows: readonly Row[];
  readonly context: Row;
  readonly total: number | undefined;
  /** Of a page after the first. The rows of the other pages are kept, because they were charged. */
  readonly failure?: ServiceError;
}

/** @throws {ServiceError} if no page arrives, or the run is stopped. */
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
