import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import { isJsonObject } from '../../values/json';
import type { Run } from '../../run/run';
import { toError, toFailureJson } from '../failures';
import { createHint } from '../run-hints';
import { BEGIN_NODE } from '../inline-workflow';
import { getWorkflowSettings, findSuspendObstacle } from '../n8n-versions';
import { openRun } from '../open-run';
import type { RunnableOperation } from '../operation';
import { toResultItems } from './results';
import {
  abandonWait,
  isWaitComplete,
  getNextDelay,
  pollJobs,
  type WaitPlan,
  type WaitState,
} from './wait-state';
import { createPollingWorkflow, STEPS, createWaitingWorkflow } from './waiting-workflow';

/** n8n keeps shorter waits in memory only (its Wait node: below 65 seconds). */
const MIN_SUSPEND_MS = 66_000;

/** After the polling n8n process has died. */
const MAX_POLLING_RESTARTS = 3;

/** Hidden from the list of operations. */
export const durableSteps: readonly RunnableOperation[] = [
  { option: { value: STEPS.rounds }, execute: runRounds },
  { option: { value: STEPS.poll }, execute: runPoll },
  { option: { value: STEPS.results }, execute: runResults },
];

/** n8n resumes these after a restart. Manual executions depend on the editor. */
const RESUMED_MODES = new Set(['trigger', 'webhook', 'integrated', 'retry', 'error']);

/** From one step to the next, on one item. */
interface Round extends IDataObject {
  state: WaitState;
  wait_seconds: number;
  over: boolean;
}

interface Beginning extends Round {
  plan: WaitPlan & IDataObject;
  parent_execution_id: string;
}

/** Returns items that n8n replaces with those of the step Results; undefined if n8n does not support it. */
export async function suspendExecution(
  context: IExecuteFunctions,
  run: Run,
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[][] | undefined> {
  if (state.give_up_at - Date.now() < MIN_SUSPEND_MS || !canSuspend(context)) return undefined;
  const obstacle = findSuspendObstacle(plan.onError === 'stop');
  if (obstacle !== undefined) {
    warnNotSuspended(context, obstacle);
    return undefined;
  }
  try {
    return await beginWaiting(context, plan, state);
  } catch (error) {
    if (run.signal?.aborted === true) throw error;
    // The jobs already run, so a failure to suspend must not lose their results.
    warnNotSuspended(context, toError(error).message);
    return undefined;
  }
}

function warnNotSuspended(context: IExecuteFunctions, why: string): void {
  const message = `n8n couldn't save this wait (${why}). The execution waited in memory; a restart of n8n would have ended it.`;
  context.addExecutionHints(createHint(message, 'warning'));
}

function canSuspend(context: IExecuteFunctions): boolean {
  return RESUMED_MODES.has(context.getMode()) && context.getWorkflow().id !== undefined;
}

async function beginWaiting(
  context: IExecuteFunctions,
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[][]> {
  const beginning: Beginning = {
    ...toRound(state),
    plan: { ...plan },
    parent_execution_id: context.getExecutionId(),
  };
  const items = [{ json: beginning }, ...context.getInputData()];
  return await runInlineWorkflow(context, createWaitingWorkflow, items, []);
}

/** @param meanwhile Output of the node while it is suspended. */
async function runInlineWorkflow(
  context: IExecuteFunctions,
  workflow: typeof createWaitingWorkflow,
  items: INodeExecutionData[],
  meanwhile: INodeExecutionData[],
): Promise<INodeExecutionData[][]> {
  const workflowId = context.getWorkflow().id ?? '';
  const { data, waitTill } = await context.executeWorkflow(
    { code: workflow(context.getNode(), workflowId, getWorkflowSettings(context)) },
    items,
    undefined,
    {
      parentExecution: { executionId: context.getExecutionId(), workflowId, shouldResume: true },
      executionMode: context.getMode(),
    },
  );
  return [waitTill ? meanwhile : (data[0] ?? [])];
}

/** Runs again if the polling workflow died with its process; the wait continues from the last known state. */
async function runRounds(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const begun = readBeginning(context);
  const [left] = context.getInputData();
  let state = isJsonObject(left?.json.state) ? (left.json.state as WaitState) : begun.state;
  const losses = context.getWorkflowDataProxy(0).$runIndex as number;
  if (losses > MAX_POLLING_RESTARTS) {
    return [[{ json: toRound(abandonWait(state, toFailureJson(createWaitLostError()))) }]];
  }
  if (losses > 0) {
    // Leave time for at least one poll, however long it took to detect the dead process.
    const pollAt = Date.now() + Math.max(MIN_SUSPEND_MS, state.retry_after_ms) + 1000;
    state = { ...state, give_up_at: Math.max(state.give_up_at, pollAt) };
  }
  const beginning: Beginning = { ...begun, ...toRound(state) };
  return await runInlineWorkflow(
    context,
    createPollingWorkflow,
    [{ json: beginning }],
    toLostItems(context, begun),
  );
}

/** The output if no step runs again: n8n can use the items of the suspended workflow. */
function toLostItems(context: IExecuteFunctions, { plan, state }: Beginning): INodeExecutionData[] {
  // At that point, nothing can stop the workflow.
  const onError = plan.onError === 'stop' ? 'continueErrorOutput' : plan.onError;
  const lost = abandonWait(state, toFailureJson(createWaitLostError()));
  return toResultItems(context, readBeginningItems(context).slice(1), { ...plan, onError }, lost);
}

function createWaitLostError(): ServiceError {
  return new ServiceError({
    code: 'wait_lost',
    message: 'The wait was lost because the n8n process that polled the job ended',
    hint: 'The result of the job is unknown.',
  });
}

/** Ends with no item if the waiting workflow was stopped or deleted. The caller has just polled, before Begin. */
async function runPoll(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { parent_execution_id: parentId, state } = readBeginning(context);
  if (context.getInputSourceData().previousNode === BEGIN_NODE) return [[{ json: toRound(state) }]];
  if (!(await isStillWaiting(context, parentId))) return [[]];
  const next = await nextState(context, readRound(context).state);
  return [[{ json: toRound(next), pairedItem: { item: 0 } }]];
}

async function nextState(context: IExecuteFunctions, state: WaitState): Promise<WaitState> {
  try {
    return await pollJobs(await openRun(context, {}), state);
  } catch (error) {
    // For example, the credential was deleted. If thrown, n8n would make one item of all rows.
    if (error instanceof CancelledError) throw error;
    return abandonWait(state, toFailureJson(toError(error)));
  }
}

function runResults(context: IExecuteFunctions): INodeExecutionData[][] {
  const { plan } = readBeginning(context);
  const inputs = readBeginningItems(context).slice(1);
  return [toResultItems(context, inputs, plan, readRound(context).state)];
}

function readRound(context: IExecuteFunctions): Round {
  return context.getInputData()[0]?.json as Round;
}

function toRound(state: WaitState): Round {
  const delayMs = getNextDelay(state, Date.now(), MIN_SUSPEND_MS, Math.random());
  return {
    state,
    wait_seconds: Math.ceil((delayMs ?? 0) / 1000),
    over: isWaitComplete(state) || delayMs === undefined,
  };
}

/** Its state first, then the input items of the node. */
function readBeginningItems(context: IExecuteFunctions): INodeExecutionData[] {
  const own = context.getNode();
  if (context.getParentNodes(own.name).some(({ name }) => name === BEGIN_NODE)) {
    return context.getWorkflowDataProxy(0).$items(BEGIN_NODE);
  }
  const message = 'Only this node itself can use this operation, while it waits';
  throw new NodeOperationError(own, message, { description: 'Choose an operation from the list.' });
}

function readBeginning(context: IExecuteFunctions): Beginning {
  return readBeginningItems(context)[0]?.json as Beginning;
}

/** A suspended execution that was stopped would leave an error. */
async function isStillWaiting(context: IExecuteFunctions, executionId: string): Promise<boolean> {
  const data = await context.getExecutionDataById(executionId);
  return data !== undefined && data.resultData.error === undefined;
}
