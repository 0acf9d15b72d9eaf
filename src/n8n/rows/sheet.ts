import { isDeepStrictEqual } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import { normalizeDomain } from '../../input/domains';
import { isRow } from '../../run/responses/rows';

/*
 * Adds results as columns next to the input fields, ready for sheets: all rows have the same columns in
 * the same order, and a sheet that was enriched before is correct again after each run.
 */

/**
 * Value of an empty cell. Google Sheets leaves a cell unchanged if an item has null or no field for it,
 * so only empty text clears the value of an earlier run.
 */
export const EMPTY_CELL = '';

/** Columns that every result can have, in this order after those of the operation. */
const COMMON_COLUMNS = ['domain', 'status', 'reason', 'message', 'error', 'details_hint'];

/** Columns with the outcome of this run; their earlier values are never kept. */
const OUTCOME_COLUMNS = [...COMMON_COLUMNS, 'found'];

/** A row with its result. */
export interface SheetRow {
  readonly row: IDataObject;
  readonly result: IDataObject;
  /** Whether the row names no company, so values of another company are cleared. */
  readonly namesNone?: boolean | undefined;
}

/** Options of the result columns. */
export interface SheetOptions {
  /** Prefix of the column names. */
  readonly columnPrefix: string;
  /** Whether existing values in result columns are replaced. */
  readonly overwriteColumns: boolean;
  /** Columns that results always have, in this order, without the prefix. */
  readonly columns?: readonly string[] | undefined;
  /** Whether the operation can write this column (without the prefix) with other options. */
  readonly owns?: ((column: string) => boolean) | undefined;
}

/** Rows with their results as columns. */
export interface Sheet {
  readonly rows: IDataObject[];
  /** Number of rows in which earlier values were kept, and their columns. */
  readonly kept: { readonly rows: number; readonly columns: ReadonlySet<string> };
}

/** Returns rows with the same columns in the same order: known columns first, then others. */
export function alignColumns(
  rows: readonly IDataObject[],
  known: readonly string[],
): IDataObject[] {
  const columns = new Set(known);
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  const order = [...columns].join();
  // This code runs for each row of a list, so it avoids lists of entries.
  return rows.map((row) => {
    const names = Object.keys(row);
    if (names.length === columns.size && names.join() === order) return row;
    const aligned: IDataObject = {};
    for (const name of columns) aligned[name] = readCell(row, name);
    return aligned;
  });
}

/**
 * Adds results next to the input fields of their rows. If the company of a row has changed, or with
 * Overwrite Columns, earlier values in columns of the operation are cleared. Otherwise they are kept,
 * except in columns with the outcome of the run.
 */
export function toSheet(rows: readonly SheetRow[], options: SheetOptions): Sheet {
  const { columnPrefix: prefix, columns: known, owns } = options;
  const named = createColumnNaming(prefix);
  const results = rows.map(({ result }) => toNamedCells(result, named));
  const fixed = known === undefined ? [] : [...known, ...COMMON_COLUMNS].map((name) => named(name));
  const columns = new Set([...fixed, ...results.flatMap((cells) => [...cells.keys()])]);
  const names = new Set([...rows.flatMap(({ row }) => Object.keys(row)), ...columns]);
  const ofThisRun = new Set(OUTCOME_COLUMNS.map((name) => named(name)));
  // Users can have other columns with the same prefix, for example list_name.
  const isResultColumn = (name: string) =>
    columns.has(name) ||
    ofThisRun.has(name) ||
    (name.startsWith(prefix) && owns?.(name.slice(prefix.length)) === true);
  const kept = { rows: 0, columns: new Set<string>() };
  const merged = rows.map(({ row, result, namesNone = false }, index) => {
    const cells = results[index] ?? new Map<string, unknown>();
    const earlier = namesNone
      ? 'unrelated'
      : classifyEarlierValues(row, result, { ...options, named });
    const keptHere: string[] = [];
    const json = pickColumns(names, (name) => {
      const old = readCell(row, name);
      if (!isResultColumn(name)) return old;
      const value = cells.get(name) ?? EMPTY_CELL;
      if (earlier === 'unrelated') return value;
      if (ofThisRun.has(name))
        return earlier === 'unsure' && name === named('domain') ? old : value;
      if (isEmpty(old) || isSameCell(old, value)) return value;
      if (options.overwriteColumns && cells.has(name)) return value;
      if (columns.has(name)) keptHere.push(name);
      return old;
    });
    for (const name of keptHere) kept.columns.add(name);
    if (keptHere.length > 0) kept.rows += 1;
    return json;
  });
  return { rows: merged, kept };
}

/** Returns a function that adds the prefix to a name, unless it already has it (`list_id`, `list_`). */
function createColumnNaming(prefix: string) {
  const isWord = /[^\p{L}\p{N}]$/u.test(prefix);
  return (name: string, others: IDataObject = {}): string =>
    isWord && name.startsWith(prefix) && !Object.hasOwn(others, name.slice(prefix.length))
      ? name
      : `${prefix}${name}`;
}

interface ColumnNaming {
  readonly named: ReturnType<typeof createColumnNaming>;
}

/**
 * Returns how values of an earlier run relate to the result: unrelated values are cleared. `unsure` means
 * a failure without a company; the domain column then still identifies the earlier values.
 */
function classifyEarlierValues(
  row: IDataObject,
  result: IDataObject,
  { named, overwriteColumns }: SheetOptions & ColumnNaming,
): 'related' | 'unrelated' | 'unsure' {
  // Raw responses about companies use the API's field name for the domain.
  const domains = ['domain', 'primary_domain'].map((name) => row[named(name)]);
  const before = domains.find((domain) => !isEmpty(domain));
  const status = row[named('status')];
  // A row without either was never enriched, so its columns are the user's own.
  if (overwriteColumns && !(isEmpty(before) && isEmpty(status))) return 'unrelated';
  if (isEmpty(before)) return 'related';
  const now = result.domain ?? result.primary_domain ?? result.identifier;
  if (isEmpty(now) && result.status === 'error') return 'unsure';
  return isSameCompany(before, now) ? 'related' : 'unrelated';
}

function isSameCompany(before: unknown, now: unknown): boolean {
  if (isSameCell(before, now)) return true;
  const found = normalizeDomain(before, { subdomains: 'strip', rejectFreeMail: false });
  return found.valid && found.domain === now;
}

/** Returns a result as cells; fields of nested objects get their own columns: `details_hint`. */
function toNamedCells(result: IDataObject, named: ColumnNaming['named']): Map<string, unknown> {
  const flat: IDataObject = Object.fromEntries(flattenCells(result));
  return new Map(Object.entries(flat).map(([name, value]) => [named(name, flat), value]));
}

function flattenCells(result: IDataObject): Map<string, IDataObject[string]> {
  const columns = new Map<string, IDataObject[string]>();
  for (const [name, value] of Object.entries(result)) {
    const inner = isRow(value) ? [...flattenCells(value as IDataObject)] : [];
    const own = inner.map(([key, cell]) => [`${name}_${key}`, cell] as const);
    const isFree = own.every(([key]) => !Object.hasOwn(result, key) && !columns.has(key));
    const added = own.length > 0 && isFree ? own : [[name, value] as const];
    for (const [key, cell] of added) columns.set(key, cell);
  }
  return columns;
}

function readCell(row: IDataObject, name: string): IDataObject[string] {
  return Object.hasOwn(row, name) ? row[name] : EMPTY_CELL;
}

function pickColumns(names: ReadonlySet<string>, cellOf: (name: string) => unknown): IDataObject {
  return Object.fromEntries(Array.from(names, (name) => [name, cellOf(name)])) as IDataObject;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === EMPTY_CELL;
}

/** Compares loosely, because sheets and CSV files return numbers as text, and booleans in capitals. */
function isSameCell(one: unknown, other: unknown): boolean {
  if (typeof other === 'boolean') return String(one).toLowerCase() === String(other);
  return typeof other === 'number' ? String(one) === String(other) : isDeepStrictEqual(one, other);
}
