import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { NotFoundError } from '../../client/errors';
import type { Row } from '../../values/json';
import { createSequentialQueue } from '../../concurrency';
import type { Run } from '../../run/run';
import { createHint, formatRunStats, warnAboutFailures } from '../run-hints';
import { runOnce } from '../idempotency';
import { showOnlyFor, type Operation } from '../operation';
import { readParameterValues, type Declared, type ValuesOf } from '../parameters/declare';
import { createItemSource, readRunLimits, warnAboutFixedText } from '../parameters/readers';
import { joinResults, readRows, sendEach, sendRows } from './engine';
import { toFailure, type Output, type Result } from './row-result';
import { toItems, RESULT_ONLY } from './write';

export interface OperationContext {
  readonly context: IExecuteFunctions;
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
    readonly part: Partial<Pick<Result, 'outputs' | 'binary'>>,
  ) {
    super(failure.message);
  }
}

interface PerItem<D extends Declared> {
  readonly parameters: D;
  /** Whether items share no request even if their values are equal, because each changes something. */
  readonly changes?: (values: ValuesOf<D>) => boolean;
  /** Name of the parameter with the company of each item, for a warning if all items have the same. */
  readonly company?: string & keyof D;
  /** What its results are, for the hint about the run: rows up to a limit, or a graph of many companies. */
  readonly counts?: 'rows' | 'graph';
  /** Fields that identify an item whose result was not found, or that was skipped. */
  readonly requestFieldsOf?: (values: ValuesOf<D>) => IDataObject;
  /**
   * Sends the requests of an item. Nothing is sent before every item has been read.
   *
   * @returns The outputs; an object becomes one item.
   */
  readonly execute: (values: ValuesOf<D>, session: OperationContext) => Promise<Row | Output[]>;
}

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
  const { parameters, changes, company, counts, requestFieldsOf } = operation;
  const rows = readRows<ValuesOf<D>>(
    context,
    (itemIndex) => readParameterValues(parameters, createItemSource(context, itemIndex)),
    (values, itemIndex) =>
      JSON.stringify(changes?.(values) === true ? [values, itemIndex] : values),
  );
  const [property] = company === undefined ? [] : (parameters[company]?.properties ?? []);
  if (rows.requests.size === 1 && property !== undefined) {
    context.addExecutionHints(...warnAboutFixedText(context, property));
  }
  const limits = readRunLimits(context, parameters);
  const { results, stats } = await sendRows(context, rows, {
    limits,
    send: async (requests, run) => await sendAll(context, run, operation, requests),
    fieldsOf: requestFieldsOf,
  });
  if (stats !== undefined && limits.maxCredits !== undefined) {
    context.addExecutionHints(formatRunStats(stats, counts));
  }
  const joined = joinResults(rows, results);
  context.addExecutionHints(...warnAboutFailures(joined));
  const items = toItems(context, joined, { ...RESULT_ONLY, before: stats });
  if (stats !== undefined && items.length === 0) {
    context.addExecutionHints(createHint('No results: the service has nothing that matches.'));
  }
  return [items];
}

async function sendAll<D extends Declared>(
  context: IExecuteFunctions,
  run: Run,
  { requestFieldsOf, execute }: PerItem<D>,
  requests: ReadonlyMap<ValuesOf<D>, number>,
): Promise<ReadonlyMap<ValuesOf<D>, Result>> {
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
  const toFailed = (failure: Error, values: ValuesOf<D>): Result =>
    toFailure(failure, requestFieldsOf?.(values));
  const send = async (values: ValuesOf<D>): Promise<Result> => {
    const itemIndex = requests.get(values) ?? 0;
    const once: OperationContext['once'] = async (change, how) =>
      await runOnce(context, itemIndex, JSON.stringify(values), change, how);
    try {
      const outputs = await withNotFound(values, requestFieldsOf?.(values), async () => {
        const result = await execute(values, { ...session, once });
        return Array.isArray(result) ? result : [{ json: result as IDataObject }];
      });
      return { outputs };
    } catch (error) {
      if (!(error instanceof PartialFailure)) throw error;
      run.breaker.recordItemFailure(error.failure);
      return { ...toFailed(error.failure, values), ...error.part };
    }
  };
  return await sendEach(run, requests.keys(), send, toFailed);
}

/**
 * Turns a "not found" error into an item with `found: false` if If Not Found says so; other items then
 * get `found: true`. A 404 that can come from a wrong URL stays an error.
 *
 * @param fields Fields that identify the item.
 */
async function withNotFound(
  { options }: { readonly options?: { readonly ifNotFound?: 'error' | 'item' } },
  fields: IDataObject | undefined,
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
