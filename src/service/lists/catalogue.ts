import { isRow, findRow, without, type Row } from '../../run/answers/rows';
import { findRows } from '../../run/answers/find-rows';
import type { Run } from '../../run/run';
import { requestOf } from '../endpoint';
import { api } from '../endpoints';

/** An entry of the catalog: a field, an operator or a value. */
export interface Listed {
  /** The name used in definitions. */
  readonly key: string;
  /** The name shown to people. */
  readonly label: string;
  /** Every name in the catalog for the entry; a definition can use any of them. */
  readonly names: readonly string[];
}

/** A field that lists can be filtered by, as read from the catalog. */
export interface FilterField extends Listed {
  /** The catalog's name of the type (`number`, `text`, …); empty if it has none. */
  readonly type: string;
  /** The operators of the field; undefined if the catalog does not list them. */
  readonly operators: readonly Listed[] | undefined;
  /** The allowed values; undefined if any value is allowed. */
  readonly values: readonly Listed[] | undefined;
}

/** The catalog of filterable fields. */
export interface FilterCatalogue {
  /** The version to write into definitions; undefined if the catalog has none. */
  readonly registryVersion: unknown;
  readonly fields: readonly FilterField[];
  /** The fields as received. */
  readonly rows: readonly Row[];
  /** The other fields of the response, including the version. */
  readonly beside: Row;
}

const KEY_WORDS = ['key', 'field', 'field_key', 'operator', 'name', 'id', 'value'];
const LABEL_WORDS = ['label', 'display_name', 'title', 'name'];
const TYPE_WORDS = ['type', 'data_type', 'value_type'];

/**
 * Requests the fields and operators that definitions can use, with `GET /v1/lists/filter-fields` (API
 * spec: Lists). Free. The API spec does not show the form of a field, so several forms are accepted.
 */
export async function getFilterCatalogue(run: Run): Promise<FilterCatalogue> {
  return await run.request({
    ...requestOf(api.filterFields, {}),
    repeatable: true,
    read: ({ json }) => readCatalogue(json),
  });
}

/**
 * Reads a catalog from a response.
 *
 * @throws {InvalidResponseError} when the response contains no fields.
 */
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

/** Names of objects that contain fields, or groups of fields, by their keys. */
const FIELDS_BY_KEY = ['fields', 'groups', 'categories'];
const FIELD_LISTS = ['fields', 'filter_fields', 'filters', 'data'];

/** Finds the fields in a list or in an object by keys, with or without groups. */
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

/** Names of the lists that contain the allowed values of a field. */
const OF_VALUES = ['options', 'values', 'choices', 'enum', 'allowed_values'];

/** Replaces groups by their fields; each field names its group. */
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
  // A row with operators, or with a type of its own, is a field and not a group.
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

/** Returns operators listed outside the fields: one list for all, or one for each type. */
function operatorsByType({ operators }: Row, type: string): unknown {
  return isRow(operators) ? operators[type] : operators;
}

function operatorsOf(given: unknown): Listed[] | undefined {
  const entries = isRow(given) ? rowsByKey(given) : given;
  return Array.isArray(entries) && entries.length > 0 ? listed(entries, KEY_WORDS) : undefined;
}

/** Names of the properties that name a value; the one used in definitions comes first. */
const VALUE_WORDS = ['value', 'key', 'id', 'code', 'name', 'label'];

/**
 * Returns the allowed values; undefined if there are none, or if one is not text: it is unknown then
 * how to send the value and whether there are others.
 */
function valuesOf(row: Row): Listed[] | undefined {
  const list = OF_VALUES.map((name) => row[name]).find(Array.isArray) as unknown[] | undefined;
  if (list?.every((entry) => isRow(entry) || isWord(entry)) !== true) return undefined;
  const values = listed(list, VALUE_WORDS);
  return values.length > 0 ? values : undefined;
}

/**
 * Reads entries of the catalog.
 *
 * @param keys the names of the property that definitions use.
 */
function listed(entries: readonly unknown[], keys: readonly string[]): Listed[] {
  return entries.flatMap((entry) => {
    const row = isRow(entry) ? entry : { key: entry };
    const key = wordOf(row, keys);
    if (key === undefined) return [];
    // The name of a group is not a name of its fields.
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

/** Returns the field that a word in a definition means; undefined if there are none or several. */
export function fieldNamed(word: string, fields: readonly FilterField[]): FilterField | undefined {
  const meant = fieldsNamed(word, fields);
  return meant.length === 1 ? meant[0] : undefined;
}

/** Returns the field with this key, or else all fields for which the catalog has this name. */
export function fieldsNamed(word: string, fields: readonly FilterField[]): FilterField[] {
  const field = fields.find(({ key }) => key === word);
  return field === undefined ? fields.filter(({ names }) => names.includes(word)) : [field];
}

/** The words for operators with common keys; see {@link operatorInWords}. */
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
 * Returns the name of an operator in the editor: the catalog's label, if it differs from the key.
 *
 * @param key the operator's name in definitions.
 * @param label the operator's name in the catalog, or else its key.
 */
export function operatorInWords(key: string, label: string): string {
  if (label !== key) return label;
  const known = WORDS.find(([keys]) => keys.test(key.toLowerCase()));
  return known?.[1] ?? spelledOut(key);
}

/** Turns `starts_with` into `Starts With`; symbols stay unchanged. */
function spelledOut(key: string): string {
  return key
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
