import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError } from '../../client/errors';
import { toText } from '../../values/text';
import type { Row } from '../../values/json';
import { mapInParallel, createSequentialQueue } from '../../concurrency';
import type { Run } from '../../run/run';
import { SkippedError } from '../../run/run-guards';
import { createHint, withCreditAdvice, formatRunStats } from '../format';
import { toError, withNotFound, type IfNotFound } from '../failures';
import { runOnce } from '../idempotency';
import { openRun } from '../open-run';
import { showOnlyFor, type Operation } from '../operation';
import {
  readParameterValues,
  type Declared,
  type ParameterSource,
  type ValuesOf,
} from '../parameters/declare';
import { createItemSource, readRunOptions, warnAboutFixedText } from '../parameters/readers';
import { isEnrichmentColumn } from './own-columns';
import { stateWholeNeed } from './shortage';
import {
  toFailure,
  toItems,
  toOutcomes,
  toSkipped,
  readItems,
  RESULT_ONLY,
  type Outcome,
  type Output,
  type Task,
} from './output-items';

/** Context in which an operation sends its requests. */
export interface OperationContext {
  readonly context: IExecuteFunctions;
  /** Sends all requests of the operation. */
  readonly run: Run;
  /** The first input item with this request. */
  readonly itemIndex: number;
  /**
   * Runs work of all items one at a time, for work that needs much memory or changes what other items
   * change.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads data that several items need: only the first sends the request, and all get the response. */
  readonly shared: <T>(what: string, read: () => Promise<T>) => Promise<T>;
  /** Makes a change once per plan, whatever n8n retries; see {@link runOnce}. */
  readonly once: <T>(change: () => Promise<T>, how?: Parameters<typeof runOnce>[4]) => Promise<T>;
}

/** A failure after part of the result; that part is output before the error item. */
export class PartialFailure extends Error {
  /** @param part File of the error item, or outputs before it. */
  constructor(
    readonly failure: Error,
    readonly part: { readonly binary?: IBinaryKeyData | undefined; readonly outputs?: Output[] },
  ) {
    super(failure.message);
  }
}

/** An operation that handles each input item separately. */
export interface PerItem<D extends Declared, Plan> {
  readonly parameters: D;
  /**
   * Returns the request of an item, if it differs from the values of its parameters. Nothing is sent
   * before every item has been read.
   *
   * @throws {InputError} If the request is invalid; the error says how to correct it.
   */
  readonly plan?: (values: ValuesOf<D>, itemIndex: number) => Plan;
  /** Columns that rows of an item always have; see {@link Output.columns}. */
  readonly columns?: (place: ParameterSource) => readonly string[] | undefined;
  /**
   * Value of an item that its rows show as `input`, because what was sent can differ from it; undefined
   * for an item that does not show it.
   */
  readonly inputOf?: (place: ParameterSource) => unknown;
  /** Fields that identify an item whose result was not found. */
  readonly requestFieldsOf?: (plan: NoInfer<Plan>) => IDataObject;
  /**
   * Sends the requests of a plan. Items with equal plans share one call.
   *
   * @returns The outputs; an object becomes one item.
   */
  readonly execute: (plan: NoInfer<Plan>, session: OperationContext) => Promise<Row | Output[]>;
}

/** The request of an item. */
interface ItemRequest<Plan> {
  readonly plan: Plan;
  readonly ifNotFound: IfNotFound;
}

const NO_RESULTS = 'No results: the service has nothing that matches.';

/** Creates an operation of a node that has several; see {@link forEachItem}. */
export function perItem<D extends Declared, Plan = ValuesOf<D>>(
  operation: PerItem<D, Plan> & Pick<Operation, 'option' | 'returns'>,
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
export function forEachItem<D extends Declared, Plan = ValuesOf<D>>(
  operation: PerItem<D, Plan>,
): Pick<Operation, 'properties' | 'execute'> {
  return {
    properties: Object.values(operation.parameters).flatMap(({ properties }) => properties),
    execute: async (context) => await executeEach(context, operation),
  };
}

async function executeEach<D extends Declared, Plan>(
  context: IExecuteFunctions,
  operation: PerItem<D, Plan>,
): Promise<INodeExecutionData[][]> {
  const { parameters } = operation;
  const { identifier, partner_domain } = parameters;
  const rows = readItems<ItemRequest<Plan>>(context, (itemIndex) => {
    try {
      const request = toItemRequest(context, operation, itemIndex);
      return { key: JSON.stringify(request), request };
    } catch (error) {
      const place = createItemSource(context, itemIndex);
      const namesNone =
        identifier !== undefined && tryRead(() => identifier.read(place)) === undefined;
      return { ...toFailure(toError(error)), namesNone };
    }
  });
  const [company] = (identifier ?? partner_domain)?.properties ?? [];
  if (rows.tasks.length === 1 && company !== undefined) {
    context.addExecutionHints(...warnAboutFixedText(context, company));
  }
  const choices = readRunOptions(context, parameters);
  const run = rows.tasks.length === 0 ? undefined : await openRun(context, choices);
  if (run !== undefined) await new ItemRun(context, operation, run).all(rows.tasks);
  // For a run without results; rows with a result have their own columns.
  const columns = tryRead(() => operation.columns?.(createItemSource(context, 0)));
  const itemOptions = { ...RESULT_ONLY, ...choices, before: run?.stats, columns };
  const { inputOf } = operation;
  const outcomes = toOutcomes(rows).map((outcome, itemIndex) => {
    const input = inputOf && tryRead(() => inputOf(createItemSource(context, itemIndex)));
    return input === undefined ? outcome : showInput(outcome, toText(input));
  });
  if (run !== undefined && choices.maxCredits !== undefined) {
    context.addExecutionHints(formatRunStats(run.stats, parameters));
  }
  const items = toItems(context, outcomes, { ...itemOptions, owns: isEnrichmentColumn });
  if (run !== undefined && items.length === 0) context.addExecutionHints(createHint(NO_RESULTS));
  return [items];
}

function showInput(outcome: Outcome, input: string): Outcome {
  const outputs = outcome.outputs.map(({ json, columns, ...output }) => ({
    ...output,
    json: { input, ...json },
    columns: columns && ['input', ...columns],
  }));
  return { ...outcome, outputs };
}

/** Reads a value of an item; returns undefined if it cannot be read, because the item has then failed. */
function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function toItemRequest<D extends Declared, Plan>(
  context: IExecuteFunctions,
  { parameters, plan }: Pick<PerItem<D, Plan>, 'parameters' | 'plan'>,
  itemIndex: number,
): ItemRequest<Plan> {
  const values = readParameterValues(parameters, createItemSource(context, itemIndex));
  const { options } = values as { options?: { ifNotFound?: IfNotFound } };
  return {
    // If the operation has no `plan`, the values are the plan.
    plan: plan === undefined ? (values as unknown as Plan) : plan(values, itemIndex),
    ifNotFound: options?.ifNotFound ?? 'error',
  };
}

/** The requests of one run: tasks in parallel, each handled separately. */
class ItemRun<D extends Declared, Plan> {
  private readonly inTurn = createSequentialQueue();
  private readonly reads = new Map<string, Promise<unknown>>();
  private readonly shared: OperationContext['shared'] = async <T>(
    what: string,
    read: () => Promise<T>,
  ) => {
    const result = this.reads.get(what) ?? read();
    this.reads.set(what, result);
    return (await result) as T;
  };

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly operation: PerItem<D, Plan>,
    private readonly run: Run,
  ) {}

  /** Runs all tasks, and sets their outcomes. */
  async all(tasks: ReadonlyArray<Task<ItemRequest<Plan>>>): Promise<void> {
    const { run, operation } = this;
    await mapInParallel(tasks, async (task) => {
      try {
        run.breaker.assertClosed();
        task.outcome = { outputs: await this.request(task) };
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        task.outcome = this.failedWith(error, task.request.plan);
      }
    });
    // Of a list, a request reads only a page.
    const isList = 'wanted' in operation.parameters;
    stateWholeNeed(tasks, (unread, { requested = NaN }) =>
      isList || Number.isNaN(requested) ? undefined : unread.length * requested,
    );
  }

  private failedWith(error: unknown, plan: Plan): Outcome {
    const { failure, part } =
      error instanceof PartialFailure ? error : { failure: toError(error), part: {} };
    this.run.breaker.recordItemFailure(failure);
    const fields = this.operation.requestFieldsOf?.(plan) ?? {};
    if (failure instanceof SkippedError) return toSkipped(failure, fields);
    const { identifier } = fields;
    // A slug cannot be compared with the domain that the row held before.
    const domain = typeof identifier === 'string' && identifier.includes('.') ? identifier : null;
    return { ...toFailure(withCreditAdvice(failure, this.operation.parameters), domain), ...part };
  }

  private async request({ request, itemIndex }: Task<ItemRequest<Plan>>): Promise<Output[]> {
    const { context, run, inTurn, shared, operation } = this;
    const { plan, ifNotFound } = request;
    const once: OperationContext['once'] = async (change, how) =>
      await runOnce(context, itemIndex, JSON.stringify(plan), change, how);
    const session = { context, run, itemIndex, inTurn, shared, once };
    return await withNotFound(ifNotFound, operation.requestFieldsOf?.(plan) ?? {}, async () =>
      toOutputs(await operation.execute(plan, session)),
    );
  }
}

function toOutputs(result: Row | Output[]): Output[] {
  return Array.isArray(result) ? result : [{ json: result as IDataObject }];
}
