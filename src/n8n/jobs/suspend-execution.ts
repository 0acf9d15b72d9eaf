import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import type { Run } from '../../run/run';
import { toError, toFailureJson } from '../failures';
import { createHint } from '../run-hints';
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
import { BEGIN_NODE, createWaitingWorkflow, ROUND_OPERATION } from './waiting-workflow';

/** n8n keeps shorter waits in memory only (its Wait node: below 65 seconds). */
const MIN_SUSPEND_MS = 66_000;

/** Hidden from the list of operations. */
export const durableRound: RunnableOperation = {
  option: { value: ROUND_OPERATION },
  execute: runRound,
};

/** n8n resumes these after a restart. Manual executions depend on the editor. */
const RESUMED_MODES = new Set(['trigger', 'webhook', 'integrated', 'retry', 'error']);

/** The only item of the inline workflow until it ends. */
interface Beginning extends IDataObject {
  plan: WaitPlan;
  state: WaitState;
  inputs: INodeExecutionData[];
  parent_execution_id: string;
}

/** Part of the inline execution, because n8n replaces the items of a suspended node with its input. */
interface RoundMemory {
  state?: WaitState;
  /** For the step Over? of the inline workflow. */
  over?: boolean;
}

/** Returns items that n8n replaces with those of the last round; undefined if n8n does not support it. */
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
  const { id: workflowId = '' } = context.getWorkflow();
  const executionId = context.getExecutionId();
  const inputs = context.getInputData();
  const beginning: Beginning = { plan, state, inputs, parent_execution_id: executionId };
  const { data, waitTill } = await context.executeWorkflow(
    { code: createWaitingWorkflow(context.getNode(), workflowId, getWorkflowSettings(context)) },
    [{ json: beginning }],
    undefined,
    {
      parentExecution: { executionId, workflowId, shouldResume: true },
      executionMode: context.getMode(),
    },
  );
  return [waitTill ? [] : (data[0] ?? [])];
}

/** Ends with no item if the execution that waits was stopped or deleted. */
async function runRound(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan, inputs, parent_execution_id: parentId, ...begun } = readBeginning(context);
  const memory = context.getContext('node') as RoundMemory;
  let { state } = begun;
  // The node has just polled when it begins to wait.
  if (memory.state !== undefined) {
    if (!(await isStillWaiting(context, parentId))) return [[]];
    state = await pollAgain(context, memory.state);
  }
  const delayMs = isWaitComplete(state)
    ? undefined
    : getNextDelay(state, Date.now(), MIN_SUSPEND_MS, Math.random());
  memory.state = state;
  memory.over = delayMs === undefined;
  if (delayMs === undefined) return [toResultItems(context, inputs, plan, state)];
  await context.putExecutionToWait(new Date(Date.now() + delayMs));
  // If this wait is lost, these items are the output, and nothing can stop the workflow.
  const onError = plan.onError === 'stop' ? 'continueErrorOutput' : plan.onError;
  const lost = abandonWait(state, toFailureJson(createWaitLostError()));
  return [toResultItems(context, inputs, { ...plan, onError }, lost)];
}

function createWaitLostError(): ServiceError {
  return new ServiceError({
    code: 'wait_lost',
    message: 'The wait was lost because the n8n process that polled the job ended',
    hint: 'The result of the job is unknown.',
  });
}

async function pollAgain(context: IExecuteFunctions, state: WaitState): Promise<WaitState> {
  try {
    return await pollJobs(await openRun(context, {}), state);
  } catch (error) {
    // For example, the credential was deleted. If thrown, n8n would make one item of all rows.
    if (error instanceof CancelledError) throw error;
    return abandonWait(state, toFailureJson(toError(error)));
  }
}

function readBeginning(context: IExecuteFunctions): Beginning {
  const own = context.getNode();
  if (context.getParentNodes(own.name).some(({ name }) => name === BEGIN_NODE)) {
    return context.getInputData()[0]?.json as Beginning;
  }
  const message = 'Only this node itself can use this operation, while it waits';
  throw new NodeOperationError(own, message, { description: 'Choose an operation from the list.' });
}

/** A suspended execution that was stopped would leave an error. */
async function isStillWaiting(context: IExecuteFunctions, executionId: string): Promise<boolean> {
  const data = await context.getExecutionDataById(executionId);
  return data !== undefined && data.resultData.error === undefined;
}
