import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import type { Run } from '../../run/run';
import { asError, errorItem, FailedMidway, onErrorOf, throwFirstFailure } from '../failures';
import { openRun } from '../open-run';
import { ItemParameters } from './parameters';
import { guardOf, readRunOptions, timingOf } from '../run-options';

/** What comes out for an input item; pairing is added to it. */
export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
}

/** What an operation needs to send its requests. */
export interface Session {
  readonly context: IExecuteFunctions;
  /** All that is sent goes through it. */
  readonly run: Run;
  /** The first input item that asks for this. */
  readonly itemIndex: number;
  /**
   * For what needs much memory, or touches what other items touch: of all the items' works given to it
   * one at a time is carried out.
   */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Reads what several items need: the first of them asks, all get the answer. */
  readonly shared: <T>(what: string, ask: () => Promise<T>) => Promise<T>;
}

/** An operation that does something for each input item by itself. */
export interface PerItem<Plan> {
  /**
   * Reads and checks an item's parameters. Nothing is sent before every item has been read.
   *
   * @throws {InputError} that says what is wrong and how to correct it.
   */
  readonly plan: (parameters: ItemParameters) => Plan;
  /**
   * Looks a plan over by what the service says. Nothing is asked before this is done for every item.
   *
   * @throws {InputError} that says what is wrong and how to correct it.
   */
  readonly check?: (plan: Plan, session: Session) => Promise<unknown>;
  /** Sends what the plan needs. Items with equal plans share one call of it. */
  readonly ask: (plan: Plan, session: Session) => Promise<Output[]>;
}

/** Either a value, or why there is none. */
type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Error; readonly binary?: IBinaryKeyData | undefined };

/** Items with the same plan, which is carried out once for all of them. */
interface Task<Plan> {
  readonly plan: Plan;
  readonly itemIndex: number;
}

/**
 * Makes an operation's `execute`: items in parallel under the limiter, output in input order, each
 * output item paired with the input item it came from, equal questions asked once, failures as the
 * user chose under On Error.
 */
export function perItem<Plan>(
  operation: PerItem<Plan>,
): (context: IExecuteFunctions) => Promise<INodeExecutionData[][]> {
  return async (context) => {
    const onError = onErrorOf(context);
    const plans = context
      .getInputData()
      .map((_item, index) => attempt(() => operation.plan(new ItemParameters(context, index))));
    if (onError === 'stop') throwFirstFailure(context, plans.map(failureOf));
    const { tasks, taskOf } = distinct(plans);
    const results = await carryOut(context, operation, tasks);
    const outcomes = plans.map((plan, index): Attempt<Output[]> => {
      if (!plan.ok) return plan;
      return results[taskOf[index] ?? -1] ?? { ok: true, value: [] };
    });
    if (onError === 'stop') throwFirstFailure(context, outcomes.map(failureOf));
    const used = new Set<Output[]>();
    return [
      outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
        if (!outcome.ok) {
          return [errorItem(outcome.failure, itemIndex, structuredClone(outcome.binary))];
        }
        // Items that share an answer must not share objects that a later node may change.
        const outputs = used.has(outcome.value) ? structuredClone(outcome.value) : outcome.value;
        used.add(outcome.value);
        return outputs.map((output) => ({ ...output, pairedItem: { item: itemIndex } }));
      }),
    ];
  };
}

async function carryOut<Plan>(
  context: IExecuteFunctions,
  operation: PerItem<Plan>,
  tasks: ReadonlyArray<Task<Plan>>,
): Promise<Array<Attempt<Output[]>>> {
  if (tasks.length === 0) return [];
  const runOptions = readRunOptions(context);
  const run = await openRun(context, {
    timing: timingOf(runOptions),
    credits: guardOf(runOptions),
  });
  const inTurn = takingTurns();
  const shared = sharing();
  const forEach = async <T>(
    act: (plan: Plan, session: Session, index: number) => Promise<T>,
  ): Promise<Array<Attempt<T>>> =>
    await inParallel(tasks, async ({ plan, itemIndex }, index) => {
      try {
        const session = { context, run, itemIndex, inTurn, shared };
        return { ok: true, value: await act(plan, session, index) };
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        const { failure, binary } =
          error instanceof FailedMidway ? error : { failure: asError(error), binary: undefined };
        run.brake.failed(failure);
        return { ok: false, failure, binary };
      }
    });
  const checks = operation.check === undefined ? [] : await forEach(operation.check);
  return await forEach(async (plan, session, index) => {
    const check = checks[index];
    if (check?.ok === false) throw check.failure;
    run.brake.check();
    return await operation.ask(plan, session);
  });
}

/** See {@link Session.inTurn}. */
function takingTurns(): Session['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return await own;
  };
}

/** See {@link Session.shared}. */
function sharing(): Session['shared'] {
  const answers = new Map<string, Promise<unknown>>();
  return async <T>(what: string, ask: () => Promise<T>) => {
    const answer = answers.get(what) ?? ask();
    answers.set(what, answer);
    return (await answer) as T;
  };
}

function distinct<Plan>(plans: ReadonlyArray<Attempt<Plan>>): {
  tasks: Array<Task<Plan>>;
  taskOf: number[];
} {
  const known = new Map<string, number>();
  const tasks: Array<Task<Plan>> = [];
  const taskOf = plans.map((plan, itemIndex) => {
    if (!plan.ok) return -1;
    const key = JSON.stringify(plan.value);
    const task = known.get(key) ?? tasks.push({ plan: plan.value, itemIndex }) - 1;
    known.set(key, task);
    return task;
  });
  return { tasks, taskOf };
}

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, failure: asError(error) };
  }
}

function failureOf(one: Attempt<unknown>): Error | undefined {
  return one.ok ? undefined : one.failure;
}
