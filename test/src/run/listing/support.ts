/** Reads lists in each way of paging, with short arguments for the tests. */
import type { CallOptions } from '../../../../src/client/client';
import type { Row } from '../../../../src/run/responses/rows';
import { CircuitBreaker, type RunGuards } from '../../../../src/run/circuit-breaker';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { type Page, readUndocumentedPage } from '../../../../src/run/responses/page';
import {
  readListing,
  type ListingRequest,
  type RowRange,
} from '../../../../src/run/listing/listing';
import { offsetPaging, pageNumberPaging } from '../../../../src/run/listing/paging';

/** Rows, and the fields next to them in the response. */
export interface RowsBeside {
  readonly rows: readonly Row[];
  readonly beside: Row;
}

/** `page` and `limit` in the query of a request. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

export interface PagedList extends RowRange {
  readonly isFree?: boolean;
  readonly pageSize: number;
  readonly idOf?: ListingRequest['idOf'];
  readonly fetch: (request: PageRequest, options: CallOptions) => Promise<Page>;
}

export interface OffsetRequest {
  readonly offset: number;
  readonly limit: number;
  readonly first: boolean;
}

export interface OffsetListing extends RowRange, Pick<ListingRequest, 'idOf' | 'ceilings'> {
  readonly fetch: (request: OffsetRequest) => Promise<RowsBeside>;
}

/** Returns a run of its own, which adds its warnings to `warnings`. */
export const runWith = (credits = new CreditBudget(), warnings: string[] = []): RunGuards => ({
  signal: undefined,
  credits,
  breaker: new CircuitBreaker(),
  warn: (message) => warnings.push(message),
});

/** Returns a page with fields whose paging the API spec does not show. */
export const pageOf = ({ rows, beside }: RowsBeside): Page =>
  readUndocumentedPage({ ...beside, rows }, { names: ['rows'], hasId: () => true });

/** Returns a page with these fields next to its rows, and no others. */
export const pageWith = (
  rows: readonly Row[],
  pagination: Partial<Page['pagination']> = {},
): Page => ({
  rows,
  context: {},
  pagination: { limit: undefined, totalResults: undefined, hasNext: undefined, ...pagination },
});

export function readPages({ pageSize, fetch, ...list }: PagedList, run = runWith()) {
  return readListing(
    {
      ...list,
      paging: pageNumberPaging(pageSize),
      fetch: async ({ query }, _first, call) =>
        await fetch({ page: Number(query['page']), limit: Number(query['limit']) }, call),
    },
    run,
  );
}

export function readByOffset({ fetch, ...list }: OffsetListing) {
  return readListing(
    {
      ...list,
      endpoint: 'members',
      paging: offsetPaging,
      fetch: async ({ query }, first) => {
        const [offset, limit] = [Number(query['offset']), Number(query['limit'])];
        return pageOf(await fetch({ offset, limit, first }));
      },
    },
    runWith(),
  );
}

/** Reads a list to its end or first failure, and adds its rows to `rows`. */
export async function drain(pages: AsyncIterable<Page>, rows: Row[] = []) {
  let failure: unknown;
  try {
    for await (const page of pages) for (const row of page.rows) rows.push(row);
  } catch (error) {
    failure = error;
  }
  return { rows, failure };
}
