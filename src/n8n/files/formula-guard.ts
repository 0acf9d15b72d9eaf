import { csvKindOf, withCells, type Cell } from '../../service/lists/csv-cells';

/** What a number after its sign is; longer ones are not taken for numbers. */
const NUMBER_AFTER_SIGN = String.raw`(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,4})?`;

/** By these a file may be cut into cells: by which, depends on the locale of whoever opens it. */
const SEPARATOR = String.raw`[,;\t\r\n]`;
/**
 * Full-width signs too, which spreadsheets in East Asia take for the plain ones; last, how these look
 * in a file whose bytes are read as Latin-1.
 */
const SIGN = String.raw`(?:[=+@\-\uff1d\uff0b\uff0d\uff20]|\xef\xbc[\x9d\x8b\x8d\xa0])`;

// Apart from each other, because together they take five times as long, for each of millions of cells.
const BEGINS = new RegExp(String.raw`^(?:[\t\r\n]|${SIGN})`);
const HOLDS = new RegExp(`${SEPARATOR}"?${SIGN}`);
const FORMULA = new RegExp(
  [
    String.raw`(?<=^|${SEPARATOR})(?![+-]${NUMBER_AFTER_SIGN}(?:${SEPARATOR}|$))${SIGN}`,
    // The quote is doubled in the file, where another locale sees an empty cell with more behind it.
    `(?<=${SEPARATOR}")${SIGN}`,
  ].join('|'),
  'g',
);

/**
 * Puts an apostrophe before what a spreadsheet would run as a formula: at the beginning of a cell, and
 * inside it where a spreadsheet of another locale begins a cell. Quotation marks are no help there:
 * they count only where a cell begins. Company names come from other people's websites, so a name can
 * be made to do harm when the file is opened. Numbers, signs included, stay numbers.
 */
export function guardFormula(cell: string): string {
  if (!BEGINS.test(cell) && !HOLDS.test(cell)) return cell;
  const guarded = cell.replace(FORMULA, "'$&");
  return /^[\t\r\n]/.test(cell) ? `'${guarded}` : guarded;
}

/**
 * The same in every cell of a CSV file, whatever separates it. Nothing else changes: quoting, line ends
 * and encoding stay as they are.
 */
export async function* withoutFormulas(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const { delimiter, preface, rest } = await csvKindOf(file);
  yield Buffer.from(preface, 'latin1');
  yield* withCells(rest, delimiter, guardedCell);
}

function guardedCell({ text, quoted, close, plain, end }: Cell): string {
  const behind = guardFormula(plain);
  if (quoted === undefined) return behind === plain ? text : behind + end;
  const cell = quoted.replaceAll('""', '"');
  const inside = guardFormula(cell);
  if (inside === cell && behind === plain) return text;
  return `"${inside.replaceAll('"', '""')}${close}${behind}${end}`;
}
