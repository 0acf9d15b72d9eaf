import {
  TREE_NAMES,
  VALUE_TYPES,
  type GivenCondition,
  type GivenGroup,
  type GivenTree,
  type TreeNames,
} from '../../api/lists/build-tree';
import { getFilterCatalogue, type FilterCatalogue } from '../../api/lists/catalogue';
import { prepareDefinition, type GivenDefinition } from '../../api/lists/prepare-definition';
import { InputError } from '../../api/inputs';
import { quote } from '../../api/quote';
import { isRow, type Row } from '../../run/answers/rows';
import { jsonObjectOf, textOf, type ItemParameters } from './parameters';
import type { Session } from './per-item';

/** An item's definition as the user gave it. */
export interface DefinitionPlan {
  readonly given: GivenDefinition;
  /** Whether it is compared with the catalogue. */
  readonly check: boolean;
}

/**
 * Reads the definition of an item; undefined when it is to have none.
 *
 * @throws {InputError} when it is empty or incomplete.
 */
export function definitionOf(parameters: ItemParameters): DefinitionPlan | undefined {
  const mode = parameters.choice(
    parameters.get('definitionMode'),
    'Define With',
    ['conditions', 'json', 'none'],
    'conditions',
  );
  if (mode === 'none') return undefined;
  const given = mode === 'json' ? { json: jsonOf(parameters) } : { tree: treeOf(parameters) };
  const check = parameters.yesOrNo(
    parameters.in('options', 'checkDefinition'),
    'Check Against Catalogue',
  );
  return { given, check: check ?? true };
}

/** The definition of an operation that cannot do without; see {@link definitionOf}. */
export function requiredDefinitionOf(parameters: ItemParameters): DefinitionPlan {
  const definition = definitionOf(parameters);
  if (definition !== undefined) return definition;
  throw noDefinition();
}

/**
 * Makes a definition ready to be sent, by the catalogue, which is read once for a run.
 *
 * @throws {InputError} for what the catalogue does not know.
 */
export async function prepared(
  { given, check }: DefinitionPlan,
  { run, shared }: Session,
): Promise<Row> {
  const catalogue = await shared<FilterCatalogue>(
    'filter fields',
    async () => await getFilterCatalogue(run),
  );
  return prepareDefinition(given, catalogue, check);
}

function jsonOf(parameters: ItemParameters): Row {
  const json = jsonObjectOf(parameters.get('definition'), 'Definition');
  if (json === undefined || Object.keys(json).length === 0) throw noDefinition();
  return json;
}

function treeOf(parameters: ItemParameters): GivenTree {
  const groups = rowsOf(parameters.in('groups', 'group'))
    .map((group) => groupOf(group, parameters))
    .filter(({ conditions }) => conditions.length > 0);
  if (groups.length === 0) throw noDefinition();
  return {
    combinator: combinatorOf(parameters.get('combinator'), parameters),
    groups,
    names: namesOf(parameters),
  };
}

function groupOf(group: Row, parameters: ItemParameters): GivenGroup {
  const conditions = isRow(group.conditions) ? rowsOf(group.conditions.condition) : [];
  return {
    combinator: combinatorOf(group.combinator, parameters),
    conditions: conditions.map((condition) => conditionOf(condition, parameters)),
  };
}

function conditionOf(condition: Row, parameters: ItemParameters): GivenCondition {
  const part = (value: unknown, name: string) => {
    const text = textOf(value);
    if (text !== undefined) return text;
    throw new InputError(
      `A condition has no ${name}`,
      'Choose field and operator of every condition, or remove the condition.',
    );
  };
  const field = part(condition.field, 'field');
  return {
    field,
    operator: part(condition.operator, `operator (field ${quote(field)})`),
    value: condition.value,
    valueType: parameters.choice(condition.valueType, 'Value Type', VALUE_TYPES, 'auto'),
  };
}

function combinatorOf(value: unknown, parameters: ItemParameters) {
  return parameters.choice(value, 'Combine', ['and', 'or'], 'and');
}

function namesOf(parameters: ItemParameters): TreeNames {
  const given = parameters.in('options', 'treeNames');
  const names = isRow(given) && isRow(given.names) ? given.names : {};
  const name = (part: keyof TreeNames) => {
    const value = names[part];
    return typeof value === 'string' ? value.trim() : TREE_NAMES[part];
  };
  return {
    // The only one that may be empty.
    root: name('root'),
    group: name('group') || TREE_NAMES.group,
    children: name('children') || TREE_NAMES.children,
    field: name('field') || TREE_NAMES.field,
    operator: name('operator') || TREE_NAMES.operator,
    value: name('value') || TREE_NAMES.value,
  };
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

function noDefinition(): InputError {
  return new InputError(
    'The definition is empty',
    'Add a condition, or give the definition as JSON. A list without conditions would hold nothing, or everything.',
  );
}
