import { isRow, rowsOf, type Row } from './rows';

/** How an answer may hold its rows in several lists. */
export interface Groups {
  /** Names that the lists may have: `{ high: [], medium: [] }`. */
  readonly names: readonly string[];
  /** The field of a row that says in which list it stood; none if left out. */
  readonly field?: string;
}

/**
 * The rows of an object that holds them in groups, in its order: `{ high: [], medium: [] }`,
 * `{ high: { members: [] } }`. Undefined where it does not.
 */
export function rowsOfGroups(
  json: Row,
  { names, field }: Groups,
  expected: readonly string[],
): Row[] | undefined {
  const groups = Object.entries(json).filter(([name]) => names.includes(name));
  const lists = groups.map(([name, group]) => ({ name, list: listIn(group, expected) }));
  if (!lists.some(({ list }) => list !== undefined)) return undefined;
  return lists.flatMap(({ name, list = [] }) => named(rowsOf(list), field, name));
}

/**
 * The rows of a list of groups: `[{ tier: 'high', members: [] }]`. Undefined where it is none.
 */
export function rowsOfGroupList(
  list: readonly unknown[],
  { names, field = '' }: Groups,
  expected: readonly string[],
): Row[] | undefined {
  const groups = list.filter(isRow).map((group) => ({
    name: [group[field], group.name, group.key].find((name) => names.includes(String(name))),
    list: listIn(group, expected),
  }));
  if (groups.length === 0 || groups.some((group) => group.list === undefined)) return undefined;
  return groups.flatMap((group) => named(rowsOf(group.list ?? []), field, group.name));
}

function listIn(group: unknown, expected: readonly string[]): readonly unknown[] | undefined {
  if (Array.isArray(group)) return group as readonly unknown[];
  if (!isRow(group)) return undefined;
  const lists = expected.map((name) => group[name]);
  return lists.find((list): list is unknown[] => Array.isArray(list));
}

function named(rows: Row[], field: string | undefined, name: unknown): Row[] {
  return field === undefined || field === '' || name === undefined
    ? rows
    : rows.map((row) => ({ [field]: name, ...row }));
}

/** Rows that are kept by their ids, `{ "123": {…} }`; undefined for any other object. */
export function rowsById(json: unknown): Row[] | undefined {
  if (!isRow(json)) return undefined;
  const entries = Object.entries(json);
  if (entries.length === 0) return [];
  if (!entries.every(([, row]) => isRow(row) && !Object.values(row).some(Array.isArray))) {
    return undefined;
  }
  return entries.map(([id, row]) => ({ id, ...(row as Row) }));
}
