import { invalidResponse } from '../../client/errors';
import { countOf } from './count';
import { followingOf, saidMore, type Following } from './cursor';
import { rowsById, rowsOfGroupList, rowsOfGroups, type Groups } from './grouped-rows';
import { isRow, rowOf, rowsOf, without, type Row } from './rows';

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
  /** Parameters of the next page, where the answer has a cursor for it. */
  readonly next: Following['query'];
}

/** How deep an envelope may be: `{ result: { data: { members: [] } } }`. */
const DEEPEST = 4;
/** Under these an answer says what went wrong; there is no object of its own in them. */
const IS_ERROR = /^(?:errors?|detail)$/;

/**
 * Finds the rows of an answer, whatever their key or depth: a bare array, `{ members: [] }`,
 * `{ data: [] }`, `{ result: { items: [] } }`. Of several lists the one with the expected name
 * counts, then the least deep one with rows in it. Entries that are no objects become `{ value }`.
 * Rows may stand in groups, or under their ids; `null` under an expected name means none.
 *
 * @param expected names the rows may have, the likeliest first.
 * @param groups lists that are all meant where there are several.
 * @throws {InvalidResponseError} when there is no list at all.
 */
export function rowsAnywhere(
  json: unknown,
  expected: readonly string[],
  groups: Groups = NO_GROUPS,
): RowsAnywhere {
  if (Array.isArray(json)) {
    return { rows: rowsIn(json, groups, expected), beside: {} };
  }
  for (const { row, beside } of rowsAround(json, 1)) {
    const rows = rowsOfGroups(row, groups, expected);
    if (rows !== undefined) return { rows, beside: { ...beside, ...without(row, groups.names) } };
  }
  const candidates = [...listsIn(json, 1)];
  const best =
    expected
      .map((name) => candidates.find((candidate) => candidate.name === name))
      .find((candidate) => candidate !== undefined) ??
    candidates.find(({ list }) => list.some(isRow)) ??
    candidates[0];
  if (best !== undefined) {
    const { list, beside } = best;
    return { rows: rowsIn(list, groups, expected), beside };
  }
  for (const { row, beside } of rowsAround(json, 1)) {
    const name = expected.find((one) => row[one] !== undefined);
    const rows = name !== undefined && row[name] === null ? [] : rowsById(row[name ?? '']);
    if (rows !== undefined) return { rows, beside: { ...beside, ...without(row, [name ?? '']) } };
  }
  throw invalidResponse('The answer has no list of rows');
}

const NO_GROUPS: Groups = { names: [] };

/** The rows of a list; groups may stand in lists by themselves, `[[[{ members: [] }]]]`. */
function rowsIn(list: readonly unknown[], groups: Groups, expected: readonly string[]): Row[] {
  let inner = list;
  while (inner.length === 1 && Array.isArray(inner[0])) inner = inner[0] as readonly unknown[];
  return rowsOfGroupList(inner, groups, expected) ?? rowsOf(list);
}

/** An object and those in it, the least deep first, each with what stands around it. */
function rowsAround(
  json: unknown,
  depth: number,
  around: Row = {},
): Array<{ row: Row; beside: Row }> {
  if (!isRow(json) || depth > DEEPEST) return [];
  const inner = Object.entries(json).flatMap(([name, value]) =>
    rowsAround(value, depth + 1, { ...around, ...without(json, [name]) }),
  );
  return [{ row: json, beside: around }, ...inner];
}

/**
 * Looks for totals and cursors beside the rows, and two levels deeper, as in `{ meta: { pagination: {
 * total: 3 } } }`. A bare `count` is not taken for a total: it may be that of the page.
 */
export function pagingOf(beside: Row): Paging {
  const inner = Object.values(beside).filter(isRow);
  const innermost = inner.flatMap((row) => Object.values(row).filter(isRow));
  const said = Object.assign({}, ...innermost, ...inner, beside) as Row;
  const following = followingOf(said);
  const totals = [said.total_count, said.total_results, said.total_members, said.total];
  return {
    total: totals.map((value) => countOf(value)).find((value) => value !== undefined),
    hasMore: saidMore(said) ?? following.hasMore,
    next: following.query,
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

/**
 * The same of an object of a known kind. What has none of its fields is something else, such as
 * `{ error, message }` with a success status.
 *
 * @param fields that tell the kind; one of them is enough.
 * @throws {InvalidResponseError} when none of them is there.
 */
export function rowWith(json: unknown, fields: readonly string[]): Row {
  const row = rowAnywhere(json, fields);
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

interface Candidate {
  readonly name: string;
  readonly list: readonly unknown[];
  readonly beside: Row;
}

/** The lists of an object, its own before those of the objects in it. */
function* listsIn(json: unknown, depth: number, around: Row = {}): Generator<Candidate> {
  if (!isRow(json) || depth > DEEPEST) return;
  const entries = Object.entries(json);
  const besideOf = (name: string): Row => ({ ...around, ...without(json, [name]) });
  for (const [name, list] of entries) {
    if (Array.isArray(list)) yield { name, list, beside: besideOf(name) };
  }
  for (const [name, inner] of entries) yield* listsIn(inner, depth + 1, besideOf(name));
}
