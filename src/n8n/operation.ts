import {
  NodeOperationError,
  updateDisplayOptions,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodePropertyOptions,
} from 'n8n-workflow';

import { continuing } from './failures';
import type { Declared, RunValuesOf } from './parameters/declare';
import { readForRun } from './parameters/read';
import { forAgents, toolProperties } from './agents';

/** One operation of a node: what the user sees of it, beside what it does. */
export interface Operation {
  /** Its entry in the node's Operation dropdown. */
  readonly option: INodePropertyOptions;
  /** Its parameters; shown only while it is selected. */
  readonly properties: INodeProperties[];
  /** Runs on all input items at once. */
  readonly execute: (
    context: IExecuteFunctions,
  ) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>;
}

/** What some operations of a node have in common, where a node has operations on several things. */
export interface Resource {
  /** Its entry in the node's Resource dropdown. */
  readonly option: INodePropertyOptions;
  readonly operations: readonly Operation[];
  readonly defaultOperation: Operation;
}

/** What can be run, whether or not the user sees it in the dropdown. */
export interface Runnable {
  readonly option: Pick<INodePropertyOptions, 'value'>;
  readonly execute: Operation['execute'];
}

/** An operation on all items at once; see {@link wholeRun}. */
interface WholeRun<D extends Declared> {
  readonly option: INodePropertyOptions;
  /** Parameters that each item has its own value of; the operation reads them. */
  readonly ofItems: INodeProperties[];
  /** Parameters that hold for the whole run. */
  readonly parameters: D;
  readonly execute: (
    context: IExecuteFunctions,
    values: RunValuesOf<D>,
  ) => ReturnType<Operation['execute']>;
}

/** Makes an operation on all items at once. */
export function wholeRun<D extends Declared>({
  option,
  ofItems,
  parameters,
  execute,
}: WholeRun<D>): Operation {
  const properties = Object.values(parameters).flatMap((one) => one.properties);
  return {
    option,
    properties: onlyFor(String(option.value), [...ofItems, ...properties]),
    execute: (context) => execute(context, readForRun(context, parameters)),
  };
}

/** Makes properties appear only for one operation. */
export function onlyFor(operation: string, properties: INodeProperties[]): INodeProperties[] {
  return updateDisplayOptions({ show: { operation: [operation] } }, properties);
}

/**
 * The Operation dropdown of a node, and the parameters of every operation.
 *
 * @param thing what the operations work on. n8n names a node by the action of its operation only where
 * a resource is chosen, so there is one, which nobody has to choose.
 */
export function describeOperations(
  operations: readonly Operation[],
  defaultOperation: Operation,
  thing: Resource['option'],
): INodeProperties[] {
  const operation = dropdown('Operation', 'operation', operations, defaultOperation);
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'hidden',
      noDataExpression: true,
      // The node panel lists the actions of a node by the options of its resource.
      options: [thing],
      default: thing.value,
    },
    ...updateDisplayOptions({ show: { resource: [thing.value] } }, [operation]),
    ...operations.flatMap(propertiesOf),
  ];
}

/** The Resource dropdown of a node, and for each resource its operations and their parameters. */
export function describeResources(
  resources: readonly Resource[],
  defaultResource: Resource,
): INodeProperties[] {
  return [
    dropdown('Resource', 'resource', resources, defaultResource),
    ...resources.flatMap(({ option, operations, defaultOperation }) =>
      updateDisplayOptions({ show: { resource: [option.value] } }, [
        dropdown('Operation', 'operation', operations, defaultOperation),
        ...operations.flatMap(propertiesOf),
      ]),
    ),
  ];
}

/** What is under the node on the canvas: the chosen operation in words. */
export function subtitleOf(operations: readonly Operation[]): string {
  return `={{ ${namesOf(optionsOf(operations))}[$parameter["operation"]] }}`;
}

/** The same for a node with resources: `List: Get Many`. */
export function subtitleOfResources(resources: readonly Resource[]): string {
  const operations = resources.flatMap((resource) => resource.operations);
  return `={{ ${namesOf(optionsOf(resources))}[$parameter["resource"]] + ": " + ${namesOf(optionsOf(operations))}[$parameter["operation"]] }}`;
}

/**
 * Runs the operation that the node's `operation` parameter selects.
 *
 * @throws {NodeOperationError} when there is no such operation, as after a downgrade.
 */
export async function runOperation(
  context: IExecuteFunctions,
  operations: readonly Runnable[],
): Promise<INodeExecutionData[][]> {
  return await continuing(
    context,
    async () => await forAgents(context, selected(context, 'operation', operations).execute),
  );
}

/** Runs the operation that the `resource` and `operation` parameters select; see {@link runOperation}. */
export async function runOperationOfResource(
  context: IExecuteFunctions,
  resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
  return await continuing(context, async () => {
    const { operations } = selected(context, 'resource', resources);
    return await forAgents(context, selected(context, 'operation', operations).execute);
  });
}

/** What an operation shows, also where the node is the tool of an agent. */
function propertiesOf({ option, properties }: Operation): INodeProperties[] {
  return [...onlyFor(String(option.value), toolProperties(option, properties)), ...properties];
}

/** An entry of the Resource or of the Operation dropdown. */
type Choice = Pick<Operation, 'option'>;

function dropdown(
  displayName: string,
  name: string,
  choices: readonly Choice[],
  defaultChoice: Choice,
): INodeProperties {
  return {
    displayName,
    name,
    type: 'options',
    noDataExpression: true,
    options: optionsOf(choices),
    default: defaultChoice.option.value,
  };
}

function optionsOf(choices: readonly Choice[]): INodePropertyOptions[] {
  return choices.map(({ option }) => option);
}

/** Names by value, as the JavaScript of an expression. */
export function namesOf(options: readonly INodePropertyOptions[]): string {
  return JSON.stringify(
    Object.fromEntries(options.map(({ name, value }) => [String(value), name])),
  );
}

function selected<T extends Pick<Runnable, 'option'>>(
  context: IExecuteFunctions,
  parameter: 'resource' | 'operation',
  choices: readonly T[],
): T {
  const value = context.getNodeParameter(parameter, 0);
  const choice = choices.find(({ option }) => option.value === value);
  if (choice !== undefined) return choice;
  throw new NodeOperationError(context.getNode(), `There is no ${parameter} "${value}"`, {
    description: `Choose one of the ${parameter}s in the list.`,
  });
}
