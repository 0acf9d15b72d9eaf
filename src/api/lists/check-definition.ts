import { InputError } from '../inputs';
import type { FilterCatalogue, FilterField } from './catalogue';
import { inWords, type Condition } from './conditions';
import { didYouMean } from './did-you-mean';

/**
 * Compares conditions with the catalogue, so that a mistyped field or operator is found before
 * anything is sent. What the catalogue does not say is not judged.
 *
 * @throws {InputError} that names the condition and what may have been meant.
 */
export function checkConditions(
  conditions: readonly Condition[],
  { fields }: FilterCatalogue,
): void {
  if (fields.length === 0) return;
  for (const condition of conditions) {
    const field = fieldNamed(condition.field, fields);
    if (field === undefined) {
      throw new InputError(
        `The catalogue has no field "${condition.field}" (in ${inWords(condition)}).${didYouMean(
          condition.field,
          fields.flatMap(({ key }) => [key]),
        )}`,
        `Use one of: ${listed(fields.map(({ key }) => key))}. ${UNCHECKED}`,
      );
    }
    checkOperator(condition, field);
  }
}

/** The field that a definition means by a word. */
export function fieldNamed(word: string, fields: readonly FilterField[]): FilterField | undefined {
  return fields.find(({ key }) => key === word) ?? fields.find(({ names }) => names.includes(word));
}

const UNCHECKED =
  'If the definition is right all the same, turn off Check Against Catalogue under Options. Nothing was sent.';

function checkOperator(condition: Condition, { key, operators }: FilterField): void {
  if (operators === undefined) return;
  if (operators.some(({ names }) => names.includes(condition.operator))) return;
  const known = operators.map((operator) => operator.key);
  throw new InputError(
    `The field "${key}" has no operator "${condition.operator}" (in ${inWords(condition)}).${didYouMean(
      condition.operator,
      known,
    )}`,
    `Use one of: ${listed(known)}. ${UNCHECKED}`,
  );
}

/** Enough of many words to go on with. */
function listed(words: readonly string[]): string {
  const shown = words.slice(0, 30).join(', ');
  return words.length > 30 ? `${shown}, … (Get Filter Fields shows all)` : shown;
}
