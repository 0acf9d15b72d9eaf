import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import { toText, formatCount, formatNumber } from '../../values/text';
import { isJsonObject } from '../../values/json';
import { SkippedError } from '../../run/run-guards';
import type { RunStats } from '../../run/run-stats';
import {
  toError,
  toErrorItem,
  toFailureJson,
  getOnError,
  throwFirstFailure,
  type OnError,
} from '../failures';
import { omitFields } from '../../run/responses/rows';
import { createHint } from '../format';
import { alignColumns, EMPTY_CELL, isSkipped, toSheet, type SheetOptions } from './sheet';

/*
 * Steps shared by all operations: read the request of each input item, send distinct requests, and turn
 * the outcomes into output items. Each operation decides whether requests are sent one by one or in
 * batches.
 */

/** Output of an input item, before pairing is added. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
  /** Columns that a flat row of this kind always has; undefined for other rows. */
  readonly columns?: readonly string[] | undefined;
}

/** Result of an input item. */
export interface Outcome {
  readonly outputs: readonly Output[];
  /** Why there is no output, or no further output. */
  readonly failure?: Error;
  /** An incomplete file, which is attached to the error item. */
  readonly binary?: IBinaryKeyData | undefined;
  /** The requested domain, which a failed row includes. */
  readonly domain?: string | null;
  /** Whether the row names no company, so values of another company in a sheet are cleared. */
  readonly namesNone?: boolean;
}

/** One distinct request. Items with equal requests share a task. */
export interface Task<Request> {
  readonly request: Request;
  /** The first item with this request. */
  readonly itemIndex: number;
  /** The outcome; undefined until the request was sent. */
  outcome?: Outcome;
}

/** The tasks of items, or outcomes of items that need no request. */
export interface Rows<Request> {
  /** In the order of the items. */
  readonly rows: ReadonlyArray<Task<Request> | Outcome>;
  /** Distinct tasks, in the order of the items. */
  readonly tasks: ReadonlyArray<Task<Request>>;
}

/** The request of one item; equal keys mean equal requests. */
export interface KeyedRequest<Request> {
  readonly key: string;
  readonly request: Request;
}

/** Returns the outcome of an item that succeeded. */
export function toSuccess(json: IDataObject): Outcome {
  return { outputs: [{ json }] };
}

/** Returns the outcome of an item that failed, or that Max Credits does not cover. */
export function toFailure(failure: Error, domain: string | null = null): Outcome {
  return failure instanceof SkippedError
    ? toSkipped(failure, { domain })
    : { outputs: [], failure, domain };
}

/** @param fields Fields that identify the item. */
export function toSkipped({ code: reason, message }: SkippedError, fields: IDataObject): Outcome {
  return toSuccess({ ...fields, status: 'skipped', reason, message });
}

/**
 * Reads the request of each input item. If that throws, only this item fails.
 *
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is Stop Workflow.
 */
export function readItems<Request>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => KeyedRequest<Request> | Outcome,
): Rows<Request> {
  const tasks = new Map<string, Task<Request>>();
  const rows = context.getInputData().map((_item, itemIndex) => {
    try {
      const item = read(itemIndex);
      if (!('key' in item)) return item;
      const { key, request } = item;
      const task = tasks.get(key) ?? { request, itemIndex };
      tasks.set(key, task);
      return task;
    } catch (error) {
      return toFailure(toError(error));
    }
  });
  throwFirstFailure(context, rows);
  return { rows, tasks: [...tasks.values()] };
}

/**
 * Returns the outcome of each item. Items that share a task get copies, except the first, so that a
 * change to one result does not affect another.
 */
export function toOutcomes<Request>({ rows }: Pick<Rows<Request>, 'rows'>): Outcome[] {
  return rows.map((row, itemIndex) => {
    if (!('request' in row)) return row;
    const { outcome = EMPTY_OUTCOME } = row;
    return row.itemIndex === itemIndex ? outcome : copyOutcome(outcome);
  });
}

const EMPTY_OUTCOME: Outcome = { outputs: [] };

function copyOutcome({ outputs, binary, ...rest }: Outcome): Outcome {
  const copies = outputs.map(({ columns, ...output }) => ({ ...structuredClone(output), columns }));
  return { ...rest, outputs: copies, binary: structuredClone(binary) };
}

/** Options of the output items; On Error and the input items are those of the node if omitted. */
interface ItemOptions extends RowOutput {
  readonly onError?: OnError;
  readonly inputs?: readonly INodeExecutionData[];
  /** Figures of the run, for the error that stops it. */
  readonly before?: RunStats | undefined;
  /** Columns that flat rows always have; see {@link Output.columns}. */
  readonly columns?: readonly string[] | undefined;
  /** See {@link SheetOptions.owns}. */
  readonly owns?: SheetOptions['owns'];
}

/** An output item before pairing. */
interface Result extends Output {
  readonly itemIndex: number;
  readonly failure?: Error;
  readonly namesNone?: boolean;
}

/**
 * Returns the items of outcomes, in order, each paired with its input item. All flat rows get the same
 * columns.
 *
 * @param outcomes One outcome per input item.
 * @throws {NodeApiError | NodeOperationError} For the first failed item, if On Error is
 * Stop Workflow; otherwise failures become items.
 */
export function toItems(
  context: IExecuteFunctions,
  outcomes: readonly Outcome[],
  out: ItemOptions,
): INodeExecutionData[] {
  const { onError = getOnError(context), inputs = context.getInputData(), before } = out;
  throwFirstFailure(context, outcomes, { onError, before });
  const { items, hints } = arrangeItems(outcomes, inputs, { ...out, onError });
  context.addExecutionHints(...hints, ...warnAboutSkipped(outcomes, out));
  return items;
}

/** Returns a warning if Max Credits left rows for the next run. */
function warnAboutSkipped(
  outcomes: readonly Outcome[],
  { output, resultField, columnPrefix }: RowOutput,
): NodeExecutionHint[] {
  const messages = outcomes.flatMap(({ outputs: [one] }) =>
    isSkipped(one?.json) ? [toText(one?.json.message)] : [],
  );
  const [first] = messages;
  if (first === undefined) return [];
  const rows = formatCount(outcomes.length, 'row');
  const status = {
    merge: `${resultField}.status`,
    columns: `${columnPrefix}status`,
    result: 'status',
  };
  const next =
    messages.length === outcomes.length
      ? 'Raise the limit to look them up.'
      : `To go on, leave out the finished rows in the next run: filter on \`${status[output]}\`.`;
  return [
    createHint(
      `Skipped ${formatNumber(messages.length)} of ${rows}. ${first}. Nothing was charged for the skipped rows. ${next}`,
      'warning',
    ),
  ];
}

/** Form of the output rows. */
export interface RowOutput {
  /** Input fields with the result in one field or in columns, or the result only. */
  readonly output: 'merge' | 'columns' | 'result';
  /** Name of the result field. */
  readonly resultField: string;
  /** Prefix of the column names. */
  readonly columnPrefix: string;
}

/** Output without the input fields. */
export const RESULT_ONLY: RowOutput = {
  output: 'result',
  resultField: '',
  columnPrefix: '',
};

/** n8n would treat a successful row with one of these fields as failed. */
export const RESERVED_FIELDS = ['error', 'message', 'details'];

/** Returns the items of outcomes, and hints about them. */
export function arrangeItems(
  outcomes: readonly Outcome[],
  inputs: readonly INodeExecutionData[],
  out: RowOutput & Pick<ItemOptions, 'columns' | 'owns'> & { readonly onError: OnError },
): { readonly items: INodeExecutionData[]; readonly hints: NodeExecutionHint[] } {
  // On the error output, n8n adds the input fields itself, but only to items of the exact shape it
  // knows. On the regular output, a failed row keeps its input fields, so the list stays complete.
  const isPure = out.onError === 'continueErrorOutput' || out.output === 'result';
  const results = outcomes.flatMap(toResults);
  const rows = results.filter(({ failure }) => failure === undefined || !isPure);
  const { jsons, hints } = arrangeWithInputs(rows, inputs, out);
  let next = 0;
  const items = results.map(({ itemIndex, failure, binary: own }): INodeExecutionData => {
    if (failure !== undefined && isPure) return toErrorItem(failure, itemIndex, own);
    const json = jsons[next++] ?? {};
    const binary = out.output === 'result' ? own : inputs[itemIndex]?.binary;
    const pairedItem = { item: itemIndex };
    return binary === undefined ? { json, pairedItem } : { json, binary, pairedItem };
  });
  return { items, hints };
}

function toResults(outcome: Outcome, itemIndex: number): Result[] {
  const { outputs, failure, binary, domain = null, namesNone = false } = outcome;
  const results: Result[] = outputs.map((output) => ({ ...output, itemIndex }));
  if (failure === undefined) return results;
  const { error, message, details } = toFailureJson(failure);
  const json = { domain, status: 'error', error, message, details };
  return [
    ...results,
    { json, itemIndex, failure, namesNone, ...(binary === undefined ? {} : { binary }) },
  ];
}

/** Returns the rows in the chosen form. */
function arrangeWithInputs(
  rows: readonly Result[],
  inputs: readonly INodeExecutionData[],
  out: RowOutput & Pick<ItemOptions, 'columns' | 'owns'>,
): { readonly jsons: readonly IDataObject[]; readonly hints: NodeExecutionHint[] } {
  const columns = collectColumns([out, ...rows]);
  if (out.output === 'result') {
    const jsons = rows.map(({ json }) => json);
    return { jsons: columns === undefined ? jsons : alignColumns(jsons, columns), hints: [] };
  }
  const getInput = ({ itemIndex }: Result) => inputs[itemIndex]?.json ?? {};
  if (out.output === 'columns') {
    const sheet = toSheet(
      rows.map((row) => ({
        row: getInput(row),
        result: toErrorCells(row),
        namesNone: row.namesNone,
      })),
      { ...out, columns },
    );
    return { jsons: sheet, hints: [] };
  }
  const jsons = rows.map((row) => {
    const json = { ...getInput(row), [out.resultField]: row.json };
    return row.failure === undefined ? json : { ...json, error: row.json.message };
  });
  return { jsons, hints: warnAboutReplacedField(rows.map(getInput), out.resultField) };
}

/** Returns the distinct columns of flat rows; undefined if no row is flat. */
function collectColumns(rows: ReadonlyArray<Pick<Output, 'columns'>>): string[] | undefined {
  // Rows of the same kind share one array of columns.
  const lists = new Set(rows.map(({ columns }) => columns));
  lists.delete(undefined);
  return lists.size === 0 ? undefined : [...new Set([...lists].flatMap((list) => list ?? []))];
}

/** A sheet gets no details of a failure, because they would add columns that come and go. */
function toErrorCells({ json, failure }: Result): IDataObject {
  return failure === undefined ? json : (omitFields(json, ['details']) as IDataObject);
}

/** Returns a warning if the result field replaced a field of the user. */
function warnAboutReplacedField(
  inputs: readonly IDataObject[],
  field: string,
): NodeExecutionHint[] {
  const replaced = inputs.filter((json) => {
    const old = Object.hasOwn(json, field) ? json[field] : EMPTY_CELL;
    return old !== null && old !== undefined && old !== EMPTY_CELL && !isEarlierResult(old);
  });
  if (replaced.length === 0) return [];
  const items = formatCount(replaced.length, 'item');
  return [
    createHint(
      `The result replaced the input field "${field}" of ${items}. To keep both, set Result Field under Options to another name.`,
      'warning',
    ),
  ];
}

/** Returns whether a field can be the result of an earlier run, which each run replaces. */
function isEarlierResult(value: unknown): boolean {
  return isJsonObject(value) && ['status', 'found', 'primary_domain'].some((name) => name in value);
}
