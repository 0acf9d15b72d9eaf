import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  NodeExecutionHint,
} from 'n8n-workflow';

import type { Figures } from '../../run/figures';
import {
  asError,
  errorItem,
  failureJson,
  onErrorOf,
  throwFirstFailure,
  type OnError,
} from '../failures';
import { firstOf } from '../../input/quote';
import { count, hint } from '../figures';
import { inSameColumns, sheetOf, type Sheet, type SheetForm } from './sheet';

/*
 * What every operation does with its input items: reads of each what it asks for, asks for what is
 * distinct, and makes items of what became of each. How things are asked, each by itself or many
 * together, is the operation's own.
 */

/** What comes out for an input item; pairing is added to it. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
  /** Columns that a flat row of its kind has in any case; undefined for what is no flat row. */
  readonly columns?: readonly string[] | undefined;
}

/** What became of an input item. */
export interface Outcome {
  readonly outputs: readonly Output[];
  /** Why there is nothing, or nothing more. */
  readonly failure?: Error;
  /** A file as far as it came, which goes with the error. */
  readonly binary?: IBinaryKeyData | undefined;
  /** What was asked for, which a failed row tells. */
  readonly domain?: string | null;
  /** The row names no company: what a sheet has there of another one does not stay. */
  readonly namesNone?: boolean;
}

/** One thing that input items ask for. Items that ask for the same share it. */
export interface Task<Ask> {
  readonly ask: Ask;
  /** The first item that asks for it. */
  readonly itemIndex: number;
  /** What became of it; nothing before it was asked. */
  outcome?: Outcome;
}

/** What items ask for, or what became of them already because there is nothing to ask. */
export interface Rows<Ask> {
  /** In the order of the items. */
  readonly rows: ReadonlyArray<Task<Ask> | Outcome>;
  /** Each once, in the order of the items. */
  readonly tasks: ReadonlyArray<Task<Ask>>;
}

/** What one item asks for; what has the same key is the same. */
export interface Asked<Ask> {
  readonly key: string;
  readonly ask: Ask;
}

/** An item that has come to this. */
export function succeeded(json: IDataObject): Outcome {
  return { outputs: [{ json }] };
}

/** An item that has failed. */
export function failed(failure: Error, domain: string | null = null): Outcome {
  return { outputs: [], failure, domain };
}

/**
 * Reads what each input item asks for. An item that cannot be read has failed by itself.
 *
 * @throws {NodeApiError | NodeOperationError} for the first of them, when On Error is Stop Workflow.
 */
export function readRows<Ask>(
  context: IExecuteFunctions,
  read: (itemIndex: number) => Asked<Ask> | Outcome,
): Rows<Ask> {
  const tasks = new Map<string, Task<Ask>>();
  const rows = context.getInputData().map((_item, itemIndex) => {
    try {
      const asked = read(itemIndex);
      if (!('key' in asked)) return asked;
      const { key, ask } = asked;
      const task = tasks.get(key) ?? { ask, itemIndex };
      tasks.set(key, task);
      return task;
    } catch (error) {
      return failed(asError(error));
    }
  });
  throwFirstFailure(context, rows);
  return { rows, tasks: [...tasks.values()] };
}

/**
 * What became of each item. Where items share it, all but the first get copies, because what one does
 * to its result, another must not see.
 */
export function outcomesOf<Ask>({ rows }: Pick<Rows<Ask>, 'rows'>): Outcome[] {
  return rows.map((row, itemIndex) => {
    if (!('ask' in row)) return row;
    const { outcome = NOTHING } = row;
    return row.itemIndex === itemIndex ? outcome : copyOf(outcome);
  });
}

const NOTHING: Outcome = { outputs: [] };

function copyOf({ outputs, binary, ...rest }: Outcome): Outcome {
  const copies = outputs.map(({ columns, ...output }) => ({ ...structuredClone(output), columns }));
  return { ...rest, outputs: copies, binary: structuredClone(binary) };
}

/** How items come out; On Error and the input items are the node's own if left out. */
interface RowsOut extends RowOutput {
  readonly onError?: OnError;
  readonly inputs?: readonly INodeExecutionData[];
  /** What the run has come to, for the error that stops it. */
  readonly before?: Figures | undefined;
  /** Columns that flat rows have in any case; see {@link Output.columns}. */
  readonly columns?: readonly string[] | undefined;
  /** See {@link SheetForm.owns}. */
  readonly owns?: SheetForm['owns'];
}

/** One output item to be. */
interface Result extends Output {
  readonly itemIndex: number;
  readonly failure?: Error;
  readonly namesNone?: boolean;
}

/**
 * The items of outcomes, in order, each paired with its input item. Flat rows all have the same columns.
 *
 * @param outcomes one for each input item.
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export function itemsOf(
  context: IExecuteFunctions,
  outcomes: readonly Outcome[],
  out: RowsOut,
): INodeExecutionData[] {
  const { onError = onErrorOf(context), inputs = context.getInputData(), before } = out;
  throwFirstFailure(context, outcomes, { onError, before });
  const { items, hints } = arranged(outcomes, inputs, { ...out, onError });
  context.addExecutionHints(...hints);
  return items;
}

/** How rows come out. */
export interface RowOutput {
  /** The row's own fields with the result in one more, or in columns; or the result alone. */
  readonly output: 'merge' | 'columns' | 'result';
  /** The one field. */
  readonly resultField: string;
  /** What the names of the columns begin with. */
  readonly columnPrefix: string;
  /** Whether a column that the row has already gets the new value. */
  readonly overwriteColumns: boolean;
}

/** Without the row's own fields. */
export const RESULT_ALONE: RowOutput = {
  output: 'result',
  resultField: '',
  columnPrefix: '',
  overwriteColumns: false,
};

/** With one of these alone beside an error, n8n would take a good row for a failed one. */
export const RESERVED_FIELDS = ['error', 'message', 'details'];

/** The items of outcomes, and what the user should know of them. */
export function arranged(
  outcomes: readonly Outcome[],
  inputs: readonly INodeExecutionData[],
  out: RowOutput & Pick<RowsOut, 'columns' | 'owns'> & { readonly onError: OnError },
): { readonly items: INodeExecutionData[]; readonly hints: NodeExecutionHint[] } {
  // On the error output n8n adds the input's fields itself, and only to an item of the exact shape it
  // knows; on the regular output the row keeps its own fields, so that a list with a failed row is
  // still the whole list.
  const isPure = out.onError === 'continueErrorOutput' || out.output === 'result';
  const results = outcomes.flatMap(resultsOf);
  const rows = results.filter(({ failure }) => failure === undefined || !isPure);
  const { jsons, hints } = besideInputs(rows, inputs, out);
  let next = 0;
  const items = results.map(({ itemIndex, failure, binary: own }): INodeExecutionData => {
    if (failure !== undefined && isPure) return errorItem(failure, itemIndex, own);
    const json = jsons[next++] ?? {};
    const binary = out.output === 'result' ? own : inputs[itemIndex]?.binary;
    const pairedItem = { item: itemIndex };
    return binary === undefined ? { json, pairedItem } : { json, binary, pairedItem };
  });
  return { items, hints };
}

function resultsOf(outcome: Outcome, itemIndex: number): Result[] {
  const { outputs, failure, binary, domain = null, namesNone = false } = outcome;
  const results: Result[] = outputs.map((output) => ({ ...output, itemIndex }));
  if (failure === undefined) return results;
  const { error, message, details } = failureJson(failure);
  const json = { domain, status: 'error', error, message, details };
  return [
    ...results,
    { json, itemIndex, failure, namesNone, ...(binary === undefined ? {} : { binary }) },
  ];
}

/** What the rows hold in the form that the user chose. */
function besideInputs(
  rows: readonly Result[],
  inputs: readonly INodeExecutionData[],
  out: RowOutput & Pick<RowsOut, 'columns' | 'owns'>,
): { readonly jsons: readonly IDataObject[]; readonly hints: NodeExecutionHint[] } {
  const columns = columnsOf([out, ...rows]);
  if (out.output === 'result') {
    const jsons = rows.map(({ json }) => json);
    return { jsons: columns === undefined ? jsons : inSameColumns(jsons, columns), hints: [] };
  }
  const ownOf = ({ itemIndex }: Result) => inputs[itemIndex]?.json ?? {};
  if (out.output === 'columns') {
    const sheet = sheetOf(
      rows.map((row) => ({ row: ownOf(row), result: asCells(row), namesNone: row.namesNone })),
      { ...out, columns },
    );
    return { jsons: sheet.rows, hints: keptHints(sheet) };
  }
  const jsons = rows.map((row) => ({
    ...ownOf(row),
    [out.resultField]: row.json,
    ...(row.failure === undefined ? {} : { error: row.json.message }),
  }));
  return { jsons, hints: [] };
}

/** Columns of flat rows, each once; undefined when no row is flat. */
function columnsOf(rows: ReadonlyArray<Pick<Output, 'columns'>>): string[] | undefined {
  // Rows of a kind share one list.
  const lists = new Set(rows.map(({ columns }) => columns));
  lists.delete(undefined);
  return lists.size === 0 ? undefined : [...new Set([...lists].flatMap((list) => list ?? []))];
}

/** Of why a row failed a sheet gets what helps; further details would come and go with the failures. */
function asCells({ json, failure }: Result): IDataObject {
  if (failure === undefined) return json;
  const { hint: advice } = json.details as IDataObject;
  return { ...json, details: { hint: advice } };
}

/** Columns that a hint names; more would be a list of their own. */
const TOLD_COLUMNS = 5;

/** Says which results are not in the items, because their rows had something else in the column. */
function keptHints({ kept }: Sheet): NodeExecutionHint[] {
  if (kept.rows === 0) return [];
  const columns = firstOf([...kept.columns], TOLD_COLUMNS);
  return [
    hint(
      `${count(kept.rows, 'row')} had values in columns of the result (${columns}). They were kept, and only empty ones filled. Overwrite Columns puts the new values there; another Column Prefix leaves both.`,
      'warning',
    ),
  ];
}
