import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import { isRow } from '../../run/answers/rows';
import { CreditGuard } from '../../run/credit-guard';
import type { Run } from '../../run/run';
import { asError, failureJson } from '../failures';
import { hint } from '../figures';
import { whyNotParked, workflowSettingsOf } from '../n8n-versions';
import { openRun } from '../open-run';
import type { Runnable } from '../operation';
import {
  fromReadJson,
  readCrawled,
  resultItems,
  tellCost,
  toReadJson,
  type ReadJson,
} from './results';
import { giveUp, isOver, nextDelay, pollRound, type WaitPlan, type WaitState } from './wait-state';
import { BEGIN, pollingWorkflow, STEPS, waitingWorkflow } from './waiting-workflow';

/** n8n keeps shorter waits in memory only (its Wait node: below 65 seconds). */
const SHORTEST_PARK_MS = 66_000;

/** How often polling is begun again after the n8n process that polled has died. */
const MOST_LOSSES = 3;

/** What the node does in the two small workflows; not in its list of operations. */
export const durableSteps: readonly Runnable[] = [
  { option: { value: STEPS.rounds }, execute: rounds },
  { option: { value: STEPS.poll }, execute: poll },
  { option: { value: STEPS.read }, execute: read },
  { option: { value: STEPS.results }, execute: results },
];

/** Executions that n8n goes on with after a restart. Manual ones are only in the editor's hands. */
const RESUMED_MODES = new Set(['trigger', 'webhook', 'integrated', 'retry', 'error']);

/** What goes from one step to the next, on one item. */
interface Round extends IDataObject {
  state: WaitState;
  wait_seconds: number;
  over: boolean;
  /** The companies that were read when all was over; nothing is done before. */
  done?: true;
  read?: ReadJson;
}

/** What a small workflow begins with. */
interface Beginning extends Round {
  plan: WaitPlan & IDataObject;
  parent_execution_id: string;
}

/**
 * Parks the execution until all jobs are over, or waiting ends, where n8n can do that.
 *
 * @returns nothing of interest, because n8n puts the items of the step Results in its place; undefined
 * where the wait has to go on in the execution.
 * @throws {CancelledError} when the run is stopped.
 */
export async function park(
  context: IExecuteFunctions,
  run: Run,
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[][] | undefined> {
  if (state.give_up_at - Date.now() < SHORTEST_PARK_MS || !canPark(context)) return undefined;
  const obstacle = whyNotParked(plan.onError === 'stop');
  if (obstacle !== undefined) {
    tellNotParked(context, obstacle);
    return undefined;
  }
  try {
    const parked = await beginWaiting(context, plan, state);
    tellCost(context, run, 0);
    return parked;
  } catch (error) {
    if (run.signal?.aborted === true) throw error;
    // The jobs run already: whatever keeps n8n from parking must not cost their results.
    tellNotParked(context, asError(error).message);
    return undefined;
  }
}

function tellNotParked(context: IExecuteFunctions, why: string): void {
  const told = `This wait could not be saved (${why}), so it went on in the execution; a restart of n8n would have ended it.`;
  context.addExecutionHints(hint(told, 'warning'));
}

/** Whether n8n can park this execution. */
function canPark(context: IExecuteFunctions): boolean {
  return RESUMED_MODES.has(context.getMode()) && context.getWorkflow().id !== undefined;
}

async function beginWaiting(
  context: IExecuteFunctions,
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[][]> {
  const beginning: Beginning = {
    ...roundOf(state),
    plan: { ...plan },
    parent_execution_id: context.getExecutionId(),
  };
  const items = [{ json: beginning }, ...context.getInputData()];
  return await runSmall(context, waitingWorkflow, items, []);
}

/**
 * Runs a small workflow, which parks, and with it this execution.
 *
 * @param meanwhile what the node gives while it is parked.
 */
async function runSmall(
  context: IExecuteFunctions,
  workflow: typeof waitingWorkflow,
  items: INodeExecutionData[],
  meanwhile: INodeExecutionData[],
): Promise<INodeExecutionData[][]> {
  const workflowId = context.getWorkflow().id ?? '';
  const { data, waitTill } = await context.executeWorkflow(
    { code: workflow(context.getNode(), workflowId, workflowSettingsOf(context)) },
    items,
    undefined,
    {
      parentExecution: { executionId: context.getExecutionId(), workflowId, shouldResume: true },
      executionMode: context.getMode(),
    },
  );
  return [waitTill ? meanwhile : (data[0] ?? [])];
}

/**
 * The step Rounds: hands the wait to a workflow that polls. It runs again when that one has died with
 * the process that ran it; the wait begins again then where it was last known to stand.
 */
async function rounds(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const begun = beginningOf(context);
  const [left] = context.getInputData();
  let state = isRow(left?.json.state) ? (left.json.state as WaitState) : begun.state;
  const losses = context.getWorkflowDataProxy(0).$runIndex as number;
  if (losses > MOST_LOSSES) {
    const lost = roundOf(giveUp(state, failureJson(waitLost())));
    return [[{ json: { ...lost, done: true } }]];
  }
  if (losses > 0) {
    // A look at the jobs has to fit in, however long the dead process was taken for alive.
    const lookAt = Date.now() + Math.max(SHORTEST_PARK_MS, state.retry_after_ms) + 1000;
    state = { ...state, give_up_at: Math.max(state.give_up_at, lookAt) };
  }
  const beginning: Beginning = { ...begun, ...roundOf(state) };
  return await runSmall(context, pollingWorkflow, [{ json: beginning }], ifLost(context, begun));
}

/**
 * What comes out if no step runs any more: n8n may take the items with which the workflow was parked
 * for its output.
 */
function ifLost(context: IExecuteFunctions, { plan, state }: Beginning): INodeExecutionData[] {
  // Nothing can stop the workflow then.
  const onError = plan.onError === 'stop' ? 'continueErrorOutput' : plan.onError;
  const lost = giveUp(state, failureJson(waitLost()));
  return resultItems(context, begunWith(context).slice(1), { ...plan, onError }, lost);
}

function waitLost(): ServiceError {
  return new ServiceError({
    code: 'wait_lost',
    message: 'The wait was lost, because the n8n process that looked after the job ended',
    hint: 'What the job did is not known here.',
  });
}

/**
 * The step Poll: one round, unless the workflow that waits was stopped or deleted. It ends quietly
 * then, with no item. Before the first wait nothing is asked; that was done just before.
 */
async function poll(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan, parent_execution_id: parentId, ...begun } = beginningOf(context);
  if (context.getInputSourceData().previousNode === BEGIN) return [[{ json: begun }]];
  if (!(await isStillWaiting(context, parentId))) return [[]];
  const next = await nextState(context, plan, roundIn(context).state);
  return [[{ json: roundOf(next), pairedItem: { item: 0 } }]];
}

async function nextState(
  context: IExecuteFunctions,
  plan: WaitPlan,
  state: WaitState,
): Promise<WaitState> {
  try {
    return await pollRound(await openRun(context, plan), state);
  } catch (error) {
    // Such as a credential that was deleted meanwhile. Thrown, n8n would make one item of all rows.
    if (error instanceof CancelledError) throw error;
    return giveUp(state, failureJson(asError(error)));
  }
}

/** The step Read: reads the companies that were crawled, where that is wanted. */
async function read(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan } = beginningOf(context);
  const round = roundIn(context);
  const credits = new CreditGuard(plan.creditsLeft ?? undefined);
  const run = await openRun(context, plan, credits).catch(asError);
  const after = await readCrawled(context, run, plan, round.state);
  return [[{ json: { ...round, done: true, read: toReadJson(after) } }]];
}

/** The step Results: what the node gives when waiting is over. */
function results(context: IExecuteFunctions): INodeExecutionData[][] {
  const { plan } = beginningOf(context);
  const { state, read: after } = roundIn(context);
  const read = after === undefined ? {} : fromReadJson(after);
  return [resultItems(context, begunWith(context).slice(1), plan, state, read)];
}

function roundIn(context: IExecuteFunctions): Round {
  return context.getInputData()[0]?.json as Round;
}

function roundOf(state: WaitState): Round {
  const delayMs = nextDelay(state, Date.now(), SHORTEST_PARK_MS, Math.random());
  return {
    state,
    wait_seconds: Math.ceil((delayMs ?? 0) / 1000),
    over: isOver(state) || delayMs === undefined,
  };
}

/** The first item holds what a small workflow began with, the others are the node's input items. */
function begunWith(context: IExecuteFunctions): INodeExecutionData[] {
  const own = context.getNode();
  if (context.getParentNodes(own.name).some(({ name }) => name === BEGIN)) {
    return context.getWorkflowDataProxy(0).$items(BEGIN);
  }
  throw new NodeOperationError(own, 'This operation is a step of a durable wait only', {
    description: 'Choose one of the operations in the list.',
  });
}

function beginningOf(context: IExecuteFunctions): Beginning {
  return begunWith(context)[0]?.json as Beginning;
}

/** A parked execution that was stopped carries the reason; one that was deleted is gone. */
async function isStillWaiting(context: IExecuteFunctions, executionId: string): Promise<boolean> {
  const data = await context.getExecutionDataById(executionId);
  return data !== undefined && data.resultData.error === undefined;
}
