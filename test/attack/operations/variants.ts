/** Every operation of every node in the variants that matter, read from the node descriptions. */
import {
  NodeHelpers,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyOptions,
  type INodeType,
} from 'n8n-workflow';

import { loadNodeTypes, manifest } from '../../engine/harness/node-types';
import {
  ANSWER_NOT_SHOWN,
  ONE_CHOICE_IS_ENOUGH,
  ONE_OPERATION_IS_ENOUGH,
  OPTIONS_THAT_MATTER,
  valueOf,
} from './values';

/** Folders of the action nodes that package.json lists. */
export const FOLDERS = manifest.n8n.nodes
  .map((file) => file.split('/').at(-2) ?? '')
  // Triggers have no operations and no input items; the tests in engine/ cover failing polls.
  .filter((folder) => !folder.endsWith('Trigger'));

/** One operation with its parameters filled in. */
export interface Variant {
  readonly title: string;
  /** Whether all parameters have their defaults, apart from those that need a value. */
  readonly isBase: boolean;
  /** The API spec does not show the response, so any success counts. */
  readonly anyAnswer: boolean;
  readonly type: string;
  readonly name: string;
  readonly parameters: INodeParameters & { options?: INodeParameters };
  readonly shown: ReadonlySet<string>;
  readonly entries: readonly string[];
}

/** The only version of every node. */
const VERSION = { typeVersion: 1 };

interface NamedNode {
  readonly type: string;
  readonly node: INodeType;
}

export async function variantsOf(folder: string): Promise<Variant[]> {
  const type = `${manifest.name}.${folder.charAt(0).toLowerCase()}${folder.slice(1)}`;
  const node = { type, node: (await loadNodeTypes([type])).getByNameAndVersion(type) };
  const { version } = node.node.description;
  if (version !== VERSION.typeVersion) throw new Error(`${type} has version ${String(version)}.`);
  const tried = new Set<string>();
  return operationsOf(node).flatMap((operation) => variantsOfOperation(node, operation, tried));
}

/** Returns every choice of Resource and Operation; one empty choice for a node that has neither. */
function operationsOf(node: NamedNode): INodeParameters[] {
  const withChoicesOf = (name: string) => (chosen: INodeParameters) => {
    const values = visible(node, chosen)
      .filter((property) => property.name === name)
      .flatMap(choicesOf);
    return values.length === 0 ? [chosen] : values.map((value) => ({ ...chosen, [name]: value }));
  };
  return withChoicesOf('resource')({}).flatMap(withChoicesOf('operation'));
}

/**
 * @param tried Options that earlier operations of the node ran with; this function adds its own.
 */
function variantsOfOperation(
  node: NamedNode,
  operation: INodeParameters,
  tried: Set<string>,
): Variant[] {
  const properties = shownBy(node, operation);
  const parameters = properties
    .filter(({ name }) => !(name in operation) && !ONE_CHOICE_IS_ENOUGH.has(name))
    .flatMap((property) =>
      otherChoices(property).map((value) =>
        makeVariant(node, operation, { [property.name]: value }, {}),
      ),
    );
  const isListing = properties.some(({ name }) => name === 'returnAll');
  const options = entriesOf(properties).flatMap((name) => {
    const what = `${name} ${isListing ? 'of a list' : ''}`;
    if (ONE_OPERATION_IS_ENOUGH.has(name) && tried.has(what)) return [];
    tried.add(what);
    return (OPTIONS_THAT_MATTER[name] ?? []).map((value) =>
      makeVariant(node, operation, {}, { [name]: value }),
    );
  });
  return [makeVariant(node, operation, {}, {}), ...parameters, ...options];
}

function makeVariant(
  of: NamedNode,
  operation: INodeParameters,
  changes: INodeParameters,
  options: INodeParameters,
): Variant {
  const { description } = of.node;
  const name = description.defaults.name ?? description.displayName;
  const title = [
    name,
    ...Object.values(operation).map(String),
    ...Object.entries({ ...changes, ...options }).map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  ].join(', ');
  const parameters: INodeParameters = { ...operation, ...changes };
  const properties = shownBy(of, parameters);
  for (const property of properties) {
    if (property.name in parameters || property.name === 'options') continue;
    const value = valueOf({ name: property.name, empty: isEmpty(property) }, parameters, title);
    if (value !== undefined) parameters[property.name] = value;
  }
  const entries = entriesOf(properties);
  // Waits take the shortest time that the node allows.
  const waits = entries.includes('maxWaitMinutes') ? { maxWaitMinutes: 0.03 } : {};
  const { operation: own } = operation;
  return {
    title,
    // API Request, which has no operations, can call any endpoint.
    anyAnswer: typeof own !== 'string' || ANSWER_NOT_SHOWN.has(own),
    isBase: Object.keys({ ...changes, ...options }).length === 0,
    type: of.type,
    name,
    shown: new Set(properties.map((property) => property.name)),
    entries,
    parameters: { ...parameters, options: { ...waits, ...options } },
  };
}

/** Returns whether the default of a parameter is empty. */
function isEmpty({ type, default: value }: INodeProperties): boolean {
  if (type === 'resourceLocator') return true;
  if (type === 'notice' || type === 'multiOptions') return false;
  return value === '' || (type === 'fixedCollection' && JSON.stringify(value) === '{}');
}

function entriesOf(properties: readonly INodeProperties[]): string[] {
  const options = properties.find(({ name }) => name === 'options')?.options ?? [];
  return options.map(({ name }) => name);
}

function otherChoices(property: INodeProperties): Array<string | number | boolean> {
  if (property.type === 'boolean') return [property.default !== true];
  return choicesOf(property).filter((value) => value !== property.default);
}

/**
 * Returns a parameter's choices. A hidden parameter can have some, such as a node's only resource.
 */
function choicesOf({ type, options }: INodeProperties): Array<string | number | boolean> {
  if (type !== 'options' && type !== 'hidden') return [];
  return ((options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
}

/** Returns the properties that are visible if a user sets only the given parameters. */
export function shownBy(of: Pick<NamedNode, 'node'>, chosen: INodeParameters): INodeProperties[] {
  const { description } = of.node;
  const { properties } = description;
  const usual = NodeHelpers.getNodeParameters(
    properties,
    chosen,
    true,
    false,
    VERSION,
    description,
  );
  return visible(of, { ...usual, ...chosen });
}

function visible(
  { node: { description } }: Pick<NamedNode, 'node'>,
  values: INodeParameters,
): INodeProperties[] {
  return description.properties.filter((property) =>
    NodeHelpers.displayParameter(values, property, VERSION, description),
  );
}
