import { saysRefused } from '../../client/error-body';
import { invalidResponse } from '../../client/errors';
import { isRow, rowOf, without, type Row } from './rows';

/** How deep an envelope may be: `{ result: { list: {} } }`. */
const DEEPEST = 4;
/** Under these an answer says what went wrong; there is no object of its own in them. */
const IS_ERROR = /^(?:errors?|detail)$/;

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
