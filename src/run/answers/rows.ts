import type { z } from 'zod/v4';

import { InvalidResponseError } from '../../client/errors';
import { isRecord } from '../../client/is-record';

/** One row of an answer, every field kept as it came. */
export type Row = Record<string, unknown>;

/** A field whose type is not what the interface says. */
export interface Oddity {
  /** Where: `partnerships.0.observation_count`. */
  readonly field: string;
  readonly problem: string;
}

/** Rows that are packed into more lists than this stay packed. */
const DEEPEST_LIST = 10;

/** Whether a value is a row. */
export const isRow: (value: unknown) => value is Row = isRecord;

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
      const field = issue.path.map((part) => (typeof part === 'number' ? '*' : String(part)));
      oddities.set(field.join('.'), {
        field: field.join('.'),
        problem: issue.message.replace(/^Invalid (?:input|option): /, ''),
      });
    }
  }
  return [...oddities.values()];
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
  throw new InvalidResponseError({
    code: 'invalid_response',
    message: `The answer has no list "${key}"`,
    hint: 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
  });
}

/**
 * Reads an answer that is one object.
 *
 * @throws {InvalidResponseError} when it is anything else.
 */
export function rowOf(json: unknown): Row {
  if (isRow(json)) return json;
  throw new InvalidResponseError({
    code: 'invalid_response',
    message: 'The answer is not an object',
    hint: 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
  });
}

/**
 * Takes the object under `key` out of an answer.
 *
 * @throws {InvalidResponseError} when there is none.
 */
export function rowUnder(row: Row, key: string): Row {
  return rowOf(row[key]);
}
