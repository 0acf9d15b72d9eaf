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
