import { isRow, type Row } from '../run/answers/rows';
import type { AnyRequest } from './any-request';
import { creditsOfCompany } from './companies';
import { LIMITS } from '../input/limits';

type Asked = Pick<AnyRequest, 'method' | 'path' | 'query' | 'body'>;

const LIST_PATH = /^\/v1\/lists(\/|$)/;
/** Those among them that return companies; company search is mentioned, but not shown. */
const COMPANIES_OF_LISTS = /\/(members|export\.csv)$|search|compan/;
/** Endpoints that return no company (interface: Credits). */
const FREE = [
  /^\/v1\/open\//,
  /^\/v1\/technologies$/,
  /^\/v1\/jobs\//,
  /^\/v1\/companies\/refresh$/,
  /^\/v1\/companies\/[^/]+\/flags$/,
];

/** What an endpoint returns at most where the request does not say how much it wants. */
const UNASKED: ReadonlyArray<readonly [RegExp, number]> = [
  [/^\/v1\/(technologies|vendors)\/[^/]+\/companies$/, LIMITS.companiesOfPageDefault],
  [/\/graph$/, LIMITS.graphNodes.default],
  [/^\/v1\/companies$|\/(companies|partnerships|shared-partners|members)$/, LIMITS.pageSize],
  // Each of the two companies.
  [/^\/v1\/partnerships\/[^/]+\/[^/]+$/, 2],
];

/**
 * Credits that a request may cost at most: one for each company it asks for. Of endpoints that the
 * interface does not show it is a guess, one.
 */
export function creditsAtMost({ method, path, query, body }: Asked): number {
  if (isFree(path)) return 0;
  const domains = isRow(body) ? body.domains : undefined;
  if (Array.isArray(domains)) return domains.length;
  if (method === 'HEAD') return 1;
  const asked = [query.limit, query.max_nodes].map((values) => Number(values?.at(-1)));
  const wanted = asked.find((count) => Number.isInteger(count) && count > 0);
  return wanted ?? UNASKED.find(([endpoint]) => endpoint.test(path))?.[1] ?? 1;
}

/** Credits that an answer cost at most: one for each company in it. */
export function creditsOfAnswer({ method, path }: Asked, answer: unknown): number {
  if (isFree(path)) return 0;
  const rows = rowsIn(answer);
  if (rows === undefined) return 1;
  const isBulk = method === 'POST' && path === '/v1/companies';
  return rows.reduce(
    (sum, row) => sum + (isBulk ? creditsOfCompany(row) : row.status === 'not_tracked' ? 0 : 1),
    0,
  );
}

function isFree(path: string): boolean {
  if (LIST_PATH.test(path)) return !COMPANIES_OF_LISTS.test(path);
  return FREE.some((endpoint) => endpoint.test(path));
}

/** Names of lists of companies in answers. */
const ROW_NAMES = ['data', 'results', 'nodes', 'members', 'companies', 'items', 'rows'];

/** The companies of an answer that holds several; of an export, a row for each line. */
function rowsIn(answer: unknown): Row[] | undefined {
  if (typeof answer === 'string')
    return answer
      .split('\n')
      .slice(1)
      .map(() => ({}));
  const lists = isRow(answer) ? ROW_NAMES.map((name) => answer[name]) : [answer];
  const list = lists.find((one): one is unknown[] => Array.isArray(one));
  return list?.map((entry) => (isRow(entry) ? entry : {}));
}
