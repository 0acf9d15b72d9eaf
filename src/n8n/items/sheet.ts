import type { IDataObject } from 'n8n-workflow';

import { normalizeDomain } from '../../input/domains';
import { isJsonObject } from '../../values/json';
import { isSkipped, MISSING_FIELD } from './row-result';

/**
 * Value of an empty cell. Google Sheets leaves a cell unchanged if an item has null or no field for it,
 * so only empty text clears the value of an earlier run.
 */
const EMPTY_CELL = '';

/** Columns that every result can have, in this order after those of the operation. */
const COMMON_COLUMNS = ['domain', 'status', 'reason', 'message', 'error'];

/** Columns with the outcome of this run; a row without a result has them too. */
const OUTCOME_COLUMNS = ['status', 'reason', 'message', 'error'];

export interface SheetRow {
  readonly input: IDataObject;
  readonly json: IDataObject;
}

export interface SheetOptions {
  readonly columnPrefix: string;
  /** Names of the input fields to keep; all if omitted. */
  readonly fieldsToKeep?: readonly string[] | undefined;
  /** Columns that results always have, in this order, without the prefix. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Adds results next to the input fields of their rows. All rows have the columns of this run; other columns
 * stay as they are. A row that failed, was skipped or lacks the field of Domain keeps its earlier values, unless
 * they are of another company.
 */
export function toSheet(
  rows: readonly SheetRow[],
  { columnPrefix: prefix, columns: known, fieldsToKeep }: SheetOptions,
): IDataObject[] {
  const named = createColumnNaming(prefix);
  const results = rows.map(({ json }) => {
    const flat = flattenCells(json);
    return new Map(Array.from(flat, ([name, value]) => [named(name, flat), value]));
  });
  const fixed = known === undefined ? [] : [...known, ...COMMON_COLUMNS].map((name) => named(name));
  const ofThisRun = new Set([...fixed, ...results.flatMap((cells) => [...cells.keys()])]);
  const ofOutcome = new Set(OUTCOME_COLUMNS.map((name) => named(name)));
  const inputs = new Set(rows.flatMap(({ input }) => Object.keys(input)));
  const isKept = (name: string) => fieldsToKeep?.includes(name) !== false || ofOutcome.has(name);
  const names = new Set([...[...inputs].filter(isKept), ...ofThisRun]);
  return rows.map((sheetRow, index) => {
    const keepsAll = hasNoResult(sheetRow.json) && isSameCompany(sheetRow, named);
    const cellOf = (name: string) => {
      const old = readCell(sheetRow.input, name);
      const value = results[index]?.get(name) ?? EMPTY_CELL;
      if (ofOutcome.has(name)) return value;
      if (!ofThisRun.has(name)) return old;
      return keepsAll && !isEmpty(old) ? old : value;
    };
    return Object.fromEntries(Array.from(names, (name) => [name, cellOf(name)]));
  });
}

/** Returns a function that adds the prefix to a name, unless it already has it (`list_id`, `list_`). */
function createColumnNaming(prefix: string) {
  const isWord = /[^\p{L}\p{N}]$/u.test(prefix);
  return (name: string, others?: ReadonlyMap<string, unknown>): string =>
    isWord && name.startsWith(prefix) && others?.has(name.slice(prefix.length)) !== true
      ? name
      : `${prefix}${name}`;
}

/**
 * Returns whether earlier values in the columns of a row are of the company of its result. They are, if
 * the row names no company yet, or if it failed before its company was known.
 */
function isSameCompany({ input, json }: SheetRow, named: (name: string) => string): boolean {
  // Raw responses about companies use the API's field name for the domain.
  const domains = ['domain', 'primary_domain'].map((name) => input[named(name)]);
  const before = domains.find((domain) => !isEmpty(domain));
  if (before === undefined) return true;
  const now = json.domain ?? json.primary_domain;
  if (typeof now !== 'string') return hasNoResult(json);
  const found = normalizeDomain(before, { subdomains: 'strip', rejectFreeMail: false });
  return before === now || (found.valid && found.domain === now);
}

function hasNoResult(result: IDataObject): boolean {
  return result.status === 'error' || result.reason === MISSING_FIELD || isSkipped(result);
}

/** Returns a result as cells; fields of nested objects get their own columns. */
function flattenCells(result: IDataObject): Map<string, unknown> {
  const columns = new Map<string, unknown>();
  for (const [name, value] of Object.entries(result)) {
    const inner = isJsonObject(value) ? [...flattenCells(value as IDataObject)] : [];
    const own = inner.map(([key, cell]) => [`${name}_${key}`, cell] as const);
    const isFree = own.every(([key]) => !Object.hasOwn(result, key) && !columns.has(key));
    if (own.length === 0 || !isFree) columns.set(name, value);
    else for (const [key, cell] of own) columns.set(key, cell);
  }
  return columns;
}

export function readCell(row: IDataObject, name: string): IDataObject[string] {
  return Object.hasOwn(row, name) ? row[name] : EMPTY_CELL;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === EMPTY_CELL;
}
