import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CancelledError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { eachItsOwn, type Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { asError, errorItem, onErrorOf, throwFirstFailure } from '../failures';
import { outputFor } from '../agents';
import { warnOfFixed } from '../bulk/each-item';
import { readEach, type Failure } from '../bulk/items';
import { RowForm, type RowOutput } from '../bulk/row-form';
import { advised } from '../credit-advice';
import { figuresHint, recordFigures } from '../figures';
import { once } from '../once';
import { openRun } from '../open-run';
import { onlyFor, type Operation } from '../operation';
import { placeOf, valuesIn, type Declared, type ValuesOf } from '../parameters/declare';
import { readRunChoices } from '../parameters/for-run';
import { ItemParameters } from '../parameters/item-parameters';
import { orNotFound, type IfNotFound } from './not-found';
import { FailedMidway, type Output, type Session } from './session';

/** An operation that does something for each input item by itself. */
export interface PerItem<D extends Declared, Plan> {
  /** Under the names that `plan`, or else the other functions, get them by. */
  readonly parameters: D;
  /**
   * What an item asks for, where that is not just the values of its parameters. Nothing is sent before
   * every item has been read.
   *
   * @throws {InputError} that says what is wrong and how to correct it.
   */
  readonly plan?: (values: ValuesOf<D>, itemIndex: number) => Plan;
  /**
   * Looks a plan over by what the service says. Nothing is asked before this is done for every item.
   *
   * @throws {InputError} that says what is wrong and how to correct it.
   */
  readonly check?: (plan: NoInfer<Plan>, session: Session) => Promise<unknown>;
  /** What was asked for, to tell items apart that were not found. */
  readonly asked?: (plan: NoInfer<Plan>) => IDataObject;
  /**
   * Said by an operation that changes something: it is done once for each plan, whatever n8n repeats.
   * What is `repeatable` may be tried again after a failure that the service names, because doing it
   * twice does no harm.
   */
  readonly changes?: 'once' | 'repeatable' | ((plan: NoInfer<Plan>) => boolean);
  /**
   * Sends what the plan needs. Items with equal plans share one call of it.
   *
   * @returns what comes out; an object becomes one item.
   */
  readonly ask: (plan: NoInfer<Plan>, session: Session) => Promise<Row | Output[]>;
}

/** Either a value, or why there is none. */
type Attempt<T> = { readonly value: T } | Failed;
type Failed = Pick<Failure, 'failure'> & { readonly part?: FailedMidway['part'] };

/** What one item asks for. */
interface Task<Plan> {
  readonly plan: Plan;
  readonly ifNotFound: IfNotFound;
  /** The first item that asks for it. */
  readonly itemIndex: number;
}

/** Makes an operation of a node that has several; see {@link forEachItem}. */
export function perItem<D extends Declared, Plan = ValuesOf<D>>(
  operation: PerItem<D, Plan> & Pick<Operation, 'option'>,
): Operation {
  const { option } = operation;
  const { properties, execute } = forEachItem(operation);
  return { option, properties: onlyFor(String(option.value), properties), execute };
}

/**
 * Does something for each input item: items in parallel under the limiter, output in input order, each
 * output item paired with the input item it came from, equal questions asked once, failures as the
 * user chose under On Error.
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
  const onError = onErrorOf(context);
  const reads = readEach(context, (itemIndex) => taskOf(context, operation, itemIndex));
  const { tasks, indexes } = distinct(reads);
  const { identifier, partner_domain } = operation.parameters;
  const [company] = (identifier ?? partner_domain)?.properties ?? [];
  if (tasks.length === 1 && company !== undefined) {
    context.addExecutionHints(...warnOfFixed(context, company));
  }
  const limits = readRunChoices(context, operation.parameters);
  const run = tasks.length === 0 ? undefined : await openRun(context, limits);
  const results = run === undefined ? [] : await carryOut(context, operation, tasks, run);
  const outcomes = reads.map((read, index): Attempt<Output[]> => {
    if ('failure' in read) return read;
    return results[indexes[index] ?? -1] ?? { value: [] };
  });
  throwFirstFailure(context, outcomes, { before: run?.figures });
  const own = eachItsOwn();
  const form = formOf(context, operation);
  const inputs = context.getInputData();
  const items = outcomes.flatMap((outcome, itemIndex): INodeExecutionData[] => {
    const input = inputs[itemIndex];
    const itemsOf = (outputs: Output[]) =>
      own(outputs).map((output) =>
        form === undefined
          ? { ...output, pairedItem: { item: itemIndex } }
          : form.itemOf(input, output.json, itemIndex),
      );
    if ('value' in outcome) return itemsOf(outcome.value);
    const { failure, part = {} } = outcome;
    return [
      ...itemsOf(part.outputs ?? []),
      form === undefined
        ? errorItem(failure, itemIndex, structuredClone(part.binary))
        : form.failedItemOf(input, failure, itemIndex, onError),
    ];
  });
  if (form !== undefined) context.addExecutionHints(...form.hints());
  if (run !== undefined && limits.maxCredits !== undefined) {
    context.addExecutionHints(figuresHint(run.figures, 'wanted' in operation.parameters));
    recordFigures(context, run.figures, items.length);
  }
  return [items];
}

/** How results come beside the fields of their items; undefined where they come alone. */
function formOf<D extends Declared, Plan>(
  context: IExecuteFunctions,
  { parameters }: PerItem<D, Plan>,
): RowForm | undefined {
  const choices = readRunChoices(context, parameters);
  if (!('output' in choices)) return undefined;
  return new RowForm(outputFor(context, choices as RowOutput));
}

function taskOf<D extends Declared, Plan>(
  context: IExecuteFunctions,
  { parameters, plan }: PerItem<D, Plan>,
  itemIndex: number,
): Task<Plan> {
  const values = valuesIn(parameters, placeOf(new ItemParameters(context, itemIndex)));
  const { options } = values as { options?: { ifNotFound?: IfNotFound } };
  return {
    // Without a plan of its own, the values are the plan.
    plan: plan === undefined ? (values as unknown as Plan) : plan(values, itemIndex),
    ifNotFound: options?.ifNotFound ?? 'error',
    itemIndex,
  };
}

async function carryOut<D extends Declared, Plan>(
  context: IExecuteFunctions,
  operation: PerItem<D, Plan>,
  tasks: ReadonlyArray<Task<Plan>>,
  run: Run,
): Promise<Array<Attempt<Output[]>>> {
  const inTurn = takingTurns();
  const shared = sharing();
  const forEach = async <T>(
    act: (task: Task<Plan>, session: Session, index: number) => Promise<T>,
  ): Promise<Array<Attempt<T>>> =>
    await inParallel(tasks, async (task, index) => {
      try {
        const session = { context, run, itemIndex: task.itemIndex, inTurn, shared };
        return { value: await act(task, session, index) };
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        const { failure, part } =
          error instanceof FailedMidway ? error : { failure: asError(error), part: {} };
        run.brake.failed(failure);
        return { failure: advised(failure, operation.parameters), part };
      }
    });
  const { check, asked } = operation;
  const checks =
    check === undefined ? [] : await forEach(async ({ plan }, session) => check(plan, session));
  return await forEach(async ({ plan, ifNotFound }, session, index) => {
    const checked = checks[index];
    if (checked !== undefined && 'failure' in checked) throw checked.failure;
    run.brake.check();
    return await orNotFound(ifNotFound, asked?.(plan) ?? {}, async () =>
      outputsOf(await changing(operation, plan, session)),
    );
  });
}

/** Asks; where that changes something, once. */
async function changing<D extends Declared, Plan>(
  { changes, ask }: PerItem<D, Plan>,
  plan: Plan,
  session: Session,
): Promise<Row | Output[]> {
  const act = async () => await ask(plan, session);
  const once_ = typeof changes === 'function' ? changes(plan) : changes !== undefined;
  if (!once_) return await act();
  const { context, itemIndex } = session;
  return await once(context, itemIndex, JSON.stringify(plan), act, {
    repeatable: changes === 'repeatable',
  });
}

function outputsOf(answer: Row | Output[]): Output[] {
  return Array.isArray(answer) ? answer : [{ json: answer as IDataObject }];
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

/** Equal tasks are one; `indexes` says for each item which. */
function distinct<Plan>(reads: ReadonlyArray<Task<Plan> | Failure>): {
  tasks: Array<Task<Plan>>;
  indexes: number[];
} {
  const known = new Map<string, number>();
  const tasks: Array<Task<Plan>> = [];
  const indexes = reads.map((read) => {
    if ('failure' in read) return -1;
    const key = JSON.stringify([read.plan, read.ifNotFound]);
    const task = known.get(key) ?? tasks.push(read) - 1;
    known.set(key, task);
    return task;
  });
  return { tasks, indexes };
}
