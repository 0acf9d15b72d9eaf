import { detectCsvDialect, rewriteCells, type Cell } from '../../service/lists/csv-cells';

/** A number after its sign; longer digits are not treated as a number. */
const NUMBER_AFTER_SIGN = String.raw`(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,4})?`;

/** Characters that can separate cells, depending on the locale of the spreadsheet. */
const SEPARATOR = String.raw`[,;\t\r\n]`;
/**
 * Signs that start a formula. Includes full-width signs, which spreadsheets in East Asia treat as plain
 * ones, and the bytes of these signs read as Latin-1.
 */
const SIGN = String.raw`(?:[=+@\-\uff1d\uff0b\uff0d\uff20]|\xef\xbc[\x9d\x8b\x8d\xa0])`;

// Separate, because one combined pattern takes five times as long for each of millions of cells.
const FORMULA_AT_START = new RegExp(String.raw`^(?:[\t\r\n]|${SIGN})`);
const FORMULA_AFTER_SEPARATOR = new RegExp(`${SEPARATOR}"?${SIGN}`);
const FORMULA = new RegExp(
  [
    String.raw`(?<=^|${SEPARATOR})(?![+-]${NUMBER_AFTER_SIGN}(?:${SEPARATOR}|$))${SIGN}`,
    // The quote is doubled in the file, where another locale sees an empty cell followed by text.
    `(?<=${SEPARATOR}")${SIGN}`,
  ].join('|'),
  'g',
);

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula: at the start of a cell, and
 * inside it where a spreadsheet with another locale starts a new cell. Quotes do not help there, because
 * they only count at the start of a cell. Company names come from other people's websites, so a name can
 * be crafted to do harm when the file is opened. Numbers with a sign stay numbers.
 */
export function guardFormula(cell: string): string {
  if (!FORMULA_AT_START.test(cell) && !FORMULA_AFTER_SEPARATOR.test(cell)) return cell;
  const guarded = cell.replace(FORMULA, "'$&");
  return /^[\t\r\n]/.test(cell) ? `'${guarded}` : guarded;
}

/**
 * Does the same in every cell of a CSV file with any delimiter. Quoting, line ends and encoding stay
 * unchanged.
 */
export async function* guardFile(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const { delimiter, preface, rest } = await detectCsvDialect(file);
  yield Buffer.from(preface, 'latin1');
  yield* rewriteCells(rest, delimiter, guardCell);
}

function guardCell({ text, quoted, close, plain, end }: Cell): string {
  const behind = guardFormula(plain);
  if (quoted === undefined) return behind === plain ? text : behind + end;
  const cell = quoted.replaceAll('""', '"');
  const inside = guardFormula(cell);
  if (inside === cell && behind === plain) return text;
  return `"${inside.replaceAll('"', '""')}${close}${behind}${end}`;
}
