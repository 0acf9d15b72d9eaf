import type { z } from 'zod/v4';

import { buildPath, type Query } from '../client/call';
import type { Call } from '../client/client';
import type { ErrorTextsByStatus } from '../client/error-mapping';
import type { RowSearch } from '../run/responses/find-rows';
import { collectListing, type Listing, type Paging, type RowRange } from '../run/listing/listing';
import { readPage, readUndocumentedPage, type Page } from '../run/responses/page';
import { isJsonObject, type Row } from '../values/json';
import { createIdReader, toRowId, readRow } from '../run/responses/rows';
import type { Run } from '../run/run';
import type { PathParts } from './lists/error-texts';
import type * as Schemas from './schemas';

/** Only runs that send something check responses, so zod is loaded on first use. */
export const schemas = () => require('./schemas') as typeof Schemas;

type SchemaName<Kind extends z.ZodType> = {
  [Name in keyof typeof Schemas]: (typeof Schemas)[Name] extends Kind ? Name : never;
}[keyof typeof Schemas];

export interface QueryParameter {
  readonly is: 'text' | 'number' | 'boolean';
  readonly required?: true;
  /** Of a number, or of a text's length. */
  readonly min?: number;
  readonly max?: number;
  readonly usual?: number | string;
  /** For a text, of each of its comma-separated parts. */
  readonly oneOf?: readonly string[];
  /**
   * Sent with the first page only: if members were recomputed for every page, they would move between pages. If
   * it is true, that page can take minutes.
   */
  readonly firstPageOnly?: true;
}

export type Cost =
  | { readonly per: 'request'; readonly credits: number }
  | { readonly per: 'row' }
  | {
      readonly per: 'node';
      readonly atMost: (nodes: number) => number;
      readonly of: (nodes: number) => number;
    }
  | {
      readonly per: 'domain';
      readonly rows: string;
      readonly of: (row: Row) => number;
      readonly openWith?: string;
    }
  /** Not in the API spec; 1 credit for each line of the file after the first. */
  | { readonly per: 'line' };

export interface Endpoint {
  readonly method: Call<unknown>['method'];
  readonly path: `/v1/${string}`;
  readonly query?: Readonly<Record<string, QueryParameter>>;
  readonly cost: Cost;
  readonly row?: SchemaName<z.ZodObject>;
  readonly response: SchemaName<z.ZodType>;
  readonly errorTexts?: (parts: PathParts) => ErrorTextsByStatus;
}

export function listFields({ row }: Pick<Endpoint, 'row'>): string[] {
  return row === undefined ? [] : Object.keys(schemas()[row].shape);
}

export interface RowsEndpoint extends Endpoint {
  /** Field with the rows, `data` if omitted; how to find them if the API spec does not show the envelope. */
  readonly rows?: string | Omit<RowSearch, 'hasId'>;
  /** How pages are requested, with `page` if omitted; the largest `limit`, and the service's default. */
  readonly page: { readonly by?: Paging['by']; readonly max: number; readonly usual?: number };
  /** The most reliable first. Empty for rows without an ID, which are never compared. */
  readonly ids: readonly string[];
  /** Object in the row that has the ID if the row itself has none. */
  readonly idsIn?: string;
  readonly alsoId?: string;
}

/** Rows are free or cost up to 1 credit each. Another cost needs a function that reserves it. */
type ListEndpoint = RowsEndpoint & {
  readonly cost: { readonly per: 'row' } | { readonly per: 'request'; readonly credits: 0 };
};

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

interface Values {
  readonly text: string;
  readonly number: number;
  readonly boolean: boolean;
}

type ValueOf<P> = P extends QueryParameter
  ? Values[P['is']] | (P extends { required: true } ? never : undefined)
  : never;

type QueryOf<E extends Endpoint> = E extends { readonly query: infer Q } ? Q : unknown;

/** Path parts and parameters under the names of the API spec. All must be named, so that none is forgotten. */
export type EndpointArguments<E extends Endpoint> = Readonly<Record<NamesIn<E['path']>, string>> & {
  readonly [Name in keyof QueryOf<E>]: ValueOf<QueryOf<E>[Name]>;
};

export function buildRequest<E extends Endpoint>(endpoint: E, args: EndpointArguments<E>) {
  const { method, path: template, query = {}, response, errorTexts } = endpoint;
  const given = args as Query;
  const pieces = template.split(/\{(\w+)\}/);
  const texts = pieces.filter((_piece, index) => index % 2 === 0);
  const names = pieces.filter((_piece, index) => index % 2 === 1);
  return {
    method,
    path: buildPath(texts, ...names.map((name) => String(given[name]))),
    response: () => schemas()[response],
    query: Object.fromEntries(Object.keys(query).map((name) => [name, given[name]])) as Query,
    errorTexts: errorTexts?.(args as unknown as PathParts),
  };
}

export function createEmptyQuery<Q extends Record<string, QueryParameter>>(endpoint: {
  readonly query: Q;
}) {
  const names = Object.keys(endpoint.query).map((name) => [name, undefined]);
  return Object.fromEntries(names) as { readonly [Name in keyof Q]: undefined };
}

export async function readEndpointObject<E extends Endpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
): Promise<Row> {
  const request = buildRequest(endpoint, args);
  const maxNodes = request.query.max_nodes ?? endpoint.query?.max_nodes?.usual;
  return await run.readRow({
    ...request,
    ...toCredits(endpoint.cost, Number(maxNodes)),
    read: readRow,
  });
}

function toCredits(cost: Cost, maxNodes: number) {
  if (cost.per === 'request') return { credits: cost.credits };
  if (cost.per !== 'node')
    throw new TypeError(`An endpoint that returns one object cannot cost credits per ${cost.per}`);
  return {
    credits: cost.atMost(maxNodes),
    creditsOf: ({ nodes }: Row) => cost.of(Array.isArray(nodes) ? nodes.length : 0),
  };
}

export function readEndpointPages<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
  range: RowRange,
): AsyncGenerator<Page, void, undefined> {
  const { cost, page, query: parameters = {} } = endpoint as ListEndpoint;
  const { by = 'page', max: size } = page;
  const { query, ...request } = buildRequest(endpoint, args);
  const isAtFirst = (name: string) => parameters[name]?.firstPageOnly === true;
  const pick = (isPicked: (name: string) => boolean): Query =>
    Object.fromEntries(Object.entries(query).filter(([name]) => isPicked(name)));
  const atFirst = pick(isAtFirst);
  const filters = pick((name) => !isAtFirst(name));
  const { skip = 0, wanted } = range;
  const isFromStart = by === 'response' && skip > 0;
  const pages = run.readPages({
    ...request,
    query: filters,
    atFirst,
    isFirstSlow: Object.values(atFirst).includes(true),
    read: createPageReader(endpoint, filters),
    paging: { by, size },
    isFree: cost.per !== 'row',
    idOf: createRowIdReader(endpoint),
    ...range,
    ...(isFromStart ? { skip: 0, wanted: wanted === undefined ? wanted : skip + wanted } : {}),
  });
  return isFromStart ? skipRows(pages, skip) : pages;
}

/** A list whose paging is known only from its response is read from its start. */
async function* skipRows(
  pages: AsyncIterable<Page>,
  skip: number,
): AsyncGenerator<Page, void, undefined> {
  let left = skip;
  for await (const page of pages) {
    yield { ...page, rows: page.rows.slice(left) };
    left = Math.max(0, left - page.rows.length);
  }
}

function createPageReader(endpoint: RowsEndpoint, filters: Query): (json: unknown) => Page {
  const { rows } = endpoint;
  if (rows === undefined || typeof rows === 'string') return (json) => readPage(json, rows);
  const search = toRowSearch({ ...endpoint, rows });
  const counts = listTotalFields(filters, rows.groupField);
  return (json) => readUndocumentedPage(json, search, counts);
}

export function toRowSearch(
  endpoint: RowIds & { readonly rows: Omit<RowSearch, 'hasId'> },
): RowSearch {
  const idOf = createRowIdReader(endpoint);
  return { ...endpoint.rows, hasId: (row) => idOf(row) !== undefined };
}

/** Names of the materialization counts (API spec: List) that count all rows of a request with these filters. */
function listTotalFields(filters: Query, groupField: string | undefined): string[] {
  const [first, second] = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (first === undefined) return ['total_count'];
  const [name, value] = first;
  return second === undefined && name === groupField ? [`${String(value)}_count`] : [];
}

type RowIds = Pick<RowsEndpoint, 'ids' | 'idsIn' | 'alsoId'>;

export function createRowIdReader({ ids, idsIn, alsoId }: RowIds) {
  const ownId = createIdReader(ids);
  return (row: Row): string | undefined => {
    const inner = idsIn === undefined ? undefined : row[idsIn];
    const id = ownId(row) ?? (isJsonObject(inner) ? ownId(inner) : undefined);
    return id === undefined || alsoId === undefined ? id : `${id} ${toRowId(row[alsoId]) ?? ''}`;
  };
}

export async function readEndpointRows<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
  range: RowRange,
): Promise<Listing> {
  return await collectListing(readEndpointPages(run, endpoint, args, range));
}

export function toRowSource<E extends ListEndpoint>(
  run: Run,
  endpoint: E,
  args: EndpointArguments<E>,
) {
  const given: Readonly<Record<string, unknown>> = args;
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    pages: (range: RowRange) => readEndpointPages(run, endpoint, args, range),
    pageSize: endpoint.page.max,
    requestFields: Object.fromEntries(names.map((name) => [name, String(given[name])])),
    columns: listCompanyColumns(listFields(endpoint), given.include as string | undefined),
  };
}

const SECTIONS = ['firmographics', 'technologies'];

export function listCompanyColumns(fields: readonly string[], include = ''): string[] {
  const sections = include.split(',');
  const firmographics = Object.keys(schemas().firmographics.shape);
  return [
    ...fields.filter((field) => !SECTIONS.includes(field)),
    ...(sections.includes('firmographics')
      ? firmographics.map((field) => `firmographics.${field}`)
      : []),
    ...(sections.includes('technologies') ? ['technologies'] : []),
  ];
}
