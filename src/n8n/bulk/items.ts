import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Figures } from '../../run/figures';
import type { RowOutput } from './options';
import {
  asError,
  errorItem,
  failureJson,
  onErrorOf,
  throwFirstFailure,
  type OnError,
} from '../failures';

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
export const RESERVED_FIELDS = ['error', 'message', 'details'];

/** Why a row has no result; `domain` is what was asked for, null when there was none. */
export interface Failure {
  readonly kind: 'failure';
  readonly failure: Error;
  readonly domain: string | null;
}

/** A row's result, or why it has none. */
export type RowResult = { readonly kind: 'result'; readonly result: IDataObject } | Failure;

/**
 * Reads what each input item asks for. An item that cannot be read has failed by itself.
 *
 * @throws {NodeApiError | NodeOperationError} for the first of them, when On Error is Stop Workflow.
 */
export function readEach<T extends object>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => T,
): Array<T | Failure> {
  const reads = context.getInputData().map((_item, itemIndex): T | Failure => {
    try {
      return read(itemIndex);
    } catch (error) {
      return { kind: 'failure', failure: asError(error), domain: null };
    }
  });
  throwFirstFailure(context, reads);
  return reads;
}

/** How the rows of a run come out; On Error and the input items are the node's own if left out. */
interface RowsOut extends RowOutput {
  readonly onError?: OnError;
  readonly items?: readonly INodeExecutionData[];
  /** What the run has come to, for the error that stops it. */
  readonly before?: Figures | undefined;
}

/**
 * One output item for each row, in order.
 *
 * @param results one for each input item.
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export function rowItems(
  context: IExecuteFunctions,
  results: readonly RowResult[],
  out: RowsOut,
): INodeExecutionData[] {
  const { onError = onErrorOf(context), items = context.getInputData(), before } = out;
  throwFirstFailure(context, results, { onError, before });
  return results.map((result, itemIndex) =>
    result.kind === 'result'
      ? mergedItem(items[itemIndex], result.result, itemIndex, out)
      : failedItem(items[itemIndex], result.failure, itemIndex, out, onError, result.domain),
  );
}

/**
 * One output item: the input's own data with the result under `resultField`, or the result alone.
 * Always paired with the input item it belongs to.
 */
export function mergedItem(
  input: INodeExecutionData | undefined,
  result: IDataObject,
  itemIndex: number,
  options: RowOutput,
): INodeExecutionData {
  if (options.output === 'result') return { json: result, pairedItem: { item: itemIndex } };
  return {
    json: { ...input?.json, [options.resultField]: result },
    ...(input?.binary === undefined ? {} : { binary: input.binary }),
    pairedItem: { item: itemIndex },
  };
}

/**
 * The item of a row that failed. On the error output n8n adds the input's fields itself, and only
 * to an item of the exact shape it knows; on the regular output the row keeps its own fields, so
 * that a list with a failed row is still the whole list.
 *
 * @param domain what was asked for; null when there was none.
 */
export function failedItem(
  input: INodeExecutionData | undefined,
  failure: Error,
  itemIndex: number,
  options: RowOutput,
  onError: OnError,
  domain: string | null = null,
): INodeExecutionData {
  if (onError === 'continueErrorOutput' || options.output === 'result') {
    return errorItem(failure, itemIndex);
  }
  const { error, message, details } = failureJson(failure);
  const item = mergedItem(
    input,
    { domain, status: 'error', error, message, details },
    itemIndex,
    options,
  );
  return { ...item, json: { ...item.json, error: message } };
}
