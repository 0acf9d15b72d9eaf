import { createInvalidResponseError } from '../../client/errors';
import { isJsonObject, type Row } from '../../values/json';

export function readRow(json: unknown): Row {
  if (isJsonObject(json)) return json;
  throw createInvalidResponseError(formatOtherResponse(json));
}

/**
 * Returns the array under `key` of a response; null counts as an empty one, as Go writes it.
 *
 * @throws {InvalidResponseError} if there is none.
 */
export function readArrayField(json: unknown, key: string): unknown[] {
  const rows = isJsonObject(json) ? json[key] : undefined;
  if (rows === null) return [];
  if (Array.isArray(rows)) return rows as unknown[];
  throw createInvalidResponseError(`The response has no list "${key}"`);
}

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

export function omitFields(row: Row, names: readonly string[]): Row {
  const omitted = new Set(names);
  return Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.has(name)));
}

/** For participants that share a response: returns an object itself the first time and copies after that. */
export function copyAfterFirst(): <T extends object>(one: T) => T {
  const given = new Set<object>();
  return (one) => {
    if (given.has(one)) return structuredClone(one);
    given.add(one);
    return one;
  };
}

/** An entry that is not an object becomes `{ value }`, so that nothing is lost. */
export function wrapRows(list: readonly unknown[]): Row[] {
  return list.map((entry) => (isJsonObject(entry) ? entry : { value: entry }));
}

/**
 * Finds the object of a response: the response itself, or the object one level down under a usual name, as in
 * `{ data: {} }`. The fields next to that object are kept.
 *
 * @param has The object has one of these fields. If no candidate has, the response itself is the object.
 */
export function findObject(json: unknown, has: readonly string[]): Row {
  const object = readRow(json);
  if (hasAnyField(object, has)) return object;
  const name = ENVELOPE_NAMES.find((one) => hasAnyField(object[one], has));
  return name === undefined ? object : { ...omitFields(object, [name]), ...readRow(object[name]) };
}

/** An object without any of them is something else, such as `{ error, message }` with a success status. */
export function hasAnyField(row: unknown, fields: readonly string[]): row is Row {
  return isJsonObject(row) && fields.some((name) => row[name] !== undefined);
}

export function formatOtherResponse(json: unknown, fields: readonly string[] = []): string {
  if (!isJsonObject(json)) return 'The response is not an object';
  return `The response is not what the node requested: it has none of the fields ${fields.join(', ')}`;
}

export function readRowWithAnyField(json: unknown, fields: readonly string[]): Row {
  const row = findObject(json, fields);
  if (hasAnyField(row, fields)) return row;
  throw createInvalidResponseError(formatOtherResponse(row, fields));
}

/**
 * Undefined if the value is empty, zero, or a number that JavaScript cannot represent exactly: different rows
 * share such values.
 */
export function toRowId(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.trim() === '' || value === '0' ? undefined : value.trim();
  return Number.isSafeInteger(value) && value !== 0 ? String(value) : undefined;
}

export function createIdReader(fields: readonly string[]): (row: Row) => string | undefined {
  return (row) => {
    for (const field of fields) {
      const id = toRowId(row[field]);
      if (id !== undefined) return `${field}:${id}`;
    }
    return undefined;
  };
}
