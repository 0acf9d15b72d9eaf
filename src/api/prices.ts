import type { Call } from '../client/client';
import { LIMITS } from '../input/limits';
import { isRow, type Row } from '../run/answers/rows';
import { findRows } from '../run/answers/find-rows';
import type { Run } from '../run/run';
import { creditsOfCompany } from './companies';
import { creditsOfEnrichment } from './enrichment';
import { companyGraphPrice, pairGraphPrice, type GraphPrice } from './graphs';
import { creditsOfExport } from './lists/export';
import { MEMBERS_NAMES } from './lists/members';
import { PARTNERSHIP_CREDITS } from './partnerships';

/** Any request. */
export interface Asked {
  readonly method: Call<unknown>['method'];
  /** Below `/v1/`. */
  readonly path: string;
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** JSON; undefined for none. */
  readonly body: unknown;
}

/** What requests to an endpoint cost (interface: Credits). */
interface Price {
  /** Credits that a request may cost at most. */
  readonly atMost: (asked: Asked, run: Run) => number | Promise<number>;
  /** Credits that an answer cost at most. */
  readonly of: (answer: unknown) => number;
  /**
   * Set if a company of the body can cost more than one credit: returns what the dearest company of an
   * answer cost at most.
   */
  readonly dearestOf?: (answer: unknown) => number;
  /** Returns whether that is so for a request. */
  readonly isOpen?: (asked: Asked) => boolean;
}

/** Names of lists of companies, where the interface does not show them. */
const ROW_NAMES = [...MEMBERS_NAMES, 'nodes'];

const FREE: Price = { atMost: () => 0, of: () => 0 };

const always = (credits: number): Price => ({ atMost: () => credits, of: () => credits });

/** @param usual rows of an answer where the request does not say how many. */
const perRow = (usual: number, names: readonly string[] = ['data']): Price => ({
  atMost: ({ query }) => numberIn(query.limit) ?? usual,
  of: (answer) => rowsIn(answer, names)?.length ?? 0,
});

const perDomain = (name: string, creditsOf: (row: Row) => number): Price => ({
  atMost: ({ body }) => domainsIn(body) ?? 1,
  of: (answer) => sumOf(rowsIn(answer, [name]) ?? [], creditsOf),
});

const bulkLookup: Price = {
  ...perDomain('data', creditsOfCompany),
  dearestOf: (answer) =>
    (rowsIn(answer, ['data']) ?? []).reduce(
      (most, row) => Math.max(most, creditsOfCompany(row)),
      1,
    ),
  isOpen: ({ body }) => isRow(body) && [body.include].flat().includes('partnerships'),
};

const perNode = ({ atMost, of }: GraphPrice): Price => ({
  atMost: ({ query }) => atMost(numberIn(query.max_nodes) ?? LIMITS.graphNodes.default),
  of: (answer) => of(rowsIn(answer, ['nodes'])?.length ?? 0),
});

/** The interface shows no cost; the lines of the file are counted when it is there. */
const exported: Price = {
  atMost: async ({ path }, run) => {
    const [, , , listId = ''] = path.split('/');
    return run.credits.limit === undefined
      ? 1
      : await creditsOfExport(run, decodeURIComponent(listId));
  },
  of: (answer) => linesIn(answer),
};

const UNKNOWN: Price = {
  atMost: ({ query, body }) =>
    Math.max(domainsIn(body) ?? 1, numberIn(query.limit) ?? 1, numberIn(query.max_nodes) ?? 1),
  of: (answer) => {
    if (typeof answer === 'string') return Math.max(1, linesIn(answer));
    const rows = rowsIn(answer, ROW_NAMES);
    return rows === undefined ? 1 : sumOf(rows, creditsOfEnrichment);
  },
};

/** What signs of an endpoint stand for. */
const SIGNS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]+', '.': '\\.' };

/** Endpoints below `/v1/`, some with their method; the first that fits counts. */
const PRICES = (
  [
    ['open/**', FREE],
    ['lists/*/export.csv', exported],
    ['lists/*/members', perRow(LIMITS.pageSize, ROW_NAMES)],
    // Company search is mentioned, but not shown (interface: Lists, rule 5).
    ['lists/**search**', perRow(LIMITS.pageSize, ROW_NAMES)],
    ['lists/**compan**', perRow(LIMITS.pageSize, ROW_NAMES)],
    ['lists**', FREE],
    ['technologies', FREE],
    ['jobs/*', FREE],
    ['POST companies/refresh', FREE],
    ['companies/*/flags', FREE],
    ['POST companies', bulkLookup],
    ['companies', perRow(LIMITS.pageSize)],
    ['companies/*', always(1)],
    ['enrich/partnerships', perDomain('results', creditsOfEnrichment)],
    ['companies/*/partnerships/graph', perNode(companyGraphPrice)],
    ['partnerships/*/*/graph', perNode(pairGraphPrice)],
    ['technologies/*/companies', perRow(LIMITS.companiesOfPageDefault)],
    ['vendors/*/companies', perRow(LIMITS.companiesOfPageDefault)],
    ['companies/*/partnerships', perRow(LIMITS.pageSize)],
    ['partnerships/*/companies', perRow(LIMITS.pageSize)],
    ['partnerships/*/*/shared-partners', perRow(LIMITS.pageSize)],
    ['partnerships/*/*', always(PARTNERSHIP_CREDITS)],
  ] satisfies Array<[string, Price]>
).map(([endpoint, price]) => ({ endpoint: patternOf(endpoint), price }));

/**
 * Credits that a request may cost at most: what the operation for its endpoint reserves. Of endpoints
 * that the interface does not show it is a guess: as many as it names, or one.
 */
export async function creditsAtMost(asked: Asked, run: Run): Promise<number> {
  return await priceOf(asked).atMost(asked, run);
}

/** Credits that an answer cost at most, however it is wrapped. */
export function creditsOfAnswer(asked: Asked, answer: unknown): number {
  return priceOf(asked).of(answer);
}

/**
 * Returns how to read what the dearest company of an answer cost, if only answers to this request show
 * what its companies cost; otherwise undefined.
 */
export function dearestFor(asked: Asked): Price['dearestOf'] {
  const { isOpen, dearestOf } = priceOf(asked);
  return isOpen?.(asked) === true ? dearestOf : undefined;
}

function priceOf({ method, path }: Asked): Price {
  const endpoint = `${method} ${path.slice('/v1/'.length)}`;
  return PRICES.find((one) => one.endpoint.test(endpoint))?.price ?? UNKNOWN;
}

function patternOf(endpoint: string): RegExp {
  const [path = '', method = '\\w+'] = endpoint.split(' ').reverse();
  const inside = path.replace(/\*\*|\*|\./g, (sign) => SIGNS[sign] ?? sign);
  return new RegExp(`^${method} ${inside}$`, 'i');
}

/** The largest of the values of a parameter; undefined where it has no usable one. */
function numberIn(values: readonly string[] = []): number | undefined {
  const usable = values.map(Number).filter((value) => Number.isInteger(value) && value > 0);
  return usable.length === 0 ? undefined : Math.max(...usable);
}

function domainsIn(body: unknown): number | undefined {
  return isRow(body) && Array.isArray(body.domains) ? body.domains.length : undefined;
}

/** The rows of an answer; undefined where it holds no list. */
function rowsIn(answer: unknown, names: readonly string[]): readonly Row[] | undefined {
  try {
    return findRows(answer, { names, hasId: () => true }).rows;
  } catch {
    return undefined;
  }
}

function sumOf(rows: readonly Row[], creditsOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + creditsOf(row), 0);
}

/** Lines of a file behind its first, at most one for each company. */
function linesIn(answer: unknown): number {
  if (typeof answer !== 'string') return 1;
  return answer.trimEnd().split(/\r\n?|\n/).length - 1;
}
