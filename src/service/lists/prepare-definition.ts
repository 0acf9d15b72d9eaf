import { NotFoundError } from '../../client/errors';
import { InputError } from '../../input/inputs';
import { shortenName, didYouMean, quote } from '../../input/quote';
import { isRow } from '../../run/responses/rows';
import { buildTree, collectGivenConditions, type GivenTree } from './build-tree';
import { findField, findFields, type FilterCatalog } from './catalog';
import { collectConditions, formatCondition, type Condition } from './conditions';
import type { Definition } from './definitions';

/** A definition from the user: as JSON, or as conditions from the editor. */
export type GivenDefinition = { readonly json: Definition } | { readonly tree: GivenTree };

/** The source of the catalog, and the function that reports a missing catalog. */
export interface CatalogSource {
  readonly catalog: () => Promise<FilterCatalog>;
  readonly warn: (message: string) => void;
}

/** An empty catalog, for a service that has none: nothing is checked against it. */
const NO_CATALOG: FilterCatalog = {
  registryVersion: undefined,
  fields: [],
  rows: [],
  envelopeFields: {},
};

/**
 * Prepares a definition for sending: builds it from conditions, checks it against the catalog, and adds
 * the catalog's `registry_version` unless the definition has one (API spec: Versioning, rule 3). The
 * catalog is requested only if needed: for the check, for the types of values, or for its
 * `registry_version`. If the service has no catalog (404), only the service checks the definition.
 *
 * @param check whether to check fields, operators and values against the catalog.
 * @throws {InputError} when the catalog does not contain a field, operator or value.
 */
export async function toSendableDefinition(
  given: GivenDefinition,
  check: boolean,
  { catalog, warn }: CatalogSource,
): Promise<Definition> {
  if (!check && 'json' in given && hasStamp(given.json)) {
    return prepare(given, NO_CATALOG, false);
  }
  let known: FilterCatalog;
  try {
    known = await catalog();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    known = NO_CATALOG;
    if (check) {
      warn(
        'The service has no catalog of filter fields (404), so the node did not check the definition.',
      );
    }
  }
  return prepare(given, known, check);
}

function prepare(given: GivenDefinition, catalog: FilterCatalog, check: boolean): Definition {
  if (check) {
    assertConditions(
      'tree' in given ? collectGivenConditions(given.tree) : collectConditions(given.json),
      catalog,
    );
  }
  const definition =
    'tree' in given ? buildTree(given.tree, catalog) : unwrapDefinition(given.json);
  if (check) assertValues(collectConditions(definition), catalog);
  // A definition that is a list has no place for the version.
  if (!isRow(definition)) return definition;
  const ownVersion = 'json' in given && isRow(given.json) ? given.json.registry_version : undefined;
  const stamp = ownVersion ?? catalog.registryVersion;
  return stamp === undefined || definition.registry_version !== undefined
    ? definition
    : { ...definition, registry_version: stamp };
}

function hasStamp(json: Definition): boolean {
  const inner = unwrapDefinition(json);
  return [json, inner].some((one) => !isRow(one) || one.registry_version !== undefined);
}

/** Returns the tree itself: the output of Definition: Get has it under `definition`. */
function unwrapDefinition(json: Definition): Definition {
  const inner = isRow(json) ? json.definition : undefined;
  return isRow(inner) || Array.isArray(inner) ? inner : json;
}

/**
 * Checks conditions against the catalog, so that a mistyped field or operator is found before anything
 * is sent. Operators are checked only for fields whose operators the catalog lists.
 *
 * @throws {InputError} when a field or operator is unknown; the message names the condition and
 * suggests similar names.
 */
export function assertConditions(
  conditions: readonly Condition[],
  { fields }: FilterCatalog,
): void {
  if (fields.length === 0) return;
  for (const condition of conditions) {
    const { field: name, operator } = condition;
    if (findFields(name, fields).length === 0) {
      const keys = fields.map(({ key }) => key);
      throw createUnknownWordError(
        condition,
        `The catalog has no field ${quote(name)}`,
        name,
        keys,
      );
    }
    const field = findField(name, fields);
    if (field?.operators?.every(({ names }) => !names.includes(operator)) === true) {
      const problem = `The field ${quote(field.key)} has no operator ${quote(operator)}`;
      const keys = field.operators.map(({ key }) => key);
      throw createUnknownWordError(condition, problem, operator, keys);
    }
  }
}

/** Names of operators that compare with a whole value. */
const WHOLE_VALUE_OPERATORS =
  /^(?:not_?)?(?:=|==|!=|<>|eq|neq?|equals?|equal_to|equals_any|is|is_not|is_in|in|any_of|one_of|none_of|is_any_of|is_one_of|is_none_of)$/i;

/**
 * Checks the values of a prepared definition, if the catalog lists the values of a field. The check
 * ignores case, because the API spec does not show whether case matters.
 *
 * @throws {InputError} when a value is unknown; the message names it and suggests similar values.
 */
function assertValues(conditions: readonly Condition[], { fields }: FilterCatalog): void {
  for (const condition of conditions) {
    const { operator, row } = condition;
    const field = findField(condition.field, fields);
    if (field?.values === undefined || !WHOLE_VALUE_OPERATORS.test(operator)) continue;
    const words = field.values.flatMap(({ names }) => names);
    const known = new Set(words.map((word) => word.toLowerCase()));
    for (const value of [row.value, row.values].flat()) {
      if (typeof value !== 'string' || known.has(value.toLowerCase())) continue;
      const problem = `The field ${quote(field.key)} has no value ${quote(value)}`;
      throw createUnknownWordError(condition, problem, value, words);
    }
  }
}

function createUnknownWordError(
  condition: Condition,
  problem: string,
  word: string,
  known: readonly string[],
): InputError {
  return new InputError(
    `${problem} (in ${formatCondition(condition)}).${didYouMean(word, known)}`,
    `Use one of: ${formatFirstWords(known)}. If the definition is correct anyway, turn off Check Against Catalog under Options. Nothing was sent.`,
  );
}

/** Lists the first words of many. */
function formatFirstWords(words: readonly string[]): string {
  const shown = words.slice(0, 30).map(shortenName).join(', ');
  return words.length > 30 ? `${shown}, … (Get Filter Fields shows all)` : shown;
}
