import { stringify } from 'csv-stringify/sync';

import { isRow, type Row } from '../../api/rows';
import type { Encoder } from './encoder';
import { guardFormula } from './formula-guard';

/** The last column: fields that no earlier column is for, as JSON. */
export const OTHER_FIELDS = 'other_fields';

/** Many programs take a bare carriage return for the end of a line. */
const QUOTING = { quoted_match: /\r/ };

export interface CsvOptions {
  /** Columns the file has in any case, first and in this order. */
  readonly columns: readonly string[];
  /** See {@link guardFormula}. */
  readonly escapeFormulas: boolean;
  /** Begins the file with the mark by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
}

/**
 * CSV (UTF-8, comma, LF). The header has to be written before most rows are there: its columns are
 * the known ones, those of the first rows, and one that takes what turns up later, so that nothing is
 * lost. Fields of objects get columns of their own (`firmographics.industry`), lists of plain values
 * are joined by semicolons, other lists are JSON.
 */
export function csv(firstRows: readonly Row[], options: CsvOptions): Encoder {
  const found = firstRows.flatMap((row) => fieldsOf(row).map(([name]) => name));
  const columns = [...new Set([...options.columns, ...found])].filter(
    (name) => name !== OTHER_FIELDS,
  );
  const positions = new Map(columns.map((name, position) => [name, position]));
  const finish = options.escapeFormulas ? guardFormula : (cell: string) => cell;
  const head = stringify([[...columns, OTHER_FIELDS].map(finish)], QUOTING);
  return {
    extension: 'csv',
    mimeType: 'text/csv',
    head: options.byteOrderMark ? `\uFEFF${head}` : head,
    encode: (rows) =>
      stringify(
        rows.map((row) => cellsOf(row, positions).map(finish)),
        QUOTING,
      ),
  };
}

function cellsOf(row: Row, positions: ReadonlyMap<string, number>): string[] {
  const cells = new Array<string>(positions.size + 1).fill('');
  const others: Array<[name: string, value: unknown]> = [];
  for (const [name, value] of fieldsOf(row)) {
    const position = positions.get(name);
    if (position === undefined || cells[position] !== '') others.push([name, value]);
    else cells[position] = textOf(value);
  }
  if (others.length > 0) cells[positions.size] = JSON.stringify(Object.fromEntries(others));
  return cells;
}

/** The fields of a row, those of objects in it by their paths. */
function fieldsOf(row: Row, path = ''): Array<[name: string, value: unknown]> {
  return Object.entries(row).flatMap(([key, value]) =>
    isRow(value) && Object.keys(value).length > 0
      ? fieldsOf(value, `${path}${key}.`)
      : [[`${path}${key}`, value] as [string, unknown]],
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join('; ');
  return isPlain(value) ? String(value) : JSON.stringify(value);
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
