import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import { toText, formatCount, formatNumber } from '../../values/text';
import type { RunStats } from '../../run/run-stats';
import {
  toErrorItem,
  toFailureJson,
  getOnError,
  throwFirstFailure,
  type OnError,
} from '../failures';
import { createHint } from '../run-hints';
import { isSkipped, type Result, type Output } from './row-result';
import { readCell, toSheet, type SheetOptions, type SheetRow } from './sheet';

/** Form of the output rows. */
export interface RowOutput {
  /** All or selected input fields with the result in columns, or the result only. */
  readonly output: 'columns' | 'selected' | 'result';
  readonly columnPrefix: string;
  /** Names of the input fields that `selected` keeps. */
  readonly fieldsToKeep?: readonly string[];
}

/** Output without the input fields. */
export const RESULT_ONLY: RowOutput = { output: 'result', columnPrefix: '' };

interface ItemOptions extends RowOutput, SheetOptions {
  /** Of the node if omitted, as are the inputs. */
  readonly onError?: OnError;
  readonly inputs?: readonly INodeExecutionData[];
  /** Of the run, for the error that stops it. */
  readonly before?: RunStats | undefined;
}

/** An output next to its input, before pairing. */
interface OutputRow extends Output, SheetRow {
  readonly itemIndex: number;
  readonly failure?: Error;
}

/**
 * Returns the items of outcomes, in order, each paired with its input item. All flat rows get the same
 * columns.
 *
 * @param outcomes One per input item.
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is
 * Stop Workflow; otherwise failures become items.
 */
export function toItems(
  context: IExecuteFunctions,
  outcomes: readonly Result[],
  out: ItemOptions,
): INodeExecutionData[] {
  const { onError = getOnError(context), inputs = context.getInputData(), before, output } = out;
  throwFirstFailure(context, outcomes, { onError, before });
  // On the error output, n8n adds the input fields itself, but only to items of the exact shape it
  // knows. On the regular output, a failed row keeps its input fields, so the list stays complete.
  const isPure = onError === 'continueErrorOutput' || output === 'result';
  const results = outcomes.flatMap((outcome, itemIndex) =>
    toOutputRows(outcome, itemIndex, inputs[itemIndex]?.json ?? {}),
  );
  const rows = isPure ? results.filter(({ failure }) => failure === undefined) : results;
  const jsons = toJsons(rows, out);
  let next = 0;
  const items = results.map(({ itemIndex, failure, binary: own }): INodeExecutionData => {
    if (failure !== undefined && isPure) return toErrorItem(failure, itemIndex, own);
    const json = jsons[next++] ?? {};
    const binary = output === 'result' ? own : inputs[itemIndex]?.binary;
    const pairedItem = { item: itemIndex };
    return binary === undefined ? { json, pairedItem } : { json, binary, pairedItem };
  });
  context.addExecutionHints(...warnAboutSkipped(outcomes, out));
  return items;
}

function toOutputRows(
  { outputs, failure, binary, fields }: Result,
  itemIndex: number,
  input: IDataObject,
): OutputRow[] {
  const results: OutputRow[] = outputs.map((output) => ({ ...output, itemIndex, input }));
  if (failure === undefined) return results;
  const { error, message, details } = toFailureJson(failure);
  // A row of a sheet has no other place for the advice.
  const advised = toText(details.hint) === '' ? message : `${message}. ${toText(details.hint)}`;
  const json: IDataObject = { domain: null, ...fields, status: 'error', error, message: advised };
  const failed = { json, itemIndex, input, failure };
  return [...results, binary === undefined ? failed : { ...failed, binary }];
}

/** Returns the rows in the chosen form. */
function toJsons(rows: readonly OutputRow[], out: ItemOptions): readonly IDataObject[] {
  const columns = collectColumns([out, ...rows]);
  if (out.output === 'columns') return toSheet(rows, { ...out, columns, fieldsToKeep: undefined });
  if (out.output === 'selected') return toSheet(rows, { ...out, columns });
  const jsons = rows.map(({ json }) => json);
  return columns === undefined ? jsons : alignColumns(jsons, columns);
}

/** Returns rows with the same columns in the same order: known columns first, then others. */
export function alignColumns(
  rows: readonly IDataObject[],
  known: readonly string[],
): IDataObject[] {
  const columns = new Set(known);
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  const order = [...columns].join();
  // This code runs for each row of a list, so it avoids lists of entries.
  return rows.map((row) => {
    const names = Object.keys(row);
    if (names.length === columns.size && names.join() === order) return row;
    const aligned: IDataObject = {};
    for (const name of columns) aligned[name] = readCell(row, name);
    return aligned;
  });
}

/** Returns the distinct columns of flat rows; undefined if no row is flat. */
function collectColumns(rows: ReadonlyArray<Pick<Output, 'columns'>>): string[] | undefined {
  // Rows of the same kind share one array of columns.
  const lists = new Set(rows.map(({ columns }) => columns));
  lists.delete(undefined);
  return lists.size === 0 ? undefined : [...new Set([...lists].flatMap((list) => list ?? []))];
}

function warnAboutSkipped(
  outcomes: readonly Result[],
  { output, columnPrefix }: RowOutput,
): NodeExecutionHint[] {
  const messages = outcomes.flatMap(({ outputs: [one] }) =>
    isSkipped(one?.json) ? [toText(one?.json.message)] : [],
  );
  const [first] = messages;
  if (first === undefined) return [];
  const rows = formatCount(outcomes.length, 'row');
  const status = output === 'result' ? 'status' : `${columnPrefix}status`;
  const next =
    messages.length === outcomes.length
      ? 'Raise the limit to look them up.'
      : `To go on, leave out the finished rows in the next run: filter on \`${status}\`.`;
  return [
    createHint(
      `Skipped ${formatNumber(messages.length)} of ${rows}. ${first}. Nothing was charged for the skipped rows. ${next}`,
      'warning',
    ),
  ];
}
