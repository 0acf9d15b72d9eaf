import {
  NodeOperationError,
  updateDisplayOptions,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodePropertyOptions,
} from 'n8n-workflow';

import type { Declared, RunValuesOf } from './parameters/declare';
import { readForRun } from './parameters/readers';
import { createToolProperties } from './agents/properties';
import { runTool } from './agents/run-tool';
import { runWithOnError } from './failures';
import { addToExecutionData, isTool } from './n8n-versions';
import { getOpenedRuns } from './open-run';
import { createHint, formatMismatches, warnAboutExcess } from './run-hints';

type Execute = (
  context: IExecuteFunctions,
) => INodeExecutionData[][] | Promise<INodeExecutionData[][]>;

export interface Operation {
  readonly option: INodePropertyOptions;
  /** Result fields for the tool description; for lists, also the default of Selected Fields. */
  readonly returns: string;
  readonly properties: INodeProperties[];
  readonly execute: Execute;
}

/** A resource with its operations. Most nodes have only one, which is hidden. */
export interface Resource {
  readonly option: INodePropertyOptions;
  readonly operations: readonly Operation[];
  readonly defaultOperation: Operation;
  /** Hidden operations, which are not in the dropdown. */
  readonly steps?: readonly RunnableOperation[];
}

export interface RunnableOperation {
  readonly option: Pick<INodePropertyOptions, 'value'>;
  readonly execute: Execute;
}

/** An operation on all items at once; see {@link forAllItems}. */
interface AllItemsOperation<D extends Declared> extends Pick<Operation, 'option' | 'returns'> {
  /** Parameters that are evaluated per item; the operation reads them itself. */
  readonly ofItems: INodeProperties[];
  readonly parameters: D;
  readonly execute: (context: IExecuteFunctions, values: RunValuesOf<D>) => ReturnType<Execute>;
}

export function forAllItems<D extends Declared>({
  option,
  returns,
  ofItems,
  parameters,
  execute,
}: AllItemsOperation<D>): Operation {
  const properties = Object.values(parameters).flatMap((one) => one.properties);
  return {
    option,
    returns,
    properties: showOnlyFor(String(option.value), [...ofItems, ...properties]),
    execute: (context) => execute(context, readForRun(context, parameters)),
  };
}

export function showOnlyFor(operation: string, properties: INodeProperties[]): INodeProperties[] {
  return updateDisplayOptions({ show: { operation: [operation] } }, properties);
}

/**
 * The Resource dropdown of a node, and for each resource its operations and their parameters.
 *
 * n8n lists the actions of a node by its resources, and names a node by the action of its operation
 * only where a resource is chosen; so one is, hidden, where there is no other.
 */
export function toNodeProperties(
  resources: readonly [Resource, ...Resource[]],
  defaultResource = resources[0],
): INodeProperties[] {
  const resource = createDropdown('Resource', 'resource', resources, defaultResource);
  return [
    resources.length === 1 ? { ...resource, type: 'hidden' } : resource,
    ...resources.flatMap(({ option, operations, defaultOperation }) =>
      updateDisplayOptions({ show: { resource: [option.value] } }, [
        createDropdown('Operation', 'operation', operations, defaultOperation),
        ...operations.flatMap(toShownProperties),
      ]),
    ),
  ];
}

/** Returns the subtitle of the node: `Get Company`, or `List: Get Many` if there are several resources. */
export function toSubtitle(resources: readonly Resource[]): string {
  const toChosenName = (name: string, choices: readonly Choice[]) =>
    `${toNamesExpression(toOptions(choices))}[$parameter["${name}"]]`;
  const operation = toChosenName(
    'operation',
    resources.flatMap(({ operations }) => operations),
  );
  if (resources.length === 1) return `={{ ${operation} }}`;
  return `={{ ${toChosenName('resource', resources)} + ": " + ${operation} }}`;
}

export async function runOperation(
  context: IExecuteFunctions,
  resources: readonly Resource[],
): Promise<INodeExecutionData[][]> {
  return await runNode(context, async (own) => {
    const { operations, steps = [] } = readSelected(own, 'resource', resources);
    const { execute } = readSelected(own, 'operation', [...operations, ...steps]);
    return await execute(own);
  });
}

export async function runNode(
  context: IExecuteFunctions,
  execute: Execute,
): Promise<INodeExecutionData[][]> {
  if (isTool(context)) return await runTool(context, withSavedFigures(execute));
  return await runWithOnError(context, async () => {
    const outputs = await withSavedFigures(execute)(context);
    for (const { run } of getOpenedRuns(context)) {
      context.addExecutionHints(...warnAboutExcess(run.credits));
      if (run.mismatches !== undefined)
        context.addExecutionHints(createHint(formatMismatches(run.mismatches), 'warning'));
    }
    return outputs;
  });
}

/** Saves the figures of the runs of an execution, also if it fails or is stopped: that was charged, too. */
function withSavedFigures(execute: Execute): Execute {
  return async (context) => {
    let rows = 0;
    try {
      const outputs = await execute(context);
      rows = outputs.flat().length;
      return outputs;
    } finally {
      for (const { run } of getOpenedRuns(context)) {
        const { stats } = run;
        // n8n can filter executions by these.
        if (stats.requests > 0) {
          addToExecutionData(context, {
            company_intelligence_rows: rows,
            company_intelligence_requests: stats.requests,
            company_intelligence_credits_at_most: stats.creditsAtMost,
            company_intelligence_companies_found: stats.tracked,
          });
        }
        rows = 0;
      }
    }
  };
}

function toShownProperties({ option, properties, returns }: Operation): INodeProperties[] {
  const ofTool = createToolProperties(option, properties, returns);
  return [...showOnlyFor(String(option.value), ofTool), ...properties];
}

type Choice = Pick<Operation, 'option'>;

function createDropdown(
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
    options: toOptions(choices),
    default: defaultChoice.option.value,
  };
}

function toOptions(choices: readonly Choice[]): INodePropertyOptions[] {
  return choices.map(({ option }) => option);
}

/** Returns names by value as JavaScript for an expression. */
export function toNamesExpression(options: readonly INodePropertyOptions[]): string {
  return JSON.stringify(
    Object.fromEntries(options.map(({ name, value }) => [String(value), name])),
  );
}

function readSelected<T extends Pick<RunnableOperation, 'option'>>(
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
