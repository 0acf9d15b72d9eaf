import type { Row } from './rows';

/**
 * What a value says about whose row it is in. Nothing, if it is empty, zero, or a number that
 * JavaScript cannot hold: different rows share those.
 *
 * @returns undefined for what identifies nothing.
 */
export function identityOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.trim() === '' || value === '0' ? undefined : value.trim();
  return Number.isSafeInteger(value) && value !== 0 ? String(value) : undefined;
}

/**
 * Tells rows apart by the first of some fields that identifies anything.
 *
 * @param fields the surest first.
 * @returns a function that gives a row's id; undefined for a row without any of the fields.
 */
export function idBy(fields: readonly string[]): (row: Row) => string | undefined {
  return (row) => {
    for (const field of fields) {
      const id = identityOf(row[field]);
      if (id !== undefined) return `${field}:${id}`;
    }
    return undefined;
  };
}

/** All that tells a row from others, the surest first: `field:value`. */
export function idsBy(fields: readonly string[]): (row: Row) => string[] {
  return (row) =>
    fields.flatMap((field) => {
      const id = identityOf(row[field]);
      return id === undefined ? [] : [`${field}:${id}`];
    });
}
