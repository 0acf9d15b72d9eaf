/** Longer digits are not treated as a number. */
const NUMBER_AFTER_SIGN = String.raw`(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,4})?`;

/** With a space or parenthesis after its country code. It has only digits, so it can do no harm. */
const PHONE = String.raw`\+\d{1,3}[ (][\d ()/.\-]{1,30}`;

/** Can separate cells, depending on the locale of the spreadsheet. */
const SEPARATOR = String.raw`[,;\t\r\n]`;
/** Spreadsheets in East Asia treat full-width signs as plain ones. */
const SIGN = String.raw`[=+@\-\uff1d\uff0b\uff0d\uff20]`;

// Separate, because one combined pattern takes five times as long for each of millions of cells.
const FORMULA_AT_START = new RegExp(String.raw`^(?:[\t\r\n]|${SIGN})`);
const FORMULA_AFTER_SEPARATOR = new RegExp(`${SEPARATOR}"?${SIGN}`);
const FORMULA = new RegExp(
  [
    String.raw`(?<=^|${SEPARATOR})(?!(?:[+-]${NUMBER_AFTER_SIGN}|${PHONE})(?:${SEPARATOR}|$))${SIGN}`,
    // The quote is doubled in the file, where another locale sees an empty cell followed by text.
    `(?<=${SEPARATOR}")${SIGN}`,
  ].join('|'),
  'g',
);

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula: at the start of a cell, and inside it
 * where a spreadsheet with another locale starts a new cell. Company names come from other people's websites, so
 * a name can be crafted to do harm. Numbers with a sign and phone numbers stay unchanged.
 */
export function guardFormula(cell: string): string {
  if (!FORMULA_AT_START.test(cell) && !FORMULA_AFTER_SEPARATOR.test(cell)) return cell;
  const guarded = cell.replace(FORMULA, "'$&");
  return /^[\t\r\n]/.test(cell) ? `'${guarded}` : guarded;
}
