import type { Call } from '../client/client';
import { findRows } from '../run/responses/find-rows';
import { isRow, type Row } from '../run/responses/rows';
import type { Run } from '../run/run';
import type { Cost, Endpoint, RowsEndpoint } from './endpoint';
import { api, countEnrichmentCredits } from './endpoints';
import { getMaxExportCredits } from './lists/export';
import { MEMBER_LIST_NAMES } from './lists/members';

/** A request to any endpoint. */
export interface RawRequest {
  readonly method: Call<unknown>['method'];
  /** The path, which begins with `/v1/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The JSON body; undefined for none. */
  readonly body: unknown;
}

/** Names of lists of companies in responses that the API spec does not show. */
const ROW_NAMES = [...MEMBER_LIST_NAMES, 'nodes'];

/**
 * Paths that the API spec mentions but does not show: open endpoints and company search (Lists, rule
 * 5).
 */
const OPEN_PATH = /^\/v1\/open\//i;
const COMPANY_SEARCH = /^\/v1\/lists\/.*(?:search|compan)/i;
const LISTS = /^\/v1\/lists/i;

/** All endpoints, those with fewer placeholders in their path first. */
const ENDPOINTS = Object.values<Endpoint | RowsEndpoint>(api)
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(
      `^${endpoint.path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`,
      'i',
    ),
    parts: endpoint.path.match(/\{/g)?.length ?? 0,
  }))
  .sort((a, b) => a.parts - b.parts);

/** Returns the endpoint of a request; for an unknown method, the endpoint that reads the same path. */
function findEndpoint({ method, path }: RawRequest): Endpoint | RowsEndpoint | undefined {
  const those = ENDPOINTS.filter(({ pattern }) => pattern.test(path)).map((one) => one.endpoint);
  const withMethod = (wanted: string) => those.find((one) => one.method === wanted);
  return withMethod(method) ?? withMethod('GET') ?? those[0];
}

/** Returns how a request is charged; undefined if the cost of its endpoint is a guess. */
function findCost(request: RawRequest): Cost | undefined {
  const { path } = request;
  const shown = findEndpoint(request)?.cost;
  if (shown !== undefined && !isFree(shown)) return shown;
  if (COMPANY_SEARCH.test(path)) return { per: 'row' };
  return (
    shown ?? (OPEN_PATH.test(path) || LISTS.test(path) ? { per: 'request', credits: 0 } : undefined)
  );
}

function isFree(cost: Cost): boolean {
  return cost.per === 'request' && cost.credits === 0;
}

/** Returns the rows of a page for a request without `limit`: the shown default, or else the maximum. */
function defaultRows(request: RawRequest): number {
  const { page }: Partial<RowsEndpoint> = findEndpoint(request) ?? {};
  const { max, usual }: RowsEndpoint['page'] = page ?? api.companies.page;
  return usual ?? max;
}

/**
 * Returns the maximum credits of a request: the same number that the operation for its endpoint
 * reserves. For endpoints that the API spec does not show, it is a guess: the number of domains, rows or
 * nodes that the request names, or 1.
 */
export async function getMaxCredits(request: RawRequest, run: Run): Promise<number> {
  const { query, body, path } = request;
  const cost = findCost(request);
  switch (cost?.per) {
    case 'request':
      return cost.credits;
    case 'row':
      return readNumber(query.limit) ?? defaultRows(request);
    case 'node':
      return cost.atMost(readNumber(query.max_nodes) ?? api.companyGraph.query.max_nodes.usual);
    case 'domain':
      return countDomains(body) ?? 1;
    case 'line': {
      const [, , , listId = ''] = path.split('/');
      // Without Max Credits, the lines are counted once the file has arrived.
      if (run.credits.limit === undefined) return 1;
      return await getMaxExportCredits(run, decodeURIComponent(listId));
    }
    case undefined:
      return Math.max(
        countDomains(body) ?? 1,
        readNumber(query.limit) ?? 1,
        readNumber(query.max_nodes) ?? 1,
      );
  }
}

/** Returns the maximum credits that a response cost, whatever envelope it has. */
export function countCredits(request: RawRequest, answer: unknown): number {
  const cost = findCost(request);
  switch (cost?.per) {
    case 'request':
      return cost.credits;
    case 'row':
      return readRows(answer, LISTS.test(request.path) ? ROW_NAMES : ['data'])?.length ?? 0;
    case 'node':
      return cost.of(readRows(answer, ['nodes'])?.length ?? 0);
    case 'domain':
      return sumCredits(readRows(answer, [cost.rows]) ?? [], cost.of);
    case 'line':
      return countLines(answer);
    case undefined: {
      if (typeof answer === 'string') return Math.max(1, countLines(answer));
      const rows = readRows(answer, ROW_NAMES);
      return rows === undefined ? 1 : sumCredits(rows, countEnrichmentCredits);
    }
  }
}

/**
 * Returns a function that reads the cost of the most expensive company in a response, if only responses
 * to this request show what its companies cost; otherwise undefined.
 */
export function createHighestCostReader(
  request: RawRequest,
): ((answer: unknown) => number) | undefined {
  const cost = findCost(request);
  if (cost?.per !== 'domain' || cost.openWith === undefined || !isRow(request.body))
    return undefined;
  if (![request.body.include].flat().includes(cost.openWith)) return undefined;
  return (answer) =>
    (readRows(answer, [cost.rows]) ?? []).reduce((most, row) => Math.max(most, cost.of(row)), 1);
}

/** Returns the largest value of a parameter; undefined if no value is usable. */
function readNumber(values: readonly string[] = []): number | undefined {
  const usable = values.map(Number).filter((value) => Number.isInteger(value) && value > 0);
  return usable.length === 0 ? undefined : Math.max(...usable);
}

function countDomains(body: unknown): number | undefined {
  return isRow(body) && Array.isArray(body.domains) ? body.domains.length : undefined;
}

/** Returns the rows of a response; undefined if it contains no list. */
function readRows(answer: unknown, names: readonly string[]): readonly Row[] | undefined {
  try {
    return findRows(answer, { names, hasId: () => true }).rows;
  } catch {
    return undefined;
  }
}

function sumCredits(rows: readonly Row[], creditsOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + creditsOf(row), 0);
}

/** Counts the lines of a file after the first; there are at least as many as companies. */
function countLines(answer: unknown): number {
  if (typeof answer !== 'string') return 1;
  return answer.trimEnd().split(/\r\n?|\n/).length - 1;
}
