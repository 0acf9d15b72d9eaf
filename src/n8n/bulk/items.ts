import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Figures } from '../../run/figures';
import type { RowOutput } from './options';
import { errorItem, failureJson, throwFirstFailure, type OnError } from '../failures';

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
export const RESERVED_FIELDS = ['error', 'message', 'details'];

/** A row's result, or why it has none; `domain` is what was asked for, null when there was none. */
export type RowResult =
  | { readonly kind: 'result'; readonly result: IDataObject }
  | { readonly kind: 'failure'; readonly failure: Error; readonly domain: string | null };

/**
 * One output item for each row, in order.
 *
 * @param items the input items, of which `results` has one each.
 * @param before what the run has come to, for the error that stops it.
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export function rowItems(
  context: IExecuteFunctions,
  items: readonly INodeExecutionData[],
  results: readonly RowResult[],
  options: RowOutput,
  onError: OnError,
  before?: Figures,
): INodeExecutionData[] {
  if (onError === 'stop') {
    throwFirstFailure(
      context,
      results.map((result) => (result.kind === 'failure' ? result.failure : undefined)),
      before,
    );
  }
  return results.map((result, itemIndex) =>
    result.kind === 'result'
      ? mergedItem(items[itemIndex], result.result, itemIndex, options)
      : failedItem(items[itemIndex], result.failure, itemIndex, options, onError, result.domain),
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
