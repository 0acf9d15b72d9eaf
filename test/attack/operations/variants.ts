/** Every operation of every node in the variants that matter, read from the nodes' own descriptions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  NodeHelpers,
  type INodeParameters,
  type INodeProperties,
  type INodePropertyOptions,
  type INodeType,
} from 'n8n-workflow';

import { loadNodeTypes } from '../../engine/harness/node-types';
import {
  ANSWER_NOT_SHOWN,
  ONE_CHOICE_IS_ENOUGH,
  ONE_OPERATION_IS_ENOUGH,
  OPTIONS_THAT_MATTER,
  shortestWaits,
  valueOf,
} from './values';

const root = join(__dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  n8n: { nodes: string[] };
};

/** Names of the action nodes' folders, as package.json lists them. */
export const FOLDERS = manifest.n8n.nodes
  .map((file) => file.split('/').at(-2) ?? '')
  // Triggers have no operations and no items; what goes wrong with a poll is tested in engine/.
  .filter((folder) => !folder.endsWith('Trigger'));

/** One operation with its parameters filled in. */
export interface Variant {
  readonly title: string;
  /** The operation as it comes out of the node panel, apart from what it asks for. */
  readonly isBase: boolean;
  /** The interface does not show its answer, so that any success counts. */
  readonly anyAnswer: boolean;
  readonly type: string;
  readonly name: string;
  readonly parameters: INodeParameters & { options?: INodeParameters };
  readonly shown: ReadonlySet<string>;
  readonly entries: readonly string[];
}

interface NamedNode {
  readonly type: string;
  readonly node: INodeType;
}

export async function variantsOf(folder: string): Promise<Variant[]> {
  const type = `${manifest.name}.${folder.charAt(0).toLowerCase()}${folder.slice(1)}`;
  const node = { type, node: (await loadNodeTypes([type])).getByNameAndVersion(type) };
  const tried = new Set<string>();
  return operationsOf(node).flatMap((operation) => variantsOfOperation(node, operation, tried));
}

/** The choices of Resource and Operation; one without either for a node that has none. */
function operationsOf(node: NamedNode): INodeParameters[] {
  const values = (name: string, others: INodeParameters) =>
    visible(node, others)
      .filter((property) => property.name === name)
      .flatMap(choicesOf);
  const resources = values('resource', {});
  const withResource: INodeParameters[] =
    resources.length === 0 ? [{}] : resources.map((resource) => ({ resource }));
  return withResource.flatMap((chosen): INodeParameters[] => {
    const operations = values('operation', chosen);
    return operations.length === 0
      ? [chosen]
      : operations.map((operation) => ({ ...chosen, operation }));
  });
}

/** @param tried options that an earlier operation of the node was run with; gets those of this one. */
function variantsOfOperation(
  node: NamedNode,
  operation: INodeParameters,
  tried: Set<string>,
): Variant[] {
  const parameters = shownBy(node, operation)
    .filter(({ name }) => !(name in operation) && !ONE_CHOICE_IS_ENOUGH.has(name))
    .flatMap((property) =>
      otherChoices(property).map((value) =>
        makeVariant(node, operation, { [property.name]: value }, {}),
      ),
    );
  const isListing = shownBy(node, operation).some(({ name }) => name === 'returnAll');
  const options = entriesOf(node, operation).flatMap(({ name }) => {
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
  const { parameters, shown } = fillIn(of, { ...operation, ...changes }, title);
  const entries = entriesOf(of, { ...operation, ...changes }).map((entry) => entry.name);
  return {
    title,
    anyAnswer: isAnyAnswer(operation['operation']),
    isBase: Object.keys({ ...changes, ...options }).length === 0,
    type: of.type,
    name,
    shown,
    entries,
    parameters: {
      ...parameters,
      options: { ...shortestWaits(new Set(entries)), ...options },
    },
  };
}

/** API Request, which has no operations, may be asked for anything. */
function isAnyAnswer(operation: unknown): boolean {
  return typeof operation !== 'string' || ANSWER_NOT_SHOWN.has(operation);
}

function fillIn(node: NamedNode, chosen: INodeParameters, what: string) {
  const parameters: INodeParameters = { ...chosen };
  const properties = shownBy(node, chosen);
  for (const property of properties) {
    if (property.name in chosen || property.name === 'options') continue;
    const value = valueOf({ name: property.name, empty: isEmpty(property) }, parameters, what);
    if (value !== undefined) parameters[property.name] = value;
  }
  return { parameters, shown: new Set(properties.map(({ name }) => name)) };
}

/** Whether a parameter as it comes out of the node panel says nothing. */
function isEmpty({ type, default: value }: INodeProperties): boolean {
  if (type === 'resourceLocator') return true;
  if (type === 'notice' || type === 'multiOptions') return false;
  return value === '' || (type === 'fixedCollection' && JSON.stringify(value) === '{}');
}

function entriesOf(node: NamedNode, chosen: INodeParameters): INodeProperties[] {
  const options = shownBy(node, chosen).find(({ name }) => name === 'options');
  return (options?.options ?? []) as INodeProperties[];
}

function otherChoices(property: INodeProperties): Array<string | number | boolean> {
  if (property.type === 'boolean') return [property.default !== true];
  return choicesOf(property).filter((value) => value !== property.default);
}

/** A hidden parameter may have choices too, such as the only resource of a node. */
function choicesOf({ type, options }: INodeProperties): Array<string | number | boolean> {
  if (type !== 'options' && type !== 'hidden') return [];
  return ((options ?? []) as INodePropertyOptions[]).map(({ value }) => value);
}

/** What is shown where nothing but the given parameters was touched. */
function shownBy(node: NamedNode, chosen: INodeParameters): INodeProperties[] {
  return visible(node, { ...defaultsOf(node, chosen), ...chosen });
}

/** The values that n8n itself gives the parameters that are shown. */
function defaultsOf(
  { node: { description } }: NamedNode,
  chosen: INodeParameters,
): INodeParameters {
  const { properties } = description;
  return (
    NodeHelpers.getNodeParameters(
      properties,
      chosen,
      true,
      false,
      { typeVersion: 1 },
      description,
    ) ?? {}
  );
}

function visible({ node: { description } }: NamedNode, values: INodeParameters): INodeProperties[] {
  return description.properties.filter((property) =>
    NodeHelpers.displayParameter(values, property, { typeVersion: 1 }, description),
  );
}
