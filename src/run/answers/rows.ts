import { saysRefused } from '../../client/error-body';
import { invalidResponse } from '../../client/errors';
import { isRow, type Row } from '../../client/values';

export { isRow, type Row };

/** Rows that are packed into more lists than this stay packed. */
const DEEPEST_LIST = 10;
/** How deep an envelope may be: `{ result: { list: {} } }`. */
const DEEPEST = 4;
/** Under these an answer says what went wrong; there is no object of its own in them. */
const IS_ERROR = /^(?:errors?|detail)$/;

/** A row without some of its fields. */
export function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/**
 * For those who share an answer: gives an object itself the first time, and copies of it after that,
 * because what one does to it, another must not see.
 */
export function eachItsOwn(): <T extends object>(one: T) => T {
  const given = new Set<object>();
  return (one) => {
    if (given.has(one)) return structuredClone(one);
    given.add(one);
    return one;
  };
}

/**
 * Entries of a list as rows; what is no object becomes `{ value }`, so that nothing is lost. Lists of
 * lists that hold objects alone are taken for one list.
 */
export function rowsOf(list: readonly unknown[]): Row[] {
  const inner = list.length > 0 && list.every(Array.isArray) ? list.flat(DEEPEST_LIST) : [];
  if (inner.length > 0 && inner.every(isRow)) return inner;
  return list.map((entry) => (isRow(entry) ? entry : { value: entry }));
}

/**
 * Takes the array under `key` out of an answer.
 *
 * @throws {InvalidResponseError} when the answer is no object or has no array there.
 */
export function rowsUnder(json: unknown, key: string): unknown[] {
  const rows = isRow(json) ? json[key] : undefined;
  if (Array.isArray(rows)) return rows;
  throw invalidResponse(`The answer has no list "${key}"`);
}

/**
 * Reads an answer that is one object.
 *
 * @throws {InvalidResponseError} when it is anything else.
 */
export function rowOf(json: unknown): Row {
  if (isRow(json)) return json;
  throw invalidResponse('The answer is not an object');
}

/**
 * Finds the object of an answer, whatever is around it: the answer itself, `{ data: {} }`,
 * `{ result: { list: {} } }`. What is beside it is kept.
 *
 * @param has fields of which the object has one; where none has any, the answer is the object.
 * @throws {InvalidResponseError} when the answer is no object.
 */
export function rowAnywhere(json: unknown, has: readonly string[]): Row {
  const answer = rowOf(json);
  return unwrapped(answer, has, 1) ?? answer;
}

/**
 * The same of an object of a known kind. What has none of its fields is something else, such as
 * `{ error, message }` with a success status.
 *
 * @param fields that tell the kind; one of them is enough.
 * @throws {InvalidResponseError} when none of them is there.
 */
export function rowWith(json: unknown, fields: readonly string[]): Row {
  const row = rowAnywhere(json, fields);
  if (saysRefused(json)) throw invalidResponse('The answer is an error');
  if (fields.some((name) => row[name] !== undefined)) return row;
  throw invalidResponse(
    `The answer is not what was asked for: it has none of the fields ${fields.join(', ')}`,
  );
}

function unwrapped(row: Row, has: readonly string[], depth: number): Row | undefined {
  if (has.some((name) => row[name] !== undefined)) return row;
  if (depth === DEEPEST) return undefined;
  for (const [name, inner] of Object.entries(row)) {
    if (IS_ERROR.test(name)) continue;
    const found = isRow(inner) ? unwrapped(inner, has, depth + 1) : undefined;
    if (found !== undefined) return { ...without(row, [name]), ...found };
  }
  return undefined;
}

/** A whole number, also as text (`"1,234"`, `"150"`); undefined for anything else. */
export function countOf(value: unknown, min = 0): number | undefined {
  const text =
    typeof value === 'string' ? value.trim().replace(/(?<=\d),(?=\d{3}(?:,|$))/g, '') : '';
  const count = /^\d+$/.test(text) ? Number(text) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= min
    ? count
    : undefined;
}

/**
 * What a value says about whose row it is in; undefined if it is empty, zero, or a number that
 * JavaScript cannot hold: different rows share those.
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
 * @returns a function that gives a row's id, `field:value`; undefined for a row without any of them.
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

/** All that tells a row from others, the surest first. */
export function idsBy(fields: readonly string[]): (row: Row) => string[] {
  const each = fields.map((field) => idBy([field]));
  return (row) => each.map((idOf) => idOf(row)).filter((id) => id !== undefined);
}
