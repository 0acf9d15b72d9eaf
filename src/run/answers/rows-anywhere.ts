import { InvalidResponseError } from '../../client/errors';
import { isRow, rowOf, rowsOf, type Row } from './rows';

/** Rows of an answer whose envelope the interface does not show. */
export interface RowsAnywhere {
  readonly rows: readonly Row[];
  /** What stands beside the rows, or around them: totals, `has_more`, … */
  readonly beside: Row;
}

/** What an answer says about how many rows there are. */
export interface Paging {
  /** Rows in all. */
  readonly total: number | undefined;
  readonly hasMore: boolean | undefined;
}

/** How deep an envelope may be: `{ result: { data: { members: [] } } }`. */
const DEEPEST = 4;
/** Under these an answer says what went wrong; there is no object of its own in them. */
const IS_ERROR = /^(?:errors?|detail)$/;

/**
 * Finds the rows of an answer, whatever their key or depth: a bare array, `{ members: [] }`,
 * `{ data: [] }`, `{ result: { items: [] } }`. Of several lists the one with the expected name
 * counts, then the least deep one with rows in it. Entries that are no objects become `{ value }`.
 *
 * @param expected names the rows may have, the likeliest first.
 * @throws {InvalidResponseError} when there is no list at all.
 */
export function rowsAnywhere(json: unknown, expected: readonly string[]): RowsAnywhere {
  if (Array.isArray(json)) return { rows: rowsOf(json), beside: {} };
  const candidates = [...listsIn(json, 1)];
  const best =
    expected
      .map((name) => candidates.find((candidate) => candidate.name === name))
      .find((candidate) => candidate !== undefined) ??
    candidates.find(({ list }) => list.some(isRow)) ??
    candidates[0];
  if (best !== undefined) return { rows: rowsOf(best.list), beside: best.beside };
  throw new InvalidResponseError({
    code: 'invalid_response',
    message: 'The answer has no list of rows',
    hint: 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
  });
}

/**
 * Looks for totals beside the rows, and one level deeper, as in `{ pagination: { total: 3 } }`. A
 * bare `count` is not taken for a total: it may be that of the page.
 */
export function pagingOf(beside: Row): Paging {
  const said = Object.assign({}, ...Object.values(beside).filter(isRow), beside) as Row;
  const totals = [said.total_count, said.total_results, said.total_members, said.total];
  const more = [said.has_more, said.has_next, said.hasMore];
  return {
    total: totals.find((value) => typeof value === 'number'),
    hasMore: more.find((value) => typeof value === 'boolean'),
  };
}

/**
 * Finds the object of an answer, whatever is around it: the answer itself, `{ data: {} }`,
 * `{ result: { list: {} } }`. What stands beside it is kept.
 *
 * @param has fields of which the object has one; where none has any, the answer is the object.
 * @throws {InvalidResponseError} when the answer is no object.
 */
export function rowAnywhere(json: unknown, has: readonly string[]): Row {
  const answer = rowOf(json);
  return unwrapped(answer, has, 1) ?? answer;
}

function unwrapped(row: Row, has: readonly string[], depth: number): Row | undefined {
  if (has.some((name) => row[name] !== undefined)) return row;
  if (depth === DEEPEST) return undefined;
  for (const [name, inner] of Object.entries(row)) {
    if (IS_ERROR.test(name)) continue;
    const found = isRow(inner) ? unwrapped(inner, has, depth + 1) : undefined;
    if (found === undefined) continue;
    const beside = Object.entries(row).filter(([other]) => other !== name);
    return { ...Object.fromEntries(beside), ...found };
  }
  return undefined;
}

interface Candidate {
  readonly name: string;
  readonly list: readonly unknown[];
  readonly beside: Row;
}

/** The lists of an object, its own before those of the objects in it. */
function* listsIn(json: unknown, depth: number, around: Row = {}): Generator<Candidate> {
  if (!isRow(json) || depth > DEEPEST) return;
  const entries = Object.entries(json);
  const besideOf = (name: string): Row => ({
    ...around,
    ...Object.fromEntries(entries.filter(([other]) => other !== name)),
  });
  for (const [name, list] of entries) {
    if (Array.isArray(list)) yield { name, list, beside: besideOf(name) };
  }
  for (const [name, inner] of entries) yield* listsIn(inner, depth + 1, besideOf(name));
}
