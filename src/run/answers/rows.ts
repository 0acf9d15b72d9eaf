import type { z } from 'zod/v4';

import { invalidResponse } from '../../client/errors';
import { isRecord } from '../../client/values';

/** One row of an answer, every field kept as it came. */
export type Row = Record<string, unknown>;

/** A field whose type is not what the interface says. */
export interface Oddity {
  /** Where: `partnerships.*.observation_count`. */
  readonly field: string;
  /** In words: `text instead of a number`. */
  readonly problem: string;
}

/** Rows that are packed into more lists than this stay packed. */
const DEEPEST_LIST = 10;

/** Whether a value is a row. */
export const isRow: (value: unknown) => value is Row = isRecord;

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

/** A row without some of its fields. */
export function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/**
 * Compares rows with the shape the interface gives them. A row that differs is kept as it is: one
 * odd field must never cost a row that was paid for. The differences are returned to be shown.
 */
export function inspectRows(shape: z.ZodType, rows: readonly Row[]): Oddity[] {
  const oddities = new Map<string, Oddity>();
  for (const row of rows) {
    const result = shape.safeParse(row);
    if (result.success) continue;
    for (const issue of result.error.issues) {
      const field = issue.path
        .map((part) => (typeof part === 'number' ? '*' : String(part)))
        .join('.');
      oddities.set(field, { field, problem: problemOf(issue, valueAt(row, issue.path)) });
    }
  }
  return [...oddities.values()];
}

/** The types of JSON in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  undefined: 'nothing',
  null: 'null',
};

function problemOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type') {
    return `${inWords(typeOf(value))} instead of ${inWords(issue.expected)}`;
  }
  if (issue.code === 'invalid_value' && value !== undefined) {
    return `none of ${issue.values.join(', ')}`;
  }
  return value === undefined ? 'nothing' : 'not as documented';
}

function inWords(type: string): string {
  return TYPES[type] ?? 'something else';
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, part) => (inside as Partial<Record<PropertyKey, unknown>> | undefined)?.[part],
    value,
  );
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
 * Takes the object under `key` out of an answer.
 *
 * @throws {InvalidResponseError} when there is none.
 */
export function rowUnder(row: Row, key: string): Row {
  return rowOf(row[key]);
}
