import type {
  IBinaryKeyData,
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError, NotFoundError } from '../../client/errors';
import { inParallel } from '../../run/parallel';
import type { Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { takingTurns } from '../../taking-turns';
import { advised, figuresHint, recordFigures } from '../figures';
import { asError } from '../failures';
import { once } from '../once';
import { openRun } from '../open-run';
import { onlyFor, type Operation } from '../operation';
import {
  valuesIn,
  type Declared,
  type Parameter,
  type Place,
  type ValuesOf,
} from '../parameters/declare';
import { placeOf, readRunChoices, warnOfFixed } from '../parameters/read';
import { isOfEnrichment } from './own-columns';
import {
  failed,
  itemsOf,
  outcomesOf,
  readRows,
  RESULT_ALONE,
  type Outcome,
  type Output,
  type Task,
} from './rows';
import { sharing } from './sharing';

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

/** A failure that came after part of the result: that part comes out, and then the error item. */
export class FailedMidway extends Error {
  /** @param part what goes with the error item (its file), or comes out before it. */
  constructor(
    readonly failure: Error,
    readonly part: { readonly binary?: IBinaryKeyData | undefined; readonly outputs?: Output[] },
  ) {
    super(failure.message);
  }
}

/** An operation that does something for each input item by itself. */
export interface PerItem<D extends Declared, Plan, Checked = unknown> {
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
   * @returns what `ask` gets.
   * @throws {InputError} that says what is wrong and how to correct it.
   */
  readonly check?: (plan: NoInfer<Plan>, session: Session) => Promise<Checked>;
  /** Columns that rows of an item have in any case; see {@link Output.columns}. */
  readonly columns?: (place: Place) => readonly string[] | undefined;
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
  readonly ask: (
    plan: NoInfer<Plan>,
    session: Session,
    checked: NoInfer<Checked>,
  ) => Promise<Row | Output[]>;
}

/** What comes of something the service does not know: values of the option. */
type IfNotFound = 'error' | 'item';

/** What an item asks for. */
interface Ask<Plan> {
  readonly plan: Plan;
  readonly ifNotFound: IfNotFound;
}

/** Makes an operation of a node that has several; see {@link forEachItem}. */
export function perItem<D extends Declared, Plan = ValuesOf<D>, Checked = unknown>(
  operation: PerItem<D, Plan, Checked> & Pick<Operation, 'option' | 'returns'>,
): Operation {
  const { option, returns } = operation;
  const { properties, execute } = forEachItem(operation);
  return { option, returns, properties: onlyFor(String(option.value), properties), execute };
}

/**
 * Does something for each input item: items in parallel under the limiter, output in input order, each
 * output item paired with the input item it came from, equal questions asked once, failures as the
 * user chose under On Error.
 */
export function forEachItem<D extends Declared, Plan = ValuesOf<D>, Checked = unknown>(
  operation: PerItem<D, Plan, Checked>,
): Pick<Operation, 'properties' | 'execute'> {
  return {
    properties: Object.values(operation.parameters).flatMap(({ properties }) => properties),
    execute: async (context) => await executeEach(context, operation),
  };
}

async function executeEach<D extends Declared, Plan, Checked>(
  context: IExecuteFunctions,
  operation: PerItem<D, Plan, Checked>,
): Promise<INodeExecutionData[][]> {
  const { parameters } = operation;
  const { identifier, partner_domain } = parameters;
  const rows = readRows<Ask<Plan>>(context, (itemIndex) => {
    try {
      const ask = askOf(context, operation, itemIndex);
      return { key: JSON.stringify(ask), ask };
    } catch (error) {
      const namesNone = identifier !== undefined && !reads(identifier, placeOf(context, itemIndex));
      return { ...failed(asError(error)), namesNone };
    }
  });
  const [company] = (identifier ?? partner_domain)?.properties ?? [];
  if (rows.tasks.length === 1 && company !== undefined) {
    context.addExecutionHints(...warnOfFixed(context, company));
  }
  const choices = readRunChoices(context, parameters);
  const run = rows.tasks.length === 0 ? undefined : await openRun(context, choices);
  if (run !== undefined) await new Asking(context, operation, run).all(rows.tasks);
  const columns = columnsOfFirst(context, operation);
  const form = { ...RESULT_ALONE, ...choices, before: run?.figures, columns };
  const items = itemsOf(context, outcomesOf(rows), { ...form, owns: isOfEnrichment });
  if (run !== undefined && choices.maxCredits !== undefined) {
    context.addExecutionHints(figuresHint(run.figures, 'wanted' in parameters));
    recordFigures(context, run.figures, items.length);
  }
  return [items];
}

function reads({ read }: Parameter<unknown>, place: Place): boolean {
  try {
    read(place);
    return true;
  } catch {
    return false;
  }
}

/** Rows that were found say theirs; these are for the case that there are none. */
function columnsOfFirst<D extends Declared, Plan>(
  context: IExecuteFunctions,
  { columns }: Pick<PerItem<D, Plan>, 'columns'>,
): readonly string[] | undefined {
  try {
    return columns?.(placeOf(context, 0));
  } catch {
    // The item has failed by itself.
    return undefined;
  }
}

function askOf<D extends Declared, Plan>(
  context: IExecuteFunctions,
  { parameters, plan }: Pick<PerItem<D, Plan>, 'parameters' | 'plan'>,
  itemIndex: number,
): Ask<Plan> {
  const values = valuesIn(parameters, placeOf(context, itemIndex));
  const { options } = values as { options?: { ifNotFound?: IfNotFound } };
  return {
    // Without a plan of its own, the values are the plan.
    plan: plan === undefined ? (values as unknown as Plan) : plan(values, itemIndex),
    ifNotFound: options?.ifNotFound ?? 'error',
  };
}

/** The asking of one run: several tasks at once, each by itself. */
class Asking<D extends Declared, Plan, Checked> {
  private readonly inTurn = takingTurns();
  private readonly shared = sharing();

  constructor(
    private readonly context: IExecuteFunctions,
    private readonly operation: PerItem<D, Plan, Checked>,
    private readonly run: Run,
  ) {}

  /** Nothing is asked before everything has been checked. */
  async all(tasks: ReadonlyArray<Task<Ask<Plan>>>): Promise<void> {
    const { check } = this.operation;
    const checked = new Map<Ask<Plan>, Checked>();
    if (check !== undefined) {
      await this.forEach(tasks, async (ask, session) => {
        checked.set(ask, await check(ask.plan, session));
        return undefined;
      });
    }
    await this.forEach(tasks, async (ask, session) => {
      this.run.brake.check();
      return { outputs: await this.ask(ask, session, checked.get(ask) as Checked) };
    });
  }

  /** Settles what has not failed yet. */
  private async forEach(
    tasks: ReadonlyArray<Task<Ask<Plan>>>,
    act: (ask: Ask<Plan>, session: Session) => Promise<Outcome | undefined>,
  ): Promise<void> {
    const { context, run, inTurn, shared } = this;
    await inParallel(tasks, async (task) => {
      if (task.outcome !== undefined) return;
      try {
        const { itemIndex } = task;
        const outcome = await act(task.ask, { context, run, itemIndex, inTurn, shared });
        if (outcome !== undefined) task.outcome = outcome;
      } catch (error) {
        if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
        task.outcome = this.failedWith(error, task.ask.plan);
      }
    });
  }

  private failedWith(error: unknown, plan: Plan): Outcome {
    const { failure, part } =
      error instanceof FailedMidway ? error : { failure: asError(error), part: {} };
    this.run.brake.failed(failure);
    const asked = this.operation.asked?.(plan).identifier;
    // A slug does not say whether the row held another company before.
    const domain = typeof asked === 'string' && asked.includes('.') ? asked : null;
    return { ...failed(advised(failure, this.operation.parameters), domain), ...part };
  }

  /** Asks; where that changes something, once. */
  private async ask(
    { plan, ifNotFound }: Ask<Plan>,
    session: Session,
    checked: Checked,
  ): Promise<Output[]> {
    const { asked, ask, changes } = this.operation;
    const { context, itemIndex } = session;
    const act = async () => await ask(plan, session, checked);
    const isChange = typeof changes === 'function' ? changes(plan) : changes !== undefined;
    const how = { repeatable: changes === 'repeatable' };
    return await orNotFound(ifNotFound, asked?.(plan) ?? {}, async () =>
      outputsOf(
        isChange ? await once(context, itemIndex, JSON.stringify(plan), act, how) : await act(),
      ),
    );
  }
}

function outputsOf(answer: Row | Output[]): Output[] {
  return Array.isArray(answer) ? answer : [{ json: answer as IDataObject }];
}

/**
 * Turns "the service does not know it" into an item with `found: false`, when the user wants that;
 * what is found then says `found: true`. A 404 that may come from a wrong address stays an error.
 *
 * @param asked what was asked for, to tell the items apart.
 */
async function orNotFound(
  ifNotFound: IfNotFound,
  asked: IDataObject,
  ask: () => Promise<Output[]>,
): Promise<Output[]> {
  if (ifNotFound === 'error') return await ask();
  try {
    const outputs = await ask();
    return outputs.map((output) => ({ ...output, json: { found: true, ...output.json } }));
  } catch (error) {
    if (!(error instanceof NotFoundError) || !error.aboutAsked) throw error;
    return [{ json: { found: false, ...asked, reason: error.code, message: error.message } }];
  }
}
