import {
  NodeOperationError,
  updateDisplayOptions,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeProperties,
  type INodePropertyOptions,
} from 'n8n-workflow';

import { continuing } from './failures';

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

/** What can be run, whether or not the user sees it in the dropdown. */
export interface Runnable {
  readonly option: Pick<INodePropertyOptions, 'value'>;
  readonly execute: Operation['execute'];
}

/** Makes properties appear only for one operation. */
export function onlyFor(operation: string, properties: INodeProperties[]): INodeProperties[] {
  return updateDisplayOptions({ show: { operation: [operation] } }, properties);
}

/** The Operation dropdown of a node, and the parameters of every operation. */
export function describeOperations(
  operations: readonly Operation[],
  defaultOperation: Operation,
): INodeProperties[] {
  return [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      options: operations.map(({ option }) => option),
      default: defaultOperation.option.value,
    },
    ...operations.flatMap(({ properties }) => properties),
  ];
}

/** What stands under the node on the canvas: the chosen operation in words. */
export function subtitleOf(operations: readonly Operation[]): string {
  const names = Object.fromEntries(
    operations.map(({ option }) => [String(option.value), option.name]),
  );
  return `={{ ${JSON.stringify(names)}[$parameter["operation"]] }}`;
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
  return await continuing(context, async () => {
    const name = context.getNodeParameter('operation', 0);
    const operation = operations.find(({ option }) => option.value === name);
    if (operation === undefined) {
      throw new NodeOperationError(context.getNode(), `There is no operation "${name}"`, {
        description: 'Choose one of the operations in the list.',
      });
    }
    return await operation.execute(context);
  });
}
