import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import { CreditGuard } from '../../run/credit-guard';
import type { Run } from '../../run/run';
import { asError, failureJson } from '../failures';
import { hint } from '../figures';
import { whyNotParked, workflowSettingsOf } from '../n8n-versions';
import { openRun } from '../open-run';
import type { Runnable } from '../operation';
import { finish, resultItems, tellCost } from './results';
import { giveUp, isOver, nextDelay, pollRound, type WaitPlan, type WaitState } from './wait-state';
import { BEGIN, IF_LOST, POLL, STEPS, waitingWorkflow } from './waiting-workflow';

/** n8n keeps shorter waits in memory only (its Wait node: below 65 seconds). */
const SHORTEST_PARK_MS = 66_000;

/** What the node does in the small workflow; not in its list of operations. */
export const durableSteps: readonly Runnable[] = [
  { option: { value: STEPS.poll }, execute: poll },
  { option: { value: STEPS.ifLost }, execute: ifLost },
  { option: { value: STEPS.results }, execute: results },
];

/** Executions that n8n goes on with after a restart. Manual ones are only in the editor's hands. */
const RESUMED_MODES = new Set(['trigger', 'webhook', 'integrated', 'retry', 'error']);

/** What goes from one step to the next, on one item. */
interface Round extends IDataObject {
  state: WaitState;
  wait_seconds: number;
  over: boolean;
}

/** What the small workflow begins with, beside the input items. */
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
  const workflowId = context.getWorkflow().id ?? '';
  const executionId = context.getExecutionId();
  const beginning: Beginning = {
    ...roundOf(state),
    plan: { ...plan },
    parent_execution_id: executionId,
  };
  const { data, waitTill } = await context.executeWorkflow(
    { code: waitingWorkflow(context.getNode(), workflowId, workflowSettingsOf(context)) },
    [{ json: beginning }, ...context.getInputData()],
    undefined,
    {
      parentExecution: { executionId, workflowId, shouldResume: true },
      executionMode: context.getMode(),
    },
  );
  return [waitTill ? [] : (data[0] ?? [])];
}

/**
 * The step Poll: one round, unless the workflow that waits was stopped or deleted. It ends quietly
 * then, with no item. Before the first wait nothing is asked; that was done just before.
 */
async function poll(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan, parent_execution_id: parentId, ...begun } = beginningOf(context);
  if (context.getInputSourceData().previousNode === BEGIN) return [[{ json: begun }]];
  if (!(await isStillWaiting(context, parentId))) return [[]];
  const [last] = lastItemsOf(context, POLL) ?? [{ json: begun }];
  const { state } = last?.json as Round;
  const next = await nextState(context, plan, state);
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

/**
 * The step If Lost: what the node should give if no step runs any more. Those are the same items in
 * every round, so that n8n stores them once.
 */
function ifLost(context: IExecuteFunctions): INodeExecutionData[][] {
  const { plan, state } = beginningOf(context);
  const already = lastItemsOf(context, IF_LOST);
  if (already !== undefined) return [already];
  // Nothing can stop the workflow then.
  const onError = plan.onError === 'stop' ? 'continueErrorOutput' : plan.onError;
  const lost = giveUp(state, failureJson(waitLost()));
  return [resultItems(context, begunWith(context).slice(1), { ...plan, onError }, lost)];
}

function waitLost(): ServiceError {
  return new ServiceError({
    code: 'wait_lost',
    message: 'The wait was lost, because the n8n process that looked after the job ended',
    hint: 'What the job did is not known here.',
  });
}

/** The step Results: what the node gives when waiting is over. */
async function results(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan } = beginningOf(context);
  const { state } = context.getInputData()[0]?.json as Round;
  const credits = new CreditGuard(plan.creditsLeft ?? undefined);
  const run = await openRun(context, plan, credits).catch(asError);
  return [await finish(context, run, begunWith(context).slice(1), plan, state)];
}

function roundOf(state: WaitState): Round {
  const delayMs = nextDelay(state, Date.now(), SHORTEST_PARK_MS, Math.random());
  return {
    state,
    wait_seconds: Math.ceil((delayMs ?? 0) / 1000),
    over: isOver(state) || delayMs === undefined,
  };
}

/** What a step gave when it ran last; undefined before. */
function lastItemsOf(context: IExecuteFunctions, step: string): INodeExecutionData[] | undefined {
  const asked: AskedNodes = context.getWorkflowDataProxy(0);
  return asked.$(step).isExecuted ? asked.$items(step) : undefined;
}

/** What expressions may ask of other nodes; n8n's types leave it open. */
interface AskedNodes {
  $(name: string): { readonly isExecuted: boolean };
  $items(name: string): INodeExecutionData[];
}

/** The first item holds what the small workflow began with, the others are the node's input items. */
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
