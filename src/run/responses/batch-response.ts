import type { z } from 'zod/v4';

import { truncateText } from '../../client/values';
import { domainKey } from '../../input/hosts';
import { isRow, readArrayField, type Row } from './rows';

/** A field whose type differs from the API spec. */
export interface SchemaMismatch {
  /** Path of the field, such as `partnerships.*.observation_count`. */
  readonly field: string;
  /** Description, such as `text instead of a number`. */
  readonly problem: string;
}

/** Response to one batch of domains. */
export interface BatchResponse {
  /** Rows by requested domain; one row can belong to several domains. */
  readonly rows: Map<string, Row>;
  /** Rows for domains that were not requested, which may be charged anyway; none if omitted. */
  readonly unrequestedRows?: readonly Row[];
  /** Domains that the service rejected as malformed, by {@link domainKey}. */
  readonly rejected: Set<string>;
  readonly schemaMismatches: readonly SchemaMismatch[];
  /** Returns the type mismatches of some of the rows. */
  readonly inspect?: (rows: readonly Row[]) => SchemaMismatch[];
}

/**
 * Reads the rows of a batch response. The service may return a domain in another spelling, or the domain
 * that the company has now. The position of a row means nothing. A row that names several domains
 * belongs to all of them.
 *
 * @param key Name of the row list.
 * @param shape Shape of a row in the API spec.
 * @param requested Requested domains, normalized and distinct.
 * @throws {InvalidResponseError} if there is no row list.
 */
export function readBatchResponse(
  json: unknown,
  key: string,
  shape: z.ZodType,
  requested: readonly string[],
): BatchResponse {
  const all = readArrayField(json, key);
  const list = all.filter(isRow);
  const inspect = (some: readonly Row[]): SchemaMismatch[] => {
    const mismatches = inspectRows(shape, some);
    return list.length < all.length
      ? [{ field: key, problem: 'contains entries that are not objects' }, ...mismatches]
      : mismatches;
  };
  return {
    ...assignOwners(list, requested),
    rejected: new Set(),
    schemaMismatches: inspect(list),
    inspect,
  };
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

/**
 * Compares rows with their shape in the API spec. A row that differs is kept unchanged, because one
 * unexpected field must never cost a paid row. The differences are returned so that they can be shown.
 */
export function inspectRows(shape: z.ZodType, rows: readonly Row[]): SchemaMismatch[] {
  const mismatches = new Map<string, SchemaMismatch>();
  for (const row of rows) {
    const result = shape.safeParse(row, { reportInput: true });
    for (const issue of result.error?.issues ?? []) {
      const field = issue.path
        .map((part) => (typeof part === 'number' ? '*' : String(part)))
        .join('.');
      mismatches.set(field, { field, problem: formatProblem(issue) });
    }
  }
  return [...mismatches.values()];
}

/** JSON types in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
  null: 'null',
};

function formatProblem(issue: z.core.$ZodIssue): string {
  const { input } = issue;
  if (issue.code === 'invalid_type') {
    return `${typeName(nameType(input))} instead of ${typeName(issue.expected)}`;
  }
  if (issue.code === 'invalid_value' && input !== undefined) {
    return `none of ${issue.values.join(', ')}`;
  }
  return input === undefined ? 'nothing' : 'not as documented';
}

function typeName(type: string): string {
  return TYPES[type] ?? 'something else';
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
