import { InputError } from '../../input/inputs';
import type { Row } from '../../run/answers/rows';
import { quote, textOf } from '../../input/quote';
import { fieldNamed, type FilterCatalogue } from './catalogue';
import type { Condition } from './conditions';

export const VALUE_TYPES = ['auto', 'list', 'none', 'number', 'text', 'yesNo'] as const;

/** How the text of a value is meant; `auto` goes by the field and the operator. */
export type ValueType = (typeof VALUE_TYPES)[number];

export type Combinator = 'and' | 'or';

export interface GivenCondition {
  readonly field: string;
  readonly operator: string;
  readonly value: unknown;
  /** Values chosen of those that the catalogue lists, instead of `value`; none if left out. */
  readonly choices?: readonly string[];
  readonly valueType: ValueType;
}

export interface GivenGroup {
  readonly combinator: Combinator;
  readonly conditions: readonly GivenCondition[];
}

/** Conditions in groups, as put together in the editor. */
export interface GivenTree {
  /** What holds between the groups. */
  readonly combinator: Combinator;
  readonly groups: readonly GivenGroup[];
}

/** The conditions of a tree as they were given, in their order. */
export function conditionsOf({ groups }: GivenTree): Condition[] {
  return groups.flatMap(({ conditions }) =>
    conditions.map((condition) => {
      const { field, operator } = condition;
      return { field, operator, row: { field, operator, value: givenValue(condition) } };
    }),
  );
}

/**
 * Writes a definition in the form that trees usually have; others are given as JSON. Values become
 * numbers, lists or yes and no by the field's type in the catalog.
 *
 * @throws {InputError} for a value that is not what the field takes.
 */
export function buildTree({ combinator, groups }: GivenTree, catalogue: FilterCatalogue): Row {
  const trees = groups.map((group) => ({
    op: group.combinator,
    children: group.conditions.map((condition) => {
      const { field, operator } = condition;
      const value = valueOf(condition, catalogue);
      return { field, operator, ...(value === undefined ? {} : { value }) };
    }),
  }));
  return { root: trees.length === 1 ? trees[0] : { op: combinator, children: trees } };
}

/** Operators that take several values, and those that take none, by the words services use for them. */
const TAKES_LIST = /(^|_)(in|any|all|none|one_of|any_of|all_of|none_of|between|range)$/;
const TAKES_NONE = /(^|_)(empty|blank|null|set|unset|known|unknown|exists?|true|false)$/;

function valueOf(given: GivenCondition, { fields }: FilterCatalogue): unknown {
  const { field, operator, choices = [], valueType } = given;
  const place = `${field} ${operator}`;
  if (valueType === 'none') return undefined;
  const value = givenValue(given);
  const entries = entriesOf(value);
  if (entries.length === 0) {
    if (valueType === 'auto' && TAKES_NONE.test(operator)) return undefined;
    throw new InputError(
      `The condition ${quote(place)} has no value`,
      'Give it a value, remove it, or choose None under Value Type.',
    );
  }
  const type = fieldNamed(field, fields)?.type.toLowerCase() ?? '';
  const several =
    // A single choice is a list only where the operator takes one.
    (Array.isArray(value) && choices.length !== 1) ||
    valueType === 'list' ||
    (valueType === 'auto' && (TAKES_LIST.test(operator) || /list|array/.test(type)));
  const kind = valueType === 'auto' || valueType === 'list' ? kindOf(type) : valueType;
  return several
    ? entries.map((entry) => scalarOf(entry, kind, place))
    : scalarOf(choices[0] ?? value, kind, place);
}

function givenValue({ choices = [], value }: GivenCondition): unknown {
  return choices.length > 0 ? choices : value;
}

/** What one value of a field is, by the catalogue's word for its type. */
function kindOf(type: string): ValueType {
  if (/number|int|float|decimal/.test(type)) return 'number';
  if (type.includes('bool')) return 'yesNo';
  return type === '' ? 'auto' : 'text';
}

/** The entries of a list, or of a text with commas; empty ones are none. */
function entriesOf(value: unknown): unknown[] {
  const entries: unknown[] = typeof value === 'string' ? value.split(',') : [value].flat();
  return entries.filter((entry) => entry !== undefined && entry !== null && !isBlank(entry));
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function scalarOf(value: unknown, kind: ValueType, place: string): unknown {
  const text = textOf(value);
  if (kind === 'number') {
    const number = Number(text);
    if (text !== '' && Number.isFinite(number)) return number;
    throw needs('a number', text, place);
  }
  if (kind === 'yesNo') {
    if (/^(true|yes)$/i.test(text)) return true;
    if (/^(false|no)$/i.test(text)) return false;
    throw needs('true or false', text, place);
  }
  // Where the catalogue says nothing of the type, what an expression gave stays what it is.
  return kind === 'auto' && typeof value !== 'string' ? value : text;
}

function needs(what: string, text: string, place: string): InputError {
  return new InputError(
    `The condition ${quote(place)} needs ${what}, not ${quote(text)}`,
    'Correct the value, or choose another Value Type; nothing was sent.',
  );
}
