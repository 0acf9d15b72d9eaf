/** What makes a spreadsheet take a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Puts an apostrophe before a cell that a spreadsheet would run as a formula. Company names come from
 * other people's websites, so a name can be made to do harm when the file is opened. Numbers, signs
 * included, stay numbers.
 */
export function guardFormula(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}
