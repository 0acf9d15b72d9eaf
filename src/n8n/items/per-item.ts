import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CancelledError, NotFoundError } from '../../client/errors';
import type { Row } from '../../values/json';
import { mapInParallel, createSequentialQueue } from '../../concurrency';
import type { Run } from '../../run/run';
import { SkippedError } from '../../run/run-guards';
import { createHint, formatRunStats } from '../run-hints';
import { toError } from '../failures';
import { runOnce } from '../idempotency';
import { openRun } from '../open-run';
import { showOnlyFor, type Operation } from '../operation';
import { readParameterValues, type Declared, type ValuesOf } from '../parameters/declare';
import { createItemSource, readRunLimits, warnAboutFixedText } from '../parameters/readers';
import { readItems, toFailure, toSkipped, type Outcome, type Output, type Task } from './tasks';
import { toItems, toOutcomes, RESULT_ONLY } from './write';

/** Context in which an operation sends its requests. */
export interface OperationContext {
  readonly context: IExecuteFunctions;
  /** Sends all requests of the operation. */
  readonly run: Run;
  /**
   * Runs work of all items one at a time, for work that needs much memory or changes what other items
   * change.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads data that several items need: only the first sends the request, and all get the response. */
  readonly shared: <T>(what: string, read: () => Promise<T>) => Promise<T>;
  /** Makes a change once per item, whatever n8n retries; see {@link runOnce}. */
  readonly once: <T>(change: () => Promise<T>, how?: Parameters<typeof runOnce>[4]) => Promise<T>;
}

/** A failure after part of the result; that part is output before the error item. */
export class PartialFailure extends Error {
  /** @param part File of the error item, or outputs before it. */
  constructor(
    readonly failure: Error,
    readonly part: Partial<Pick<Outcome, 'outputs' | 'binary'>>,
  ) {
    super(failure.message);
  }
}

/** An operation that handles each input item separately. */
export interface PerItem<D extends Declared> {
  readonly parameters: D;
  /** Whether items share no request even if their values are equal, because each changes something. */
  readonly changes?: (values: ValuesOf<D>) => boolean;
  /** Fields that identify an item whose result was not found. */
  readonly requestFieldsOf?: (values: ValuesOf<D>) => IDataObject;
  /**
   * Sends the requests of an item. Nothing is sent before every item has been read.
   *
   * @returns The outputs; an object becomes one item.
   */
  readonly execute: (values: ValuesOf<D>, session: OperationContext) => Promise<Row | Output[]>;
}

const NO_RESULTS = 'No results: the service has nothing that matches.';

/** Creates an operation of a node that has several; see {@link forEachItem}. */
export function perItem<D extends Declared>(
  operation: PerItem<D> & Pick<Operation, 'option' | 'returns'>,
): Operation {
  const { option, returns } = operation;
  const { properties, execute } = forEachItem(operation);
  return { option, returns, properties: showOnlyFor(String(option.value), properties), execute };
}

/**
 * Creates an operation that handles each input item separately: in parallel under the limiter, with
 * output in input order, each output item paired with its input item, equal requests sent once, and
 * failures handled as set under On Error.
 */
export function forEachItem<D extends Declared>(
  operation: PerItem<D>,
): Pick<Operation, 'properties' | 'execute'> {
  return {
    properties: Object.values(operation.parameters).flatMap(({ properties }) => properties),
    execute: async (context) => await executeEach(context, operation),
  };
}

async function executeEach<D extends Declared>(
  context: IExecuteFunctions,
  operation: PerItem<D>,
): Promise<INodeExecutionData[][]> {
  const { parameters, changes } = operation;
  const { identifier, partner_domain } = parameters;
  const rows = readItems<ValuesOf<D>>(
    context,
    (itemIndex) => readParameterValues(parameters, createItemSource(context, itemIndex)),
    (values, itemIndex) =>
      JSON.stringify(changes?.(values) === true ? [values, itemIndex] : values),
  );
  const [company] = (identifier ?? partner_domain)?.properties ?? [];
  if (rows.tasks.length === 1 && company !== undefined) {
    context.addExecutionHints(...warnAboutFixedText(context, company));
  }
  const limits = readRunLimits(context, parameters);
  const run = rows.tasks.length === 0 ? undefined : await openRun(context, limits);
  if (run !== undefined) await sendAll(context, run, operation, rows.tasks);
  if (run !== undefined && limits.maxCredits !== undefined) {
    context.addExecutionHints(formatRunStats(run.stats, parameters));
  }
  const items = toItems(context, toOutcomes(rows), { ...RESULT_ONLY, before: run?.stats });
  if (run !== undefined && items.length === 0) context.addExecutionHints(createHint(NO_RESULTS));
  return [items];
}

/** Runs all tasks in parallel, and sets their outcomes. */
async function sendAll<D extends Declared>(
  context: IExecuteFunctions,
  run: Run,
  { requestFieldsOf, execute }: PerItem<D>,
  tasks: ReadonlyArray<Task<ValuesOf<D>>>,
): Promise<void> {
  const reads = new Map<string, Promise<unknown>>();
  const session: Omit<OperationContext, 'once'> = {
    context,
    run,
    inTurn: createSequentialQueue(),
    shared: async <T>(what: string, read: () => Promise<T>) => {
      const result = reads.get(what) ?? read();
      reads.set(what, result);
      return (await result) as T;
    },
  };
  await mapInParallel(tasks, async (task) => {
    const { request: values, itemIndex } = task;
    const once: OperationContext['once'] = async (change, how) =>
      await runOnce(context, itemIndex, JSON.stringify(values), change, how);
    const fields = requestFieldsOf?.(values) ?? {};
    try {
      run.breaker.assertClosed();
      const outputs = await withNotFound(values, fields, async () => {
        const result = await execute(values, { ...session, once });
        return Array.isArray(result) ? result : [{ json: result as IDataObject }];
      });
      task.outcome = { outputs };
    } catch (error) {
      if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
      task.outcome = toFailedOutcome(run, error, fields);
    }
  });
}

function toFailedOutcome(run: Run, error: unknown, fields: IDataObject): Outcome {
  const { failure, part } =
    error instanceof PartialFailure ? error : { failure: toError(error), part: {} };
  run.breaker.recordItemFailure(failure);
  if (failure instanceof SkippedError) return toSkipped(failure, fields);
  return { ...toFailure(failure), ...part };
}

/**
 * Turns a "not found" error into an item with `found: false` if If Not Found says so; other items then
 * get `found: true`. A 404 that can come from a wrong URL stays an error.
 *
 * @param fields Fields that identify the item.
 */
async function withNotFound(
  { options }: { readonly options?: { readonly ifNotFound?: 'error' | 'item' } },
  fields: IDataObject,
  execute: () => Promise<Output[]>,
): Promise<Output[]> {
  if (options?.ifNotFound !== 'item') return await execute();
  try {
    const outputs = await execute();
    const columns = outputs[0]?.columns && ['found', ...outputs[0].columns];
    return outputs.map(({ json, binary }) => ({ json: { found: true, ...json }, binary, columns }));
  } catch (error) {
    if (!(error instanceof NotFoundError) || !error.isResourceMissing) throw error;
    return [{ json: { found: false, ...fields, reason: error.code, message: error.message } }];
  }
}
