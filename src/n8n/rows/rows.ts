import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
} from 'n8n-workflow';

import type { Figures } from '../../run/figures';
import { asError, onErrorOf, throwFirstFailure, type OnError } from '../failures';
import { RowForm, type RowOutput } from './row-form';

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
