import {
  VALUE_TYPES,
  type GivenCondition,
  type GivenGroup,
  type GivenTree,
} from '../../service/lists/build-tree';
import { getFilterCatalog } from '../../service/lists/catalog';
import type { Definition } from '../../service/lists/definitions';
import { toSendableDefinition, type GivenDefinition } from '../../service/lists/prepare-definition';
import { InputError } from '../../input/inputs';
import { quote } from '../../input/quote';
import { isRow, type Row } from '../../run/responses/rows';
import type { ParameterSource } from './declare';
import {
  parseChoice,
  parseJsonObject,
  parseJsonParameter,
  parseList,
  parseOptionalText,
} from './values';
import type { OperationContext } from '../rows/per-item';

/** The definition of an item as entered by the user. */
export interface DefinitionPlan {
  readonly given: GivenDefinition;
  /** Whether to check it against the catalog. */
  readonly check: boolean;
}

/**
 * Reads the definition of an item; undefined for a list without one.
 *
 * @param check Whether to check it against the catalog.
 * @throws {InputError} If it is empty or incomplete.
 */
export function readDefinitionPlan(
  place: ParameterSource,
  check: boolean,
): DefinitionPlan | undefined {
  const modes = ['conditions', 'json', 'none'] as const;
  const mode = parseChoice(place.get('definitionMode'), 'Define With', modes, 'conditions');
  if (mode === 'none') return undefined;
  return { given: mode === 'json' ? { json: readJson(place) } : { tree: readTree(place) }, check };
}

/** Reads a required definition; see {@link readDefinitionPlan}. */
export function readRequiredDefinition(place: ParameterSource, check: boolean): DefinitionPlan {
  const definition = readDefinitionPlan(place, check);
  if (definition !== undefined) return definition;
  throw createNoDefinitionError();
}

/**
 * Prepares a definition for sending with the help of the catalog, which is read once per run and only if
 * needed.
 *
 * @throws {InputError} For fields, operators and values that are not in the catalog.
 */
export async function prepareDefinition(
  { given, check }: DefinitionPlan,
  { run, shared }: OperationContext,
): Promise<Definition> {
  return await toSendableDefinition(given, check, {
    catalog: async () => await shared('filter fields', async () => await getFilterCatalog(run)),
    warn: run.warn,
  });
}

/** Reads a JSON object or list, because some services represent trees as lists. */
function readJson(place: ParameterSource): Definition {
  const value = place.get('definition');
  const list = parseJsonParameter(value, 'Definition');
  const json = Array.isArray(list) ? (list as unknown[]) : parseJsonObject(value, 'Definition');
  if (json === undefined || Object.keys(json).length === 0) throw createNoDefinitionError();
  return json;
}

function readTree(place: ParameterSource): GivenTree {
  const groups = toRows(place.in('groups').get('group'))
    .map(toGroup)
    .filter(({ conditions }) => conditions.length > 0);
  if (groups.length === 0) throw createNoDefinitionError();
  return { combinator: toCombinator(place.get('combinator')), groups };
}

function toGroup(group: Row): GivenGroup {
  const conditions = isRow(group.conditions) ? toRows(group.conditions.condition) : [];
  return {
    combinator: toCombinator(group.combinator),
    conditions: conditions.map(toCondition),
  };
}

function toCondition(condition: Row, index: number): GivenCondition {
  const requireText = (value: unknown, name: string) => {
    const text = parseOptionalText(value);
    if (text !== undefined) return text;
    throw new InputError(
      `Condition ${String(index + 1)} has no ${name}`,
      'Choose a field and an operator for each condition, or remove the condition. Nothing was sent.',
    );
  };
  const field = requireText(condition.field, 'field');
  const choices = parseList(condition.choices, /,/).map((one) => parseOptionalText(one) ?? '');
  if (choices.length > 0 && parseOptionalText(condition.value) !== undefined) {
    throw new InputError(
      `A condition has both choices and a value (field ${quote(field)})`,
      'Clear one of them. Nothing was sent.',
    );
  }
  return {
    field,
    operator: requireText(condition.operator, `operator (field ${quote(field)})`),
    value: condition.value,
    choices,
    valueType: parseChoice(condition.valueType, 'Value Type', VALUE_TYPES, 'auto'),
  };
}

function toCombinator(value: unknown) {
  return parseChoice(value, 'Combine', ['and', 'or'], 'and');
}

function toRows(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function createNoDefinitionError(): InputError {
  return new InputError(
    'The list has no conditions',
    'Add a condition, or enter the definition as JSON. Nothing was sent, because such a list would contain nothing or everything.',
  );
}
