import { truncateText } from '../../client/values';
import { domainKey } from '../../input/hosts';
import type { TypeMismatch } from './response-checks';
import { isRow, readArrayField, type Row } from './rows';

/** Response to one batch of domains. */
export interface BatchResponse {
  /** Rows by requested domain; one row can belong to several domains. */
  readonly rows: Map<string, Row>;
  /** Rows for domains that were not requested, which may be charged anyway; none if omitted. */
  readonly unrequestedRows?: readonly Row[];
  /** Domains that the service rejected as malformed, by {@link domainKey}. */
  readonly rejected: Set<string>;
  /** Fields of an unexpected type in a response that several runs share. */
  readonly mismatches?: readonly TypeMismatch[];
}

/**
 * Reads the rows of a batch response. The service may return a domain in another spelling, or the domain
 * that the company has now. The position of a row means nothing. A row that names several domains
 * belongs to all of them.
 *
 * @param key Name of the row list.
 * @param requested Requested domains, normalized and distinct.
 * @throws {InvalidResponseError} if there is no row list.
 */
export function readBatchResponse(
  json: unknown,
  key: string,
  requested: readonly string[],
): BatchResponse {
  const list = readArrayField(json, key).filter(isRow);
  return { ...assignOwners(list, requested), rejected: new Set() };
}

/** Fields that name a row's company, in the row itself and in its `company` object. */
const NAMES = ['domain', 'primary_domain', 'domains'];

/** Maximum number of unrequested domains named in the warning. */
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

/** Assigns the row of a company with several domains to each requested one of them. */
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

/** Passes the domains of a row to `isTaken` until it returns true; avoids creating an array for each row. */
function claimName(row: Row, isTaken: (name: string) => boolean): boolean {
  const company = isRow(row.company) ? row.company : {};
  const isOne = (value: unknown) => typeof value === 'string' && isTaken(domainKey(value));
  const isIn = (value: unknown) => (Array.isArray(value) ? value.some(isOne) : isOne(value));
  return NAMES.some((name) => isIn(row[name]) || isIn(company[name]));
}

/** Formats the warning about rows for domains that were not requested. */
export function formatUnrequestedRows(rows: readonly Row[]): string {
  const names = rows.map((row) => {
    let first = 'a row without a domain';
    claimName(row, (name) => (first = name) !== '');
    return truncateText(first, 80);
  });
  const listed = [...new Set(names)].slice(0, NAMES_TOLD).join(', ');
  return `The service also returned rows for no requested domain (${String(rows.length)}): ${listed}. They may have been charged, so they count against Max Credits.`;
}
