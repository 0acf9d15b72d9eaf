import {
  VALUE_TYPES,
  type GivenCondition,
  type GivenGroup,
  type GivenTree,
} from '../../service/lists/build-tree';
import { getFilterCatalogue } from '../../service/lists/catalogue';
import type { Definition } from '../../service/lists/definitions';
import { readyDefinition, type GivenDefinition } from '../../service/lists/prepare-definition';
import { InputError } from '../../input/inputs';
import { quote } from '../../input/quote';
import { isRow, type Row } from '../../run/answers/rows';
import type { Place } from './declare';
import { choiceOf, jsonObjectOf, jsonOf, listed, textOf } from './values';
import type { Session } from '../rows/per-item';

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
export function definitionOf(place: Place, check: boolean): DefinitionPlan | undefined {
  const modes = ['conditions', 'json', 'none'] as const;
  const mode = choiceOf(place.get('definitionMode'), 'Define With', modes, 'conditions');
  if (mode === 'none') return undefined;
  return { given: mode === 'json' ? { json: jsonIn(place) } : { tree: treeIn(place) }, check };
}

/** Reads a required definition; see {@link definitionOf}. */
export function requiredDefinitionOf(place: Place, check: boolean): DefinitionPlan {
  const definition = definitionOf(place, check);
  if (definition !== undefined) return definition;
  throw noDefinition();
}

/**
 * Prepares a definition for sending with the help of the catalog, which is read once per run and only if
 * needed.
 *
 * @throws {InputError} For fields, operators and values that are not in the catalog.
 */
export async function prepared(
  { given, check }: DefinitionPlan,
  { run, shared }: Session,
): Promise<Definition> {
  return await readyDefinition(given, check, {
    catalogue: async () => await shared('filter fields', async () => await getFilterCatalogue(run)),
    tell: run.tell,
  });
}

/** Reads a JSON object or list, because some services represent trees as lists. */
function jsonIn(place: Place): Definition {
  const value = place.get('definition');
  const list = jsonOf(value, 'Definition');
  const json = Array.isArray(list) ? (list as unknown[]) : jsonObjectOf(value, 'Definition');
  if (json === undefined || Object.keys(json).length === 0) throw noDefinition();
  return json;
}

function treeIn(place: Place): GivenTree {
  const groups = rowsOf(place.in('groups').get('group'))
    .map(groupOf)
    .filter(({ conditions }) => conditions.length > 0);
  if (groups.length === 0) throw noDefinition();
  return { combinator: combinatorOf(place.get('combinator')), groups };
}

function groupOf(group: Row): GivenGroup {
  const conditions = isRow(group.conditions) ? rowsOf(group.conditions.condition) : [];
  return {
    combinator: combinatorOf(group.combinator),
    conditions: conditions.map(conditionOf),
  };
}

function conditionOf(condition: Row): GivenCondition {
  const part = (value: unknown, name: string) => {
    const text = textOf(value);
    if (text !== undefined) return text;
    throw new InputError(
      `A condition has no ${name}`,
      'Choose a field and an operator for each condition, or remove the condition. Nothing was sent.',
    );
  };
  const field = part(condition.field, 'field');
  const choices = listed(condition.choices, /,/).map((one) => textOf(one) ?? '');
  if (choices.length > 0 && textOf(condition.value) !== undefined) {
    throw new InputError(
      `A condition has both choices and a value (field ${quote(field)})`,
      'Clear one of them. Nothing was sent.',
    );
  }
  return {
    field,
    operator: part(condition.operator, `operator (field ${quote(field)})`),
    value: condition.value,
    choices,
    valueType: choiceOf(condition.valueType, 'Value Type', VALUE_TYPES, 'auto'),
  };
}

function combinatorOf(value: unknown) {
  return choiceOf(value, 'Combine', ['and', 'or'], 'and');
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function noDefinition(): InputError {
  return new InputError(
    'The definition is empty',
    'Add a condition, or enter the definition as JSON. Nothing was sent, because a list without conditions would contain nothing or everything.',
  );
}
