import { path } from '../../client/call';
import { isRow, without, type Row } from '../../run/answers/rows';
import { rowsAnywhere } from '../../run/answers/rows-anywhere';
import { rowAnywhere } from '../../run/answers/row-anywhere';
import type { Run } from '../../run/run';

/** A field that lists can be filtered by, as far as the catalogue can be understood. */
export interface FilterField {
  /** What definitions call it. */
  readonly key: string;
  /** What people call it. */
  readonly label: string;
  /** Every word the catalogue has for it; a definition may use any of them. */
  readonly names: readonly string[];
  /** `number`, `text`, … in the catalogue's own words; empty when it says nothing. */
  readonly type: string;
  /** Undefined when the catalogue does not say which it takes. */
  readonly operators: readonly FilterOperator[] | undefined;
  /** The values that a field has to choose from, in every word for them; undefined for any value. */
  readonly values: readonly string[] | undefined;
  /** The same values one by one; empty for any value. */
  readonly choices: readonly FilterChoice[];
}

/** One of the values that a field has to choose from. */
export interface FilterChoice {
  /** What definitions call it. */
  readonly key: string;
  /** What people call it. */
  readonly label: string;
}

export interface FilterOperator {
  readonly key: string;
  readonly label: string;
  readonly names: readonly string[];
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
    method: 'GET',
    path: path`/v1/lists/filter-fields`,
    repeatable: true,
    read: ({ json }) => readCatalogue(json),
  });
}

/** @throws {InvalidResponseError} when there are no fields in it. */
export function readCatalogue(json: unknown): FilterCatalogue {
  const { rows, beside } = fieldsIn(json);
  const { registry_version: registryVersion } = isRow(json)
    ? rowAnywhere(json, ['registry_version'])
    : {};
  return {
    registryVersion,
    rows,
    beside,
    fields: rows.flatMap((row) => {
      const key = wordOf(row, KEY_WORDS);
      if (key === undefined) return [];
      const type = wordOf(row, TYPE_WORDS) ?? '';
      const values = valuesOf(row);
      return [
        {
          key,
          label: wordOf(row, LABEL_WORDS) ?? key,
          names: wordsOf(row),
          type,
          operators: operatorsOf(row.operators ?? operatorsByType(beside, type)),
          values,
          // Where not all of them are texts, nobody knows how they are to be sent.
          choices: values === undefined ? [] : choicesOf(row),
        },
      ];
    }),
  };
}

/** Objects of these names hold fields, or groups of them, by their keys. */
const FIELDS_BY_KEY = ['fields', 'groups', 'categories'];
const FIELD_LISTS = ['fields', 'filter_fields', 'filters', 'data'];

/** Fields as a list, or as an object of them by their keys; in groups, whatever the groups are. */
function fieldsIn(json: unknown): { rows: readonly Row[]; beside: Row } {
  const envelope = isRow(json) ? rowAnywhere(json, FIELDS_BY_KEY) : {};
  const name = FIELDS_BY_KEY.find((one) => isRow(envelope[one]));
  if (name !== undefined) {
    const { [name]: fields, ...beside } = envelope;
    return { rows: ungrouped(rowsByKey(fields as Row)), beside };
  }
  const found = rowsAnywhere(json, FIELD_LISTS);
  const lists = isRow(json) ? listsOfFields(json) : [];
  return lists.length > 1
    ? { rows: ungrouped(lists.flat()), beside: found.beside }
    : { rows: ungrouped(found.rows), beside: found.beside };
}

/** The lists of a catalogue that has one for each group, and none that is named as the list of all. */
function listsOfFields(json: Row): Row[][] {
  if (FIELD_LISTS.some((name) => json[name] !== undefined)) return [];
  return Object.entries(json)
    .filter(([name, list]) => name !== 'operators' && isListOfRows(list))
    .map(([group, list]) => (list as Row[]).map((row) => ({ group, ...row })));
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

function operatorsOf(given: unknown): FilterOperator[] | undefined {
  const entries = isRow(given) ? rowsByKey(given) : given;
  if (!Array.isArray(entries) || entries.length === 0) return undefined;
  return entries.flatMap((entry: unknown) => {
    const row = isRow(entry) ? entry : { key: entry };
    const key = wordOf(row, KEY_WORDS);
    if (key === undefined) return [];
    return [{ key, label: wordOf(row, LABEL_WORDS) ?? key, names: wordsOf(row) }];
  });
}

/** Names of a value among its words, that which definitions call it first. */
const VALUE_WORDS = ['value', 'key', 'id', 'code', 'name', 'label'];

function choicesOf(row: Row): FilterChoice[] {
  return (listOfValues(row) ?? []).flatMap((entry) => {
    const words = isRow(entry) ? entry : { value: entry };
    const key = wordOf(words, VALUE_WORDS);
    return key === undefined ? [] : [{ key, label: wordOf(words, LABEL_WORDS) ?? key }];
  });
}

function listOfValues(row: Row): unknown[] | undefined {
  return OF_VALUES.map((name) => row[name]).find((value) => Array.isArray(value)) as
    unknown[] | undefined;
}

function valuesOf(row: Row): string[] | undefined {
  const list = listOfValues(row);
  if (list === undefined) return undefined;
  const words = list.flatMap((entry: unknown) => (isRow(entry) ? wordsOf(entry) : [entry]));
  const texts = words.filter((word) => typeof word === 'string' && word !== '') as string[];
  // Numbers among them may be written as texts.
  return texts.length === words.length && texts.length > 0 ? texts : undefined;
}

function wordOf(row: Row, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof row[one] === 'string' && row[one] !== '');
  return name === undefined ? undefined : (row[name] as string);
}

function wordsOf(row: Row): string[] {
  // A group is not a word for the fields in it.
  return Object.values(without(row, ['group'])).filter(
    (value) => typeof value === 'string' && value !== '',
  ) as string[];
}
