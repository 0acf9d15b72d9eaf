import { findText, isRow, findObject, type Row } from '../../run/responses/rows';
import { findRows } from '../../run/responses/find-rows';
import type { Run } from '../../run/run';
import { buildRequest } from '../endpoint';
import { api } from '../endpoints';

/** An entry of the catalog: a field, an operator or a value. */
export interface CatalogEntry {
  /** The name used in definitions. */
  readonly key: string;
  /** The name shown to people. */
  readonly label: string;
  /** Every name in the catalog for the entry; a definition can use any of them. */
  readonly names: readonly string[];
}

/** A field that lists can be filtered by, as read from the catalog. */
export interface FilterField extends CatalogEntry {
  /** The catalog's name of the type (`number`, `text`, …); empty if it has none. */
  readonly type: string;
  /** The operators of the field; undefined if the catalog does not list them. */
  readonly operators: readonly CatalogEntry[] | undefined;
  /** The allowed values; undefined if any value is allowed. */
  readonly values: readonly CatalogEntry[] | undefined;
}

/** The catalog of filterable fields. */
export interface FilterCatalog {
  /** The version to write into definitions; undefined if the catalog has none. */
  readonly registryVersion: unknown;
  readonly fields: readonly FilterField[];
  /** The fields as received. */
  readonly rows: readonly Row[];
  /** The other fields of the response, including the version. */
  readonly envelopeFields: Row;
}

const KEY_WORDS = ['key', 'field', 'field_key', 'operator', 'name', 'id', 'value'];
const LABEL_WORDS = ['label', 'display_name', 'title', 'name'];
const TYPE_WORDS = ['type', 'data_type', 'value_type'];

/**
 * Requests the fields and operators that definitions can use, with `GET /v1/lists/filter-fields` (API
 * spec: Lists). Free. The API spec does not show the form of a field, so several forms are accepted.
 */
export async function getFilterCatalog(run: Run): Promise<FilterCatalog> {
  return await run.request({
    ...buildRequest(api.filterFields, {}),
    repeatable: true,
    read: ({ json }) => readCatalog(json),
  });
}

/**
 * Reads a catalog from a response.
 *
 * @throws {InvalidResponseError} when the response contains no fields.
 */
export function readCatalog(json: unknown): FilterCatalog {
  const { rows, envelope } = readFields(json);
  const { registry_version: registryVersion } = isRow(json)
    ? findObject(json, ['registry_version'])
    : {};
  return {
    registryVersion,
    rows,
    envelopeFields: envelope,
    fields: rows.flatMap((row) =>
      toEntries([row], KEY_WORDS).map((field): FilterField => {
        const type = findText(row, TYPE_WORDS) ?? '';
        const operators = readOperators(row.operators ?? findOperators(envelope, type));
        return { ...field, type, operators, values: readCatalogValues(row) };
      }),
    ),
  };
}

/** Names of objects that contain fields, or groups of fields, by their keys. */
const FIELDS_BY_KEY = ['fields', 'groups', 'categories'];
const FIELD_LISTS = ['fields', 'filter_fields', 'filters', 'data'];

/** Finds the fields in a list or in an object by keys, with or without groups. */
function readFields(json: unknown): { rows: readonly Row[]; envelope: Row } {
  const object = isRow(json) ? findObject(json, FIELDS_BY_KEY) : {};
  const name = FIELDS_BY_KEY.find((one) => isRow(object[one]));
  if (name !== undefined) {
    const { [name]: fields, ...envelope } = object;
    return { rows: flattenGroups(toKeyedRows(Object.entries(fields as Row))), envelope };
  }
  const entries = Object.entries(object);
  const groups = entries.filter(([, value]) => isListOfRows(value));
  if (groups.length > 1 && !FIELD_LISTS.some((one) => Array.isArray(object[one]))) {
    const others = entries.filter(([, value]) => !isListOfRows(value));
    return {
      rows: flattenGroups(toKeyedRows(groups)),
      envelope: Object.fromEntries(others),
    };
  }
  const { rows, envelope } = findRows(json, {
    names: FIELD_LISTS,
    hasId: (row) => findText(row, KEY_WORDS) !== undefined,
  });
  return { rows: flattenGroups(rows), envelope };
}

function isListOfRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** Names of the lists that contain the allowed values of a field. */
const VALUE_LISTS = ['options', 'values', 'choices', 'enum', 'allowed_values'];

/** Replaces groups by their fields; each field names its group. */
function flattenGroups(rows: readonly Row[], depth = 0): Row[] {
  return rows.flatMap((row) => {
    const inner = depth > MAX_GROUP_DEPTH ? [] : readGroupFields(row);
    if (inner.length === 0) return [row];
    const group = findText(row, LABEL_WORDS) ?? findText(row, KEY_WORDS);
    const named = inner.map((field) => (group === undefined ? field : { group, ...field }));
    return flattenGroups(named, depth + 1);
  });
}

const MAX_GROUP_DEPTH = 4;

function readGroupFields(row: Row): Row[] {
  const saysFields = FIELD_LISTS.some((name) => row[name] !== undefined);
  // A row with operators, or with a type of its own, is a field and not a group.
  if (row.operators !== undefined || (!saysFields && findText(row, TYPE_WORDS))) return [];
  return Object.entries(row).flatMap(([name, value]) => {
    if (VALUE_LISTS.includes(name)) return [];
    if (isListOfRows(value)) return value;
    return isRow(value) && FIELD_LISTS.includes(name) ? toKeyedRows(Object.entries(value)) : [];
  });
}

function toKeyedRows(entries: ReadonlyArray<[string, unknown]>): Row[] {
  return entries.map(([key, entry]) => (isRow(entry) ? { key, ...entry } : { key, value: entry }));
}

/** Returns operators listed outside the fields: one list for all, or one for each type. */
function findOperators({ operators }: Row, type: string): unknown {
  return isRow(operators) ? operators[type] : operators;
}

function readOperators(given: unknown): CatalogEntry[] | undefined {
  const entries = isRow(given) ? toKeyedRows(Object.entries(given)) : given;
  return Array.isArray(entries) && entries.length > 0 ? toEntries(entries, KEY_WORDS) : undefined;
}

/** Names of the properties that name a value; the one used in definitions comes first. */
const VALUE_WORDS = ['value', 'key', 'id', 'code', 'name', 'label'];

/**
 * Returns the allowed values; undefined if there are none, or if one is not text: it is unknown then
 * how to send the value and whether there are others.
 */
function readCatalogValues(row: Row): CatalogEntry[] | undefined {
  const list = VALUE_LISTS.map((name) => row[name]).find(Array.isArray) as unknown[] | undefined;
  if (list?.every((entry) => isRow(entry) || isFilledText(entry)) !== true) return undefined;
  const values = toEntries(list, VALUE_WORDS);
  return values.length > 0 ? values : undefined;
}

/**
 * Reads entries of the catalog.
 *
 * @param keys the names of the property that definitions use.
 */
function toEntries(entries: readonly unknown[], keys: readonly string[]): CatalogEntry[] {
  return entries.flatMap((entry) => {
    const row = isRow(entry) ? entry : { key: entry };
    const key = findText(row, keys);
    if (key === undefined) return [];
    // The name of a group is not a name of its fields.
    const properties = Object.keys(row).filter((name) => name !== 'group');
    const names = properties.map((name) => row[name]).filter(isFilledText);
    return [{ key, label: findText(row, LABEL_WORDS) ?? key, names }];
  });
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns the field that a word in a definition means; undefined if there are none or several. */
export function findField(word: string, fields: readonly FilterField[]): FilterField | undefined {
  const meant = findFields(word, fields);
  return meant.length === 1 ? meant[0] : undefined;
}

/** Returns the field with this key, or else all fields for which the catalog has this name. */
export function findFields(word: string, fields: readonly FilterField[]): FilterField[] {
  const field = fields.find(({ key }) => key === word);
  return field === undefined ? fields.filter(({ names }) => names.includes(word)) : [field];
}

/** The words for operators with common keys; see {@link formatOperator}. */
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
export function formatOperator(key: string, label: string): string {
  if (label !== key) return label;
  const known = WORDS.find(([keys]) => keys.test(key.toLowerCase()));
  return known?.[1] ?? toTitleCase(key);
}

/** Turns `starts_with` into `Starts With`; symbols stay unchanged. */
function toTitleCase(key: string): string {
  return key
    .split(/[_\s-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
