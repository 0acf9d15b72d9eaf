/** Reads lists in each way of paging, with short arguments for the tests. */
import type { CallOptions } from '../../../../src/client/client';
import type { Row } from '../../../../src/run/responses/rows';
import { CircuitBreaker } from '../../../../src/run/circuit-breaker';
import { CreditBudget } from '../../../../src/run/credit-budget';
import { type Page, readUndocumentedPage } from '../../../../src/run/responses/page';
import { readListing, type RowRange } from '../../../../src/run/listing/listing';
import { adaptivePaging, offsetPaging, pageNumberPaging } from '../../../../src/run/listing/paging';

/** Rows, and the fields next to them in the response. */
export interface RowsBeside {
  readonly rows: readonly Row[];
  readonly beside: Row;
}

/** Settings of the run that reads a list. */
export interface RunOptions {
  readonly guard?: CreditBudget | undefined;
  readonly tell?: (message: string) => void;
}

/** `page` and `limit` in the query of a request. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

export interface PagedList extends RowRange {
  readonly isFree?: boolean;
  readonly pageSize: number;
  readonly idOf?: (row: Row) => string | undefined;
  readonly fetch: (request: PageRequest, options: CallOptions) => Promise<Page>;
}

export interface OffsetRequest {
  readonly offset: number;
  readonly limit: number;
  readonly first: boolean;
}

export interface OffsetListing extends RowRange {
  readonly idOf: (row: Row) => string | undefined;
  readonly fetch: (request: OffsetRequest, options: CallOptions) => Promise<RowsBeside>;
  readonly ceilings: Map<string, number>;
  readonly endpoint: string;
}

/** The query of a request whose paging the API spec does not show. */
export type Position = Readonly<Record<string, number>>;

const conditionsOf = ({ guard, tell: warn = () => undefined }: RunOptions) => ({
  signal: undefined,
  credits: guard ?? new CreditBudget(undefined),
  breaker: new CircuitBreaker(),
  warn,
});

const pageOf = ({ rows, beside }: RowsBeside): Page =>
  readUndocumentedPage({ ...beside, rows }, { names: ['rows'], hasId: () => true });

export function readPages({ pageSize, fetch, ...list }: PagedList, options: RunOptions) {
  return readListing(
    {
      ...list,
      paging: pageNumberPaging(pageSize),
      fetch: async ({ query }, _first, call) =>
        await fetch({ page: Number(query['page']), limit: Number(query['limit']) }, call),
    },
    conditionsOf(options),
  );
}

export function readByOffset({ fetch, ...list }: OffsetListing, options: RunOptions) {
  return readListing(
    {
      ...list,
      paging: offsetPaging,
      fetch: async ({ query }, first, call) => {
        const [offset, limit] = [Number(query['offset']), Number(query['limit'])];
        return pageOf(await fetch({ offset, limit, first }, call));
      },
    },
    conditionsOf(options),
  );
}

/**
 * Reads rows that `idOf` identifies; `complete` is
 * false if the user is warned that rows may be missing.
 */
export async function readPagesAnywhere(
  fetch: (position: Position) => Promise<RowsBeside>,
  idOf: (row: Row) => string,
  wanted?: number,
): Promise<{ rows: Row[]; complete: boolean }> {
  const told: string[] = [];
  const rows: Row[] = [];
  const pages = readListing(
    {
      paging: adaptivePaging,
      isFree: true,
      wanted,
      idOf,
      fetch: async ({ query }) => pageOf(await fetch(query as Position)),
    },
    conditionsOf({ tell: (message) => told.push(message) }),
  );
  for await (const page of pages) rows.push(...page.rows);
  return { rows, complete: told.length === 0 };
}
