import { invalidResponse } from '../../client/errors';
import { isRow, type Row } from '../../client/values';

export { isRow, type Row };

/** Names under which an envelope holds its one object. */
const ENVELOPE_NAMES = [
  'data',
  'result',
  'item',
  'company',
  'partnership',
  'graph',
  'job',
  'flag',
  'list',
  'definition',
  'permission',
];

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

/** Rows of one response at most: ten times the largest page (interface: Size and pagination bounds). */
const MAX_ROWS = 100_000;

/**
 * Entries of a list as rows; what is no object becomes `{ value }`, so that nothing is lost.
 *
 * @throws {InvalidResponseError} when there are so many that reading them would block n8n.
 */
export function rowsOf(list: readonly unknown[]): Row[] {
  return bounded(list).map((entry) => (isRow(entry) ? entry : { value: entry }));
}

function bounded<T extends readonly unknown[]>(list: T): T {
  if (list.length <= MAX_ROWS) return list;
  throw invalidResponse(
    `The answer has ${String(list.length)} rows, more than ${String(MAX_ROWS)}`,
    'The service ignores the page size it was asked for. Check the Base URL in the credential.',
  );
}

/**
 * Takes the array under `key` out of a response; null there is none, as Go writes it.
 *
 * @throws {InvalidResponseError} when the response is no object or has no array there.
 */
export function rowsUnder(json: unknown, key: string): unknown[] {
  const rows = isRow(json) ? json[key] : undefined;
  if (rows === null) return [];
  if (Array.isArray(rows)) return bounded(rows as unknown[]);
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
 * Finds the object of a response: the response itself, or the object one level down under a usual name,
 * as in `{ data: {} }` or `{ list: {} }`. The fields next to it are kept.
 *
 * @param has fields of which the object has one; when none has any, the response is the object.
 * @throws {InvalidResponseError} when the response is no object.
 */
export function findRow(json: unknown, has: readonly string[]): Row {
  const answer = rowOf(json);
  const hasField = (row: unknown): row is Row =>
    isRow(row) && has.some((field) => row[field] !== undefined);
  if (hasField(answer)) return answer;
  const name = ENVELOPE_NAMES.find((one) => hasField(answer[one]));
  return name === undefined ? answer : { ...without(answer, [name]), ...rowOf(answer[name]) };
}

/**
 * The same of an object of a known kind. What has none of its fields is something else, such as
 * `{ error, message }` with a success status.
 *
 * @param fields that tell the kind; one of them is enough.
 * @throws {InvalidResponseError} when none of them is there.
 */
export function rowWith(json: unknown, fields: readonly string[]): Row {
  const row = findRow(json, fields);
  if (fields.some((name) => row[name] !== undefined)) return row;
  throw invalidResponse(
    `The answer is not what was asked for: it has none of the fields ${fields.join(', ')}`,
  );
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
