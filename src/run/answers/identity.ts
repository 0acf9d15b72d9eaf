import type { Row } from './rows';

/**
 * Tells rows apart by the first of some fields that holds a text or a number.
 *
 * @param fields the surest first.
 * @returns a function that gives a row's id; undefined for a row without any of the fields.
 */
export function idBy(fields: readonly string[]): (row: Row) => string | undefined {
  return (row) => {
    const field = fields.find((name) => ['string', 'number'].includes(typeof row[name]));
    return field === undefined ? undefined : `${field}:${String(row[field])}`;
  };
}

/**
 * All that tells a row from others, the surest first: `field:value`. What is empty or 0, or too large a
 * number to be read exactly, is no id.
 */
export function idsBy(fields: readonly string[]): (row: Row) => string[] {
  return (row) =>
    fields.filter((name) => isId(row[name])).map((name) => `${name}:${String(row[name])}`);
}

function isId(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return Number.isSafeInteger(value) && value !== 0;
}
