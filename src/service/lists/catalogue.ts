import { isRow, findRow, without, type Row } from '../../run/answers/rows';
import { findRows } from '../../run/answers/find-rows';
import type { Run } from '../../run/run';
import { requestOf } from '../endpoint';
import { api } from '../endpoints';

/** Something in the catalogue: a field, an operator, a value. */
export interface Listed {
  /** What definitions call it. */
  readonly key: string;
  /** What people call it. */
  readonly label: string;
  /** Every word the catalogue has for it; a definition may use any of them. */
  readonly names: readonly string[];
}

/** A field that lists can be filtered by, as far as the catalogue can be understood. */
export interface FilterField extends Listed {
  /** `number`, `text`, … in the catalogue's own words; empty when it says nothing. */
  readonly type: string;
  /** Undefined when the catalogue does not say which it takes. */
  readonly operators: readonly Listed[] | undefined;
  /** What it has to choose from; undefined for any value. */
  readonly values: readonly Listed[] | undefined;
}

/** The catalogue of filterable fields. */
export interface FilterCatalogue {
  /** To be stamped into definitions; undefined when the catalogue has none. */
  readonly registryVersion: unknown;
  readonly fields: readonly FilterField[];
  /** The fields as they came. */
  readonly rows: readonly Row[];
  /** What is beside them, the version included. */
  readonly beside: Row;
}

const KEY_WORDS = ['key', 'field', 'field_key', 'operator', 'name', 'id', 'value'];
const LABEL_WORDS = ['label', 'display_name', 'title', 'name'];
const TYPE_WORDS = ['type', 'data_type', 'value_type'];

/**
 * `GET /v1/lists/filter-fields`: the fields and operators that definitions may use (interface:
 * Lists). Free. What a field looks like is not shown, hence read tolerantly.
 */
export async function getFilterCatalogue(run: Run): Promise<FilterCatalogue> {
  return await run.request({
    ...requestOf(api.filterFields, {}),
    repeatable: true,
    read: ({ json }) => readCatalogue(json),
  });
}

/** @throws {InvalidResponseError} when there are no fields in it. */
export function readCatalogue(json: unknown): FilterCatalogue {
  const { rows, beside } = fieldsIn(json);
  const { registry_version: registryVersion } = isRow(json)
    ? findRow(json, ['registry_version'])
    : {};
  return {
    registryVersion,
    rows,
    beside,
    fields: rows.flatMap((row) =>
      listed([row], KEY_WORDS).map((field): FilterField => {
        const type = wordOf(row, TYPE_WORDS) ?? '';
        const operators = operatorsOf(row.operators ?? operatorsByType(beside, type));
        return { ...field, type, operators, values: valuesOf(row) };
      }),
    ),
  };
}

/** Objects of these names hold fields, or groups of them, by their keys. */
const FIELDS_BY_KEY = ['fields', 'groups', 'categories'];
const FIELD_LISTS = ['fields', 'filter_fields', 'filters', 'data'];

/** Fields as a list, or as an object of them by their keys; in groups, whatever the groups are. */
function fieldsIn(json: unknown): { rows: readonly Row[]; beside: Row } {
  const envelope = isRow(json) ? findRow(json, FIELDS_BY_KEY) : {};
  const name = FIELDS_BY_KEY.find((one) => isRow(envelope[one]));
  if (name !== undefined) {
    const { [name]: fields, ...beside } = envelope;
    return { rows: ungrouped(rowsByKey(fields as Row)), beside };
  }
  const groups = Object.entries(envelope).filter(([, value]) => isListOfRows(value));
  if (groups.length > 1 && !FIELD_LISTS.some((one) => Array.isArray(envelope[one]))) {
    const names = groups.map(([group]) => group);
    return {
      rows: ungrouped(rowsByKey(Object.fromEntries(groups))),
      beside: without(envelope, names),
    };
  }
  const { rows, envelope: beside } = findRows(json, {
    names: FIELD_LISTS,
    hasId: (row) => wordOf(row, KEY_WORDS) !== undefined,
  });
  return { rows: ungrouped(rows), beside };
}

function isListOfRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** Lists of a field itself. */
const OF_VALUES = ['options', 'values', 'choices', 'enum', 'allowed_values'];

/** The fields of groups in place of the groups. */
function ungrouped(rows: readonly Row[], depth = 0): Row[] {
  return rows.flatMap((row) => {
    const inner = depth > DEEPEST_GROUP ? [] : fieldsOfGroup(row);
    if (inner.length === 0) return [row];
    const group = wordOf(row, LABEL_WORDS) ?? wordOf(row, KEY_WORDS);
    const named = inner.map((field) => (group === undefined ? field : { group, ...field }));
    return ungrouped(named, depth + 1);
  });
}

const DEEPEST_GROUP = 4;

function fieldsOfGroup(row: Row): Row[] {
  const saysFields = FIELD_LISTS.some((name) => row[name] !== undefined);
  // What has operators, or a type of its own, is a field.
  if (row.operators !== undefined || (!saysFields && wordOf(row, TYPE_WORDS))) return [];
  return Object.entries(without(row, OF_VALUES)).flatMap(([name, value]) => {
    if (isListOfRows(value)) return value;
    return isRow(value) && FIELD_LISTS.includes(name) ? rowsByKey(value) : [];
  });
}

function rowsByKey(entries: Row): Row[] {
  return Object.entries(entries).map(([key, entry]) =>
    isRow(entry) ? { key, ...entry } : { key, value: entry },
  );
}

/** Operators beside the fields: one list for all, or one for each type. */
function operatorsByType({ operators }: Row, type: string): unknown {
  return isRow(operators) ? operators[type] : operators;
}

function operatorsOf(given: unknown): Listed[] | undefined {
  const entries = isRow(given) ? rowsByKey(given) : given;
  return Array.isArray(entries) && entries.length > 0 ? listed(entries, KEY_WORDS) : undefined;
}

/** Names of a value among its words, that which definitions call it first. */
const VALUE_WORDS = ['value', 'key', 'id', 'code', 'name', 'label'];

/** Where one is no text, nobody knows how it is to be sent, nor which others there are. */
function valuesOf(row: Row): Listed[] | undefined {
  const list = OF_VALUES.map((name) => row[name]).find(Array.isArray) as unknown[] | undefined;
  if (list?.every((entry) => isRow(entry) || isWord(entry)) !== true) return undefined;
  const values = listed(list, VALUE_WORDS);
  return values.length > 0 ? values : undefined;
}

/** @param keys names of the word that definitions use. */
function listed(entries: readonly unknown[], keys: readonly string[]): Listed[] {
  return entries.flatMap((entry) => {
    const row = isRow(entry) ? entry : { key: entry };
    const key = wordOf(row, keys);
    if (key === undefined) return [];
    // A group is not a word for what is in it.
    const names = Object.values(without(row, ['group'])).filter(isWord);
    return [{ key, label: wordOf(row, LABEL_WORDS) ?? key, names }];
  });
}

function wordOf(row: Row, names: readonly string[]): string | undefined {
  return names.map((name) => row[name]).find(isWord);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The field that a definition means by a word; undefined when it could be several. */
export function fieldNamed(word: string, fields: readonly FilterField[]): FilterField | undefined {
  const meant = fieldsNamed(word, fields);
  return meant.length === 1 ? meant[0] : undefined;
}

/** The field with this key, or else all for which the catalogue has this word. */
export function fieldsNamed(word: string, fields: readonly FilterField[]): FilterField[] {
  const field = fields.find(({ key }) => key === word);
  return field === undefined ? fields.filter(({ names }) => names.includes(word)) : [field];
}

/** Operators in words, by the keys that are common; see {@link operatorInWords}. */
const WORDS: ReadonlyArray<readonly [keys: RegExp, words: string]> = [
  [/^(eq|equals?|is|==?)$/, 'Is'],
  [/^(neq?|not_equals?|not_equal|is_not|!=|<>)$/, 'Is Not'],
  [/^(in|any_of|one_of|is_any_of|is_one_of)$/, 'Is One Of'],
  [/^(not_in|nin|none_of|is_none_of)$/, 'Is None Of'],
  [/^(gte|ge|>=|min|at_least)$/, 'Is at Least'],
  [/^(lte|le|<=|max|at_most)$/, 'Is at Most'],
  [/^(gt|>|greater_than|more_than)$/, 'Is More Than'],
  [/^(lt|<|less_than)$/, 'Is Less Than'],
];

/**
 * What the editor calls an operator. A label of the catalogue counts, as long as it is no key.
 *
 * @param key what definitions call it.
 * @param label what the catalogue calls it; the key where it has nothing else.
 */
export function operatorInWords(key: string, label: string): string {
  if (label !== key) return label;
  const known = WORDS.find(([keys]) => keys.test(key.toLowerCase()));
  return known?.[1] ?? spelledOut(key);
}

/** `starts_with` as `Starts With`; what is no word stays. */
function spelledOut(key: string): string {
  return key
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
