import { InputError } from '../../input/inputs';
import type { FilterCatalogue, FilterField } from './catalogue';
import { inWords, type Condition } from './conditions';
import { brief, didYouMean, quote } from '../../input/quote';

/**
 * Compares conditions with the catalogue, so that a mistyped field or operator is found before
 * anything is sent. What the catalogue does not list is not checked.
 *
 * @throws {InputError} that names the condition and what may have been meant.
 */
export function checkConditions(
  conditions: readonly Condition[],
  { fields }: FilterCatalogue,
): void {
  if (fields.length === 0) return;
  const keys = fields.map(({ key }) => key);
  for (const condition of conditions) {
    const { field } = condition;
    if (fieldsNamed(field, fields).length === 0) {
      throw unknownTo(condition, `The catalogue has no field ${quote(field)}`, field, keys);
    }
    checkOperator(condition, fieldNamed(field, fields));
  }
}

/** The field that a definition means by a word; undefined when it could be several. */
export function fieldNamed(word: string, fields: readonly FilterField[]): FilterField | undefined {
  const meant = fieldsNamed(word, fields);
  return meant.length === 1 ? meant[0] : undefined;
}

/** The field with this key, or else all for which the catalogue has this word. */
function fieldsNamed(word: string, fields: readonly FilterField[]): FilterField[] {
  const field = fields.find(({ key }) => key === word);
  return field === undefined ? fields.filter(({ names }) => names.includes(word)) : [field];
}

function checkOperator(condition: Condition, field: FilterField | undefined): void {
  const { operator } = condition;
  if (field?.operators === undefined) return;
  if (field.operators.some(({ names }) => names.includes(operator))) return;
  const keys = field.operators.map(({ key }) => key);
  throw unknownTo(
    condition,
    `The field ${quote(field.key)} has no operator ${quote(operator)}`,
    operator,
    keys,
  );
}

/** Operators that compare with a whole value, in the words that services have for them. */
const OF_WHOLE_VALUES =
  /^(?:not_?)?(?:=|==|!=|<>|eq|neq?|equals?|equal_to|equals_any|is|is_not|is_in|in|any_of|one_of|none_of|is_any_of|is_one_of|is_none_of)$/i;

const VALUE_WORDS = ['value', 'values'];

/**
 * The same of the values of a definition that is ready to be sent, where the catalogue lists those that
 * a field has.
 *
 * @throws {InputError} that names the value and what may have been meant.
 */
export function checkValues(conditions: readonly Condition[], { fields }: FilterCatalogue): void {
  for (const condition of conditions) {
    checkValuesOf(condition, fieldNamed(condition.field, fields));
  }
}

/** Whatever the case: whether it matters to the service is not shown. */
function checkValuesOf(condition: Condition, field: FilterField | undefined): void {
  const { operator, row } = condition;
  if (field?.values === undefined || !OF_WHOLE_VALUES.test(operator)) return;
  const known = new Set(field.values.map((value) => value.toLowerCase()));
  const given = VALUE_WORDS.flatMap((name) => row[name]);
  for (const value of given) {
    if (typeof value !== 'string' || known.has(value.toLowerCase())) continue;
    throw unknownTo(
      condition,
      `The field ${quote(field.key)} has no value ${quote(value)}`,
      value,
      field.values,
    );
  }
}

function unknownTo(
  condition: Condition,
  problem: string,
  word: string,
  known: readonly string[],
): InputError {
  return new InputError(
    `${problem} (in ${inWords(condition)}).${didYouMean(word, known)}`,
    `Use one of: ${listed(known)}. If the definition is right all the same, turn off Check Against Catalogue under Options. Nothing was sent.`,
  );
}

/** Enough of many words to go on with. */
function listed(words: readonly string[]): string {
  const shown = words.slice(0, 30).map(brief).join(', ');
  return words.length > 30 ? `${shown}, … (Get Filter Fields shows all)` : shown;
}
