import { InputError } from '../../input/inputs';
import type { Row } from '../../run/responses/rows';
import { quote, toText } from '../../input/quote';
import { findField, type FilterCatalog } from './catalog';
import type { Condition } from './conditions';

export const VALUE_TYPES = ['auto', 'list', 'none', 'number', 'text', 'yesNo'] as const;

/** The type that a value is converted to; `auto` derives it from the field and the operator. */
export type ValueType = (typeof VALUE_TYPES)[number];

/** The logical operator between conditions or groups. */
export type Combinator = 'and' | 'or';

/** One condition from the editor. */
export interface GivenCondition {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
  /** Values chosen from the catalog, used instead of `value`; none if omitted. */
  readonly choices?: readonly string[];
  readonly valueType: ValueType;
}

/** Conditions from the editor that share a combinator. */
export interface GivenGroup {
  readonly combinator: Combinator;
  readonly conditions: readonly GivenCondition[];
}

/** Groups of conditions from the editor. */
export interface GivenTree {
  /** The logical operator between the groups. */
  readonly combinator: Combinator;
  readonly groups: readonly GivenGroup[];
}

/** Returns the conditions of a tree as entered, in their order. */
export function collectGivenConditions({ groups }: GivenTree): Condition[] {
  return groups.flatMap(({ conditions }) =>
    conditions.map((condition) => {
      const { field, operator } = condition;
      return { field, operator, row: { field, operator, value: readGivenValue(condition) } };
    }),
  );
}

/**
 * Builds a definition in the usual form of filter trees; users enter other forms as JSON. The field's
 * type in the catalog decides whether a value becomes a number, a list or a boolean.
 *
 * @throws {InputError} when a value is missing or does not have the field's type.
 */
export function buildTree({ combinator, groups }: GivenTree, catalog: FilterCatalog): Row {
  const trees = groups.map((group) => ({
    op: group.combinator,
    children: group.conditions.map((condition) => {
      const { field, operator } = condition;
      const value = toValue(condition, catalog);
      return { field, operator, ...(value === undefined ? {} : { value }) };
    }),
  }));
  return { root: trees.length === 1 ? trees[0] : { op: combinator, children: trees } };
}

/** Names of operators that take several values, and of those that take none. */
const LIST_OPERATORS = /(^|_)(in|any|all|none|one_of|any_of|all_of|none_of|between|range)$/;
const VALUELESS_OPERATORS = /(^|_)(empty|blank|null|set|unset|known|unknown|exists?|true|false)$/;

function toValue(given: GivenCondition, { fields }: FilterCatalog): unknown {
  const { field, operator, choices = [], valueType } = given;
  const place = `${field} ${operator}`;
  if (valueType === 'none') return undefined;
  const value = readGivenValue(given);
  const entries = toEntries(value);
  if (entries.length === 0) {
    if (valueType === 'auto' && VALUELESS_OPERATORS.test(operator)) return undefined;
    throw new InputError(
      `The condition ${quote(place)} has no value`,
      'Enter a value, remove the condition, or choose None under Value Type.',
    );
  }
  const type = findField(field, fields)?.type.toLowerCase() ?? '';
  const several =
    // A single choice becomes a list only if the operator takes a list.
    (Array.isArray(value) && choices.length !== 1) ||
    valueType === 'list' ||
    (valueType === 'auto' && (LIST_OPERATORS.test(operator) || /list|array/.test(type)));
  const kind = valueType === 'auto' || valueType === 'list' ? toValueType(type) : valueType;
  return several
    ? entries.map((entry) => toScalar(entry, kind, place))
    : toScalar(choices[0] ?? value, kind, place);
}

function readGivenValue({ choices = [], value }: GivenCondition): unknown {
  return choices.length > 0 ? choices : value;
}

/** Returns the type of one value, derived from the field's type in the catalog. */
function toValueType(type: string): ValueType {
  if (/number|int|float|decimal/.test(type)) return 'number';
  if (type.includes('bool')) return 'yesNo';
  return type === '' ? 'auto' : 'text';
}

/** Returns the entries of a list or of a comma-separated text, without empty ones. */
function toEntries(value: unknown): unknown[] {
  const entries: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  return entries.filter((entry) => entry !== undefined && entry !== null && !isBlank(entry));
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function toScalar(value: unknown, kind: ValueType, place: string): unknown {
  const text = toText(value);
  if (kind === 'number') {
    const number = Number(text);
    if (text !== '' && Number.isFinite(number)) return number;
    throw createWrongValueError('a number', text, place);
  }
  if (kind === 'yesNo') {
    if (/^(true|yes)$/i.test(text)) return true;
    if (/^(false|no)$/i.test(text)) return false;
    throw createWrongValueError('true or false', text, place);
  }
  // If the catalog has no type, the value of an expression keeps its own type.
  return kind === 'auto' && typeof value !== 'string' ? value : text;
}

function createWrongValueError(what: string, text: string, place: string): InputError {
  return new InputError(
    `The condition ${quote(place)} needs ${what}, not ${quote(text)}`,
    'Correct the value, or choose another Value Type. Nothing was sent.',
  );
}
