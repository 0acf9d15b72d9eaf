import { BETWEEN } from '../../api/flat-company';
import { isRow, type Row } from '../../run/answers/rows';
import { guardFormula } from './formula-guard';

/** Turns rows into the text of a file, piece by piece. */
export interface Encoder {
  readonly extension: string;
  readonly mimeType: string;
  /** What the file begins with. */
  readonly head: string;
  readonly encode: (rows: readonly Row[]) => string;
}

/** Newline-delimited JSON: one row a line, every field as it came. */
export const ndjson: Encoder = {
  extension: 'ndjson',
  mimeType: 'application/x-ndjson',
  head: '',
  encode: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
};

/** The last column: fields that no earlier column is for, as JSON. */
const OTHER_FIELDS = 'other_fields';

export interface CsvOptions {
  /** Columns the file has in any case, first and in this order. */
  readonly columns: readonly string[];
  /** See {@link guardFormula}. */
  readonly escapeFormulas: boolean;
  /** Begins the file with the mark by which Excel knows UTF-8. */
  readonly byteOrderMark: boolean;
}

/**
 * CSV as RFC 4180 has it, with LF. The header has to be written before most rows are there: its
 * columns are the known ones, those of the first rows, and one that takes what turns up later, so
 * that nothing is lost. Fields of objects get columns of their own (`firmographics.industry`), lists
 * of plain values are joined by semicolons, other lists are JSON.
 *
 * Written by hand because memory is the point: a library that was tried made nine times as much
 * garbage, which n8n's process had to hold until it was collected.
 */
export function csv(firstRows: readonly Row[], options: CsvOptions): Encoder {
  const names = new Set(options.columns);
  for (const row of firstRows) eachField(row, '', (name) => names.add(name));
  names.delete(OTHER_FIELDS);
  const columns = new Map([...names].map((name, position) => [name, position]));
  const guard = options.escapeFormulas ? guardFormula : (cell: string) => cell;
  const line = (cells: string[]) => {
    // In place: a new list for each row would double the garbage.
    cells.forEach((cell, position) => {
      cells[position] = quote(guard(cell));
    });
    return `${cells.join(',')}\n`;
  };
  const head = line([...names, OTHER_FIELDS]);
  return {
    extension: 'csv',
    mimeType: 'text/csv',
    head: options.byteOrderMark ? `\uFEFF${head}` : head,
    encode: (rows) => rows.map((row) => line(cellsOf(row, columns))).join(''),
  };
}

function cellsOf(row: Row, columns: ReadonlyMap<string, number>): string[] {
  const cells = new Array<string>(columns.size + 1).fill('');
  const others: Array<[name: string, value: unknown]> = [];
  eachField(row, '', (name, value) => {
    const position = columns.get(name);
    if (position === undefined || cells[position] !== '') others.push([name, value]);
    else cells[position] = textOf(value);
  });
  if (others.length > 0) cells[columns.size] = JSON.stringify(Object.fromEntries(others));
  return cells;
}

/** Visits the fields of a row, those of objects in it by their paths. */
function eachField(row: Row, path: string, visit: (name: string, value: unknown) => void): void {
  for (const key of Object.keys(row)) {
    const value = row[key];
    const name = path + key;
    if (isRow(value) && Object.keys(value).length > 0) eachField(value, `${name}.`, visit);
    else visit(name, value);
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every(isPlain)) return value.map(String).join(BETWEEN);
  return isPlain(value) ? String(value) : JSON.stringify(value);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
