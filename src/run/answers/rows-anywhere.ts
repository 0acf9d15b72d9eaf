import { invalidResponse } from '../../client/errors';
import { isRow, rowOf, rowsOf, without, type Row } from './rows';

/** Rows of an answer whose envelope the interface does not show. */
export interface RowsAnywhere {
  readonly rows: readonly Row[];
  /** What is beside the rows, or around them: totals, `has_more`, … */
  readonly beside: Row;
}

/** How an answer may hold its rows in several lists. */
export interface Groups {
  /** Names that the lists may have: `{ high: [], medium: [] }`. */
  readonly names: readonly string[];
  /** The field of a row that says in which list it stood; `group` if left out. */
  readonly field?: string;
}

/** What is looked for in an answer. */
interface Sought {
  /** Names the rows may have, the likeliest first. */
  readonly expected: readonly string[];
  readonly groups: Groups;
}

/** How deep an envelope may be: `{ result: { data: { members: [] } } }`. */
const DEEPEST = 4;
/** What is under these is about the answer, or about its rows, and is none of them. */
const IS_BESIDE =
  /^(?:errors?|warnings?|messages?|details?|notices?|notes?|meta|metadata|pagination|paging|links?|columns?|fields?|headers?|schema|operators|filters?|facets?|sort|query|request|excluded|exclusions?|omitted|skipped|ignored|rejected|invalid|unmatched|duplicates)$/i;
/** Names that lists have in envelopes, whatever they hold. */
const USUAL_NAMES = ['data', 'items', 'results', 'rows', 'list', 'entries', 'records'];

/**
 * Finds the rows of an answer, whatever their key or depth: a bare array, `{ members: [] }`,
 * `{ data: [] }`, `{ result: { items: [] } }`, `{ members: { "123": {} } }`. A list with an expected
 * name counts before others. Other lists of objects beside each other, and objects like
 * theirs, are one list, and each row says in which group it stood: `{ users: [], org_wide: {} }`.
 * Entries that are no objects become `{ value }`; `null` under an expected name means none.
 *
 * @param expected names the rows may have, the likeliest first.
 * @param groups lists that are all meant, even if one of them is alone.
 * @throws {InvalidResponseError} when there is no list at all.
 */
export function rowsAnywhere(
  json: unknown,
  expected: readonly string[],
  groups: Groups = { names: [] },
): RowsAnywhere {
  return find(json, { expected, groups });
}

function find(json: unknown, sought: Sought): RowsAnywhere {
  if (Array.isArray(json)) return { rows: rowsIn(json, sought), beside: {} };
  const list =
    knownGroups(json, sought) ??
    underName(json, sought) ??
    otherGroups(json, sought) ??
    anyList(json, sought);
  if (list !== undefined) return list;
  throw invalidResponse('The answer has no list of rows');
}

/** Groups with names that are known, or of which each holds a list with an expected name. */
function knownGroups(json: unknown, sought: Sought): RowsAnywhere | undefined {
  const { expected, groups } = sought;
  const inner = [...expected, ...USUAL_NAMES];
  for (const { row, beside } of rowsAround(json)) {
    const isKnown = Object.entries(row).some(
      ([name, value]) => groups.names.includes(name) && holdsLists(value),
    );
    const names = Object.keys(row).filter((name) => {
      const value = row[name];
      if (isKnown) return [...groups.names, ...expected].includes(name) && holdsLists(value);
      return (
        isRow(value) && !IS_BESIDE.test(name) && inner.some((one) => Array.isArray(value[one]))
      );
    });
    const hasOwn = expected.some((name) => Array.isArray(row[name]));
    if (!isKnown && (hasOwn || names.length < 2)) continue;
    const parts = names.map((name) => ({
      name,
      rows: find(row[name], { expected: inner, groups }).rows,
    }));
    const fields = new Set(Object.keys(parts.find((part) => part.rows.length > 0)?.rows[0] ?? {}));
    const singles = Object.keys(row).filter(
      (name) => !names.includes(name) && !IS_BESIDE.test(name) && isLike(row[name], fields),
    );
    const alone = singles.map((name) => ({ name, rows: [rowOf(row[name])] }));
    return {
      rows: inGroups([...parts, ...alone], groups),
      beside: { ...beside, ...without(row, [...names, ...singles]) },
    };
  }
  return undefined;
}

/** A list, or an object of rows by their ids, with the likeliest of the expected names. */
function underName(json: unknown, sought: Sought): RowsAnywhere | undefined {
  const { expected, groups } = sought;
  const objects = rowsAround(json);
  for (const name of expected) {
    for (const { row, beside } of objects) {
      const value = row[name];
      const rest = { ...beside, ...without(row, [name]) };
      if (Array.isArray(value)) return { rows: rowsIn(value, sought), beside: rest };
      const rows = rowsById(value, [...expected, ...USUAL_NAMES, ...groups.names]);
      if (rows !== undefined) return { rows, beside: rest };
    }
  }
  return undefined;
}

/**
 * The lists of objects in an object, or else those in the first object in it that has some, and what
 * is beside them and is like their rows.
 */
function otherGroups(json: unknown, sought: Sought, depth = 1): RowsAnywhere | undefined {
  if (!isRow(json) || depth > DEEPEST) return undefined;
  const parts = Object.entries(json)
    .filter(([name]) => !IS_BESIDE.test(name))
    .map(([name, value]) => ({ name, value, ...partIn(value, sought, depth) }));
  const base =
    parts.find(({ value, rows = [] }) => Array.isArray(value) && rows.length > 0) ??
    parts.find(({ rows = [] }) => rows.length > 0);
  if (base === undefined) return undefined;
  const fields = new Set(Object.keys(base.rows?.[0] ?? {}));
  const all = parts.filter(({ value, rows }) =>
    Array.isArray(value) ? rows !== undefined : isLike(rows?.[0] ?? value, fields),
  );
  const named = all.map(({ name, value, rows }) => ({ name, rows: rows ?? [rowOf(value)] }));
  const beside = without(
    json,
    all.map(({ name }) => name),
  );
  return {
    rows: inGroups(named, sought.groups),
    beside: { ...beside, ...(all.length > 1 ? {} : base.beside) },
  };
}

/** The rows of a part of an answer; undefined where there are none to be. */
function partIn(value: unknown, sought: Sought, depth: number): Partial<RowsAnywhere> {
  if (!Array.isArray(value)) return otherGroups(value, sought, depth + 1) ?? {};
  const isOfRows = value.length === 0 || value.flat(DEEPEST).some(isRow);
  return isOfRows ? { rows: rowsIn(value, sought) } : {};
}

/** The rows of parts, each of which says of which it is where there are several. */
function inGroups(
  parts: ReadonlyArray<{ readonly name: string; readonly rows: readonly Row[] }>,
  { names, field = 'group' }: Groups,
): Row[] {
  return parts.flatMap(({ name, rows }) =>
    parts.length > 1 || names.includes(name)
      ? rows.map((row) => ({ [field]: name, ...row }))
      : rows,
  );
}

/** The least deep list, whatever it holds; or the word that there is none. */
function anyList(json: unknown, sought: Sought): RowsAnywhere | undefined {
  const objects = rowsAround(json);
  for (const { row, beside } of objects) {
    const name = Object.keys(row).find((one) => !IS_BESIDE.test(one) && Array.isArray(row[one]));
    if (name !== undefined) {
      return {
        rows: rowsIn(row[name] as unknown[], sought),
        beside: { ...beside, ...without(row, [name]) },
      };
    }
  }
  const none = objects.find(({ row }) => sought.expected.some((name) => row[name] === null));
  return none && { rows: [], beside: { ...none.beside, ...none.row } };
}

/** Whether half of an object's fields, or more, are those of rows. */
function isLike(value: unknown, fields: ReadonlySet<string>): boolean {
  if (!isRow(value)) return false;
  const names = Object.keys(value);
  return 2 * names.filter((name) => fields.has(name)).length >= Math.max(1, names.length);
}

/** Whether something is a list, or an envelope of some. */
function holdsLists(value: unknown): boolean {
  return Array.isArray(value) || (isRow(value) && Object.values(value).some(holdsLists));
}

/** Whether all that an object says of itself is what it holds, and that is a list with an expected name. */
function isEnvelope(row: Row, expected: readonly string[]): boolean {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  return (
    !Object.values(row).some(isPlain) &&
    rowsAround(row).some((inside) => expected.some((name) => Array.isArray(inside.row[name])))
  );
}

/** The rows of a list; groups may be in lists by themselves, `[[[{ members: [] }]]]`. */
function rowsIn(list: readonly unknown[], sought: Sought): Row[] {
  const { expected, groups } = sought;
  let inner = list;
  while (inner.length === 1 && Array.isArray(inner[0])) inner = inner[0] as readonly unknown[];
  const { names, field = 'group' } = groups;
  const [only] = inner;
  const parts = inner.filter(isRow).map((group) => ({
    name: [group[field], group.name, group.key].find((name) => names.includes(String(name))),
    list: expected.map((name) => group[name]).find(Array.isArray) as unknown[] | undefined,
  }));
  if (inner.length === 1 && isRow(only) && isEnvelope(only, expected)) {
    return [...find(only, sought).rows];
  }
  if (parts.length === 0 || parts.some((part) => part.list === undefined)) return rowsOf(list);
  return parts.flatMap(({ name, list: part = [] }) =>
    name === undefined ? rowsOf(part) : rowsOf(part).map((row) => ({ [field]: name, ...row })),
  );
}

/**
 * Rows that are kept by their ids, `{ "123": {…} }`; undefined for any other object.
 *
 * @param notIn names of which an envelope has some, and a row has none.
 */
function rowsById(json: unknown, notIn: readonly string[]): Row[] | undefined {
  if (!isRow(json)) return undefined;
  const entries = Object.entries(json);
  const isRowById = ([id, row]: [string, unknown]) =>
    isRow(row) &&
    !IS_BESIDE.test(id) &&
    !notIn.some((name) => id === name || holdsLists(row[name])) &&
    Object.values(row).some((value) => typeof value !== 'object' || value === null);
  if (!entries.every(isRowById)) return undefined;
  return entries.map(([id, row]) => ({ id, ...(row as Row) }));
}

/** An object and those in it, the least deep first, each with what is around it. */
function rowsAround(json: unknown): Array<{ row: Row; beside: Row }> {
  const found = isRow(json) ? [{ row: json, beside: {} as Row, depth: 1 }] : [];
  // Grows while it is gone through.
  for (const { row, beside, depth } of found) {
    if (depth === DEEPEST) break;
    for (const [name, value] of Object.entries(row)) {
      if (!isRow(value) || IS_BESIDE.test(name)) continue;
      found.push({ row: value, beside: { ...beside, ...without(row, [name]) }, depth: depth + 1 });
    }
  }
  return found;
}
