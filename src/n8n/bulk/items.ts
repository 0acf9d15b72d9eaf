import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Figures } from '../../run/figures';
import { asError, onErrorOf, throwFirstFailure, type OnError } from '../failures';
import { RowForm, type RowOutput } from './row-form';

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
  const form = new RowForm(out);
  const output = results.map((result, itemIndex) =>
    result.kind === 'result'
      ? form.itemOf(items[itemIndex], result.result, itemIndex)
      : form.failedItemOf(items[itemIndex], result.failure, itemIndex, onError, result.domain),
  );
  context.addExecutionHints(...form.hints());
  return output;
}
