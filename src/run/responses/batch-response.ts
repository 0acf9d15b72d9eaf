import type { ServiceError } from '../../client/errors';
import { truncateText } from '../../values/text';
import { isJsonObject, type Row } from '../../values/json';
import { domainKey } from '../../input/hosts';
import { copyAfterFirst, readArrayField } from './rows';

export function chunk<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_unused, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

export interface BatchResponse {
  readonly rows: Map<string, Row>;
  readonly unrequestedRows?: readonly Row[];
  readonly rejected: Set<string>;
}

/**
 * The service may return a domain in another spelling, or the domain that the company has now. The position of a
 * row means nothing. A row that names several domains belongs to all of them.
 *
 * @param key Name of the row list.
 * @param requested Normalized and distinct.
 */
export function readBatchResponse(
  json: unknown,
  key: string,
  requested: readonly string[],
): BatchResponse {
  const list = readArrayField(json, key).filter(isJsonObject);
  return { ...assignOwners(list, requested), rejected: new Set() };
}

/** In the row itself and in its `company` object. */
const NAMES = ['domain', 'primary_domain', 'domains'];

const NAMES_TOLD = 5;

function assignOwners(
  list: readonly Row[],
  requested: readonly string[],
): Pick<BatchResponse, 'rows' | 'unrequestedRows'> {
  const wanted = new Map(requested.map((domain) => [domainKey(domain), domain]));
  const rows = new Map<string, Row>();
  const unrequestedRows: Row[] = [];
  for (const row of list) {
    const domain = findFirst(row, wanted);
    if (domain === undefined) unrequestedRows.push(row);
    else rows.set(domain, row);
  }
  if (rows.size < wanted.size) assignAliases(list, wanted, rows);
  return { rows, unrequestedRows };
}

function findFirst(row: Row, wanted: ReadonlyMap<string, string>): string | undefined {
  let domain: string | undefined;
  claimName(row, (name) => (domain = wanted.get(name)) !== undefined);
  return domain;
}

function assignAliases(
  list: readonly Row[],
  wanted: ReadonlyMap<string, string>,
  rows: Map<string, Row>,
): void {
  for (const row of list) {
    claimName(row, (name) => {
      const domain = wanted.get(name);
      if (domain !== undefined && !rows.has(domain)) rows.set(domain, row);
      return false;
    });
  }
}

/** Avoids creating an array for each row. */
function claimName(row: Row, isTaken: (name: string) => boolean): boolean {
  const company = isJsonObject(row.company) ? row.company : {};
  const isOne = (value: unknown) => typeof value === 'string' && isTaken(domainKey(value));
  const isIn = (value: unknown) => (Array.isArray(value) ? value.some(isOne) : isOne(value));
  return NAMES.some((name) => isIn(row[name]) || isIn(company[name]));
}

function formatUnrequestedRows(rows: readonly Row[]): string {
  const names = rows.map((row) => {
    let first = 'a row without a domain';
    claimName(row, (name) => (first = name) !== '');
    return truncateText(first, 80);
  });
  const listed = [...new Set(names)].slice(0, NAMES_TOLD).join(', ');
  return `The service also returned rows for no requested domain (${String(rows.length)}): ${listed}. They may have been charged, so they count against Max Credits.`;
}

export type DomainOutcome =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

export interface BatchOutcomes {
  readonly outcomes: ReadonlyMap<string, DomainOutcome>;
  /** Number of companies that cost credits, so are tracked. */
  readonly charged: number;
}

export interface BatchReport extends BatchOutcomes {
  readonly requests: number;
}

export interface RowPolicy {
  /** Maximum credits of a row (API spec: Credits); omitted if nothing is charged. */
  readonly creditsOf?: ((row: Row) => number) | undefined;
  readonly keep?: (row: Row, domain: string) => Row;
}

export class OutcomeCollector {
  private readonly outcomes = new Map<string, DomainOutcome>();
  private charged = 0;
  private readonly unrequestedRows: Row[] = [];
  private readonly observed = { domains: 0, credits: 0 };

  constructor(private readonly keeping: RowPolicy) {}

  get price(): number | undefined {
    const { domains, credits } = this.observed;
    return domains === 0 ? undefined : credits / domains;
  }

  accept(batch: readonly string[], response: BatchResponse): number {
    const { creditsOf = () => 0, keep = (row: Row) => row } = this.keeping;
    const { unrequestedRows = [], rows, rejected } = response;
    this.unrequestedRows.push(...unrequestedRows);
    // Domains that share a row get copies, so that changes to one are not visible in another.
    const own = copyAfterFirst();
    let credits = 0;
    for (const row of unrequestedRows) credits += creditsOf(row);
    for (const domain of batch) {
      const row = rows.get(domain);
      if (row === undefined) {
        this.outcomes.set(domain, { kind: rejected.has(domain) ? 'rejected' : 'missing' });
        continue;
      }
      const cost = creditsOf(row);
      if (cost > 0) this.charged += 1;
      const copy = own(row);
      if (copy === row) credits += cost;
      this.outcomes.set(domain, { kind: 'row', row: keep(copy, domain) });
    }
    this.observed.domains += batch.length;
    this.observed.credits += credits;
    return credits;
  }

  fail(domains: readonly string[], error: ServiceError): void {
    for (const domain of domains) this.outcomes.set(domain, { kind: 'failed', error });
  }

  report(warn: (message: string) => void): BatchOutcomes {
    const { outcomes, charged, unrequestedRows } = this;
    if (unrequestedRows.length > 0) warn(formatUnrequestedRows(unrequestedRows));
    return { outcomes, charged };
  }
}
