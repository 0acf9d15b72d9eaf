import { NotFoundError } from '../../client/errors';
import { InputError } from '../../input/inputs';
import { brief, didYouMean, quote } from '../../input/quote';
import { isRow } from '../../run/answers/rows';
import { buildTree, conditionsOf, type GivenTree } from './build-tree';
import { fieldNamed, fieldsNamed, type FilterCatalogue } from './catalogue';
import { conditionsIn, inWords, type Condition } from './conditions';
import type { Definition } from './definitions';

/** A definition as the user gave it: as JSON, or put together from conditions. */
export type GivenDefinition = { readonly json: Definition } | { readonly tree: GivenTree };

/** Where a definition's catalogue comes from, and who is told when there is none. */
export interface CatalogueSource {
  readonly catalogue: () => Promise<FilterCatalogue>;
  readonly tell: (message: string) => void;
}

/** Stands for a catalogue that a service does not have: it says nothing, so that nothing is judged. */
const NO_CATALOGUE: FilterCatalogue = {
  registryVersion: undefined,
  fields: [],
  rows: [],
  beside: {},
};

/**
 * Makes a definition ready to be sent: written where it was put together, compared with the catalogue,
 * stamped with the catalogue's `registry_version` unless it has one (interface: Versioning, rule 3).
 * The catalogue is read only where it is needed: to compare the definition with it, to know what values are, or for its
 * `registry_version`. A service without one (404) judges definitions by itself.
 *
 * @param check whether fields, operators and values are compared with the catalogue.
 * @throws {InputError} for what the catalogue does not know.
 */
export async function readyDefinition(
  given: GivenDefinition,
  check: boolean,
  { catalogue, tell }: CatalogueSource,
): Promise<Definition> {
  if (!check && 'json' in given && hasStamp(given.json)) {
    return prepared(given, NO_CATALOGUE, false);
  }
  let known: FilterCatalogue;
  try {
    known = await catalogue();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    known = NO_CATALOGUE;
    if (check) {
      tell(
        'The service has no catalogue of filter fields (404), so the definition was not checked.',
      );
    }
  }
  return prepared(given, known, check);
}

function prepared(given: GivenDefinition, catalogue: FilterCatalogue, check: boolean): Definition {
  if (check) {
    checkConditions(
      'tree' in given ? conditionsOf(given.tree) : conditionsIn(given.json),
      catalogue,
    );
  }
  const definition = 'tree' in given ? buildTree(given.tree, catalogue) : unwrapped(given.json);
  if (check) checkValues(conditionsIn(definition), catalogue);
  // A list has no place for a stamp.
  if (!isRow(definition)) return definition;
  const beside = 'json' in given && isRow(given.json) ? given.json.registry_version : undefined;
  const stamp = beside ?? catalogue.registryVersion;
  return stamp === undefined || definition.registry_version !== undefined
    ? definition
    : { ...definition, registry_version: stamp };
}

function hasStamp(json: Definition): boolean {
  const inner = unwrapped(json);
  return [json, inner].some((one) => !isRow(one) || one.registry_version !== undefined);
}

/** The item of a definition that was read has it under `definition`. */
function unwrapped(json: Definition): Definition {
  const inner = isRow(json) ? json.definition : undefined;
  return isRow(inner) || Array.isArray(inner) ? inner : json;
}

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
  for (const condition of conditions) {
    const { field: name, operator } = condition;
    if (fieldsNamed(name, fields).length === 0) {
      const keys = fields.map(({ key }) => key);
      throw unknownTo(condition, `The catalogue has no field ${quote(name)}`, name, keys);
    }
    const field = fieldNamed(name, fields);
    if (field?.operators?.every(({ names }) => !names.includes(operator)) === true) {
      const problem = `The field ${quote(field.key)} has no operator ${quote(operator)}`;
      const keys = field.operators.map(({ key }) => key);
      throw unknownTo(condition, problem, operator, keys);
    }
  }
}

/** Operators that compare with a whole value, in the words that services have for them. */
const OF_WHOLE_VALUES =
  /^(?:not_?)?(?:=|==|!=|<>|eq|neq?|equals?|equal_to|equals_any|is|is_not|is_in|in|any_of|one_of|none_of|is_any_of|is_one_of|is_none_of)$/i;

/**
 * The same of the values of a definition that is ready to be sent, where the catalogue lists those that
 * a field has. Whatever the case: whether it matters to the service is not shown.
 *
 * @throws {InputError} that names the value and what may have been meant.
 */
function checkValues(conditions: readonly Condition[], { fields }: FilterCatalogue): void {
  for (const condition of conditions) {
    const { operator, row } = condition;
    const field = fieldNamed(condition.field, fields);
    if (field?.values === undefined || !OF_WHOLE_VALUES.test(operator)) continue;
    const words = field.values.flatMap(({ names }) => names);
    const known = new Set(words.map((word) => word.toLowerCase()));
    for (const value of [row.value, row.values].flat()) {
      if (typeof value !== 'string' || known.has(value.toLowerCase())) continue;
      const problem = `The field ${quote(field.key)} has no value ${quote(value)}`;
      throw unknownTo(condition, problem, value, words);
    }
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
