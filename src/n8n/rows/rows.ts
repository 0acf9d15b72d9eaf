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
import { isDeepStrictEqual } from 'node:util';

import { firstOf } from '../../input/quote';
import { isRow } from '../../run/answers/rows';
import { count, hint } from '../figures';

/*
 * What every operation does with its input items: reads of each what it asks for, asks for what is
 * distinct, and makes items of what became of each. How things are asked, each by itself or many
 * together, is the operation's own.
 */

/** What comes out for an input item; pairing is added to it. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
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
  return { ...rest, outputs: structuredClone(outputs), binary: structuredClone(binary) };
}

/** How items come out; On Error and the input items are the node's own if left out. */
interface RowsOut extends RowOutput {
  readonly onError?: OnError;
  readonly inputs?: readonly INodeExecutionData[];
  /** What the run has come to, for the error that stops it. */
  readonly before?: Figures | undefined;
}

/**
 * The items of outcomes, in order, each paired with its input item.
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
  const form = new RowForm(out, onError);
  const items: INodeExecutionData[] = [];
  for (const [itemIndex, outcome] of outcomes.entries()) {
    const input = inputs[itemIndex];
    for (const output of outcome.outputs) items.push(form.itemOf(input, output, itemIndex));
    if (outcome.failure !== undefined) {
      items.push(form.failedItemOf(input, outcome, outcome.failure, itemIndex));
    }
  }
  context.addExecutionHints(...form.hints());
  return items;
}

// --- A result beside the fields of its row -------------------------------------------------------

/** Columns that a hint names; more would be a list of their own. */
const TOLD_COLUMNS = 5;

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

/** Puts results beside the fields of their rows. */
export class RowForm {
  private readonly keptColumns = new Set<string>();
  private keptRows = 0;

  constructor(
    private readonly out: RowOutput,
    private readonly onError: OnError,
  ) {}

  /** The item of a row with its result, paired with the input item it belongs to. */
  itemOf(
    input: INodeExecutionData | undefined,
    output: Output,
    itemIndex: number,
  ): INodeExecutionData {
    const pairedItem = { item: itemIndex };
    if (this.out.output === 'result') return { ...output, pairedItem };
    const json = this.beside(input?.json ?? {}, output.json);
    return input?.binary === undefined
      ? { json, pairedItem }
      : { json, binary: input.binary, pairedItem };
  }

  /**
   * The item of a row that failed. On the error output n8n adds the input's fields itself, and only
   * to an item of the exact shape it knows; on the regular output the row keeps its own fields, so
   * that a list with a failed row is still the whole list.
   */
  failedItemOf(
    input: INodeExecutionData | undefined,
    { binary, domain = null }: Pick<Outcome, 'binary' | 'domain'>,
    failure: Error,
    itemIndex: number,
  ): INodeExecutionData {
    if (this.onError === 'continueErrorOutput' || this.out.output === 'result') {
      return errorItem(failure, itemIndex, binary);
    }
    const { error, message, details } = failureJson(failure);
    const json = { domain, status: 'error', error, message, details };
    const item = this.itemOf(input, { json }, itemIndex);
    return { ...item, json: { ...item.json, error: message } };
  }

  /** Says which results are not in the items, because their rows had something else in the column. */
  hints(): NodeExecutionHint[] {
    if (this.keptRows === 0) return [];
    const columns = firstOf([...this.keptColumns], TOLD_COLUMNS);
    return [
      hint(
        `${count(this.keptRows, 'row')} had values in columns of the result (${columns}). They were kept, and only empty ones filled. Overwrite Columns puts the new values there; another Column Prefix leaves both.`,
        'warning',
      ),
    ];
  }

  private beside(row: IDataObject, result: IDataObject): IDataObject {
    const { output, resultField, columnPrefix, overwriteColumns } = this.out;
    if (output === 'merge') return { ...row, [resultField]: result };
    const columns = Object.entries(flat(result)).map(([name, value]) => {
      return [`${columnPrefix}${name}`, value] as const;
    });
    if (overwriteColumns) return { ...row, ...Object.fromEntries(columns) };
    const free = columns.filter(([name]) => isEmpty(row[name]));
    const kept = columns.filter(
      ([name, value]) => !isEmpty(row[name]) && !isDeepStrictEqual(row[name], value),
    );
    for (const [name] of kept) this.keptColumns.add(name);
    if (kept.length > 0) this.keptRows += 1;
    return { ...row, ...Object.fromEntries(free) };
  }
}

/** What is in objects within the result as fields of the result: `details_hint`. */
function flat(result: IDataObject): IDataObject {
  const columns = new Map<string, IDataObject[string]>();
  for (const [name, value] of Object.entries(result)) {
    const inner = isRow(value) ? Object.entries(flat(value as IDataObject)) : [];
    const named = inner.map(([key, cell]) => [`${name}_${key}`, cell] as const);
    const isFree = named.every(([key]) => !Object.hasOwn(result, key) && !columns.has(key));
    const added = named.length > 0 && isFree ? named : [[name, value] as const];
    for (const [key, cell] of added) columns.set(key, cell);
  }
  return Object.fromEntries(columns);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
