import {
  NodeOperationError,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
} from 'n8n-workflow';

import { CancelledError } from '../../client/errors';
import type { Run } from '../../run/run';
import { toError, toFailureJson } from '../failures';
import { createHint } from '../run-hints';
import { getWorkflowSettings, findSuspendObstacle } from '../n8n-versions';
import { openRun } from '../open-run';
import type { RunnableOperation } from '../operation';
import { toResultItems } from './results';
import {
  changeOpenJobs,
  isWaitComplete,
  getNextDelay,
  pollJobs,
  type WaitPlan,
  type WaitState,
} from './wait-state';
import { BEGIN_NODE, createInlineWorkflow, STEPS } from './waiting-workflow';

/** n8n keeps shorter waits in memory only (its Wait node: below 65 seconds). */
const MIN_SUSPEND_MS = 66_000;

/** So often, n8n can lose the workflow that polls. */
const MAX_LOSSES = 3;

/** Hidden from the list of operations. */
export const durableSteps: readonly RunnableOperation[] = [
  { option: { value: STEPS.Watch }, execute: runWatch },
  { option: { value: STEPS.Results }, execute: runResults },
  { option: { value: STEPS.Round }, execute: runRound },
];

/** n8n resumes these after a restart. Manual executions depend on the editor. */
const RESUMED_MODES = new Set(['trigger', 'webhook', 'integrated', 'retry', 'error']);

/** The item with which the inline workflows begin; the one that polls needs neither plan nor inputs. */
interface Beginning extends IDataObject {
  plan: WaitPlan;
  inputs: INodeExecutionData[];
  state: WaitState;
  /** Of the user's workflow, whose end also ends the wait. */
  user_execution_id: string;
  /** How often n8n lost the workflow that polls. */
  losses: number;
}

/** The item that goes from step to step. */
interface Progress extends IDataObject {
  state: WaitState;
  over: boolean;
}

/** Returns items that n8n replaces with those of the step Results; undefined if n8n does not support it. */
export async function suspendExecution(
  context: IExecuteFunctions,
  run: Run,
  plan: WaitPlan,
  state: WaitState,
): Promise<INodeExecutionData[][] | undefined> {
  const isResumed = RESUMED_MODES.has(context.getMode()) && context.getWorkflow().id !== undefined;
  if (!isResumed || state.give_up_at - Date.now() < MIN_SUSPEND_MS) return undefined;
  let why = findSuspendObstacle(plan.onError === 'stop');
  try {
    if (why === undefined) {
      const inputs = context.getInputData();
      const user_execution_id = context.getExecutionId();
      const beginning: Beginning = { plan, inputs, state, user_execution_id, losses: 0 };
      return await runInlineWorkflow(context, ['Watch', 'Results'], beginning, () => []);
    }
  } catch (error) {
    if (run.signal?.aborted === true) throw error;
    // The jobs already run, so a failure to suspend must not lose their results.
    why = toError(error).message;
  }
  const message = `n8n couldn't save this wait (${why}). The execution waited in memory; a restart of n8n would have ended it.`;
  context.addExecutionHints(createHint(message, 'warning'));
  return undefined;
}

/** @param toItems Returns the output of the node while it is suspended. */
async function runInlineWorkflow(
  context: IExecuteFunctions,
  steps: Parameters<typeof createInlineWorkflow>[3],
  beginning: Omit<Beginning, 'plan' | 'inputs'>,
  toItems: () => INodeExecutionData[],
): Promise<INodeExecutionData[][]> {
  const { id: workflowId = '' } = context.getWorkflow();
  const settings = getWorkflowSettings(context);
  const { data, waitTill } = await context.executeWorkflow(
    { code: createInlineWorkflow(context.getNode(), workflowId, settings, steps) },
    [{ json: beginning }],
    undefined,
    {
      parentExecution: { executionId: context.getExecutionId(), workflowId, shouldResume: true },
      executionMode: context.getMode(),
    },
  );
  return [waitTill ? toItems() : (data[0] ?? [])];
}

/** Starts the workflow that polls, and starts it again from its last known state each time that n8n lost it. */
async function runWatch(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { plan, inputs, user_execution_id, ...begun } = readBeginning(context);
  const { state = begun.state } = context.getInputData()[0]?.json as Partial<Progress>;
  const losses = context.getWorkflowDataProxy(0).$runIndex as number;
  // After a lost wait, a poll that got no response says nothing about the job.
  const lost = changeOpenJobs(state, { trouble: null, is_lost: true });
  if (losses === MAX_LOSSES) return toProgress(lost, true);
  return await runInlineWorkflow(context, ['Round'], { state, user_execution_id, losses }, () => {
    // If n8n loses this workflow too, these items are the output, and nothing can stop the user's workflow.
    const onError = plan.onError === 'stop' ? 'continueErrorOutput' : plan.onError;
    return toResultItems(context, inputs, { ...plan, onError }, lost);
  });
}

/** Ends with no item if the user's execution was stopped or deleted. */
async function runRound(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const { user_execution_id, losses, ...begun } = readBeginning(context);
  // n8n replaces the item of a suspended node with its input.
  const memory = context.getContext('node') as Partial<Progress>;
  let { state = begun.state } = memory;
  // The node has just polled when it begins to wait.
  if (memory.state !== undefined || losses > 0) {
    if (!(await isStillWaiting(context, user_execution_id))) return [[]];
    state = await pollAgain(context, state);
  }
  memory.state = state;
  const delayMs = isWaitComplete(state)
    ? undefined
    : getNextDelay(state, Date.now(), MIN_SUSPEND_MS, Math.random());
  if (delayMs !== undefined) await context.putExecutionToWait(new Date(Date.now() + delayMs));
  // If n8n loses this workflow while it is suspended, Watch gets the state from this item.
  return toProgress(state, delayMs === undefined);
}

function toProgress(state: WaitState, over: boolean): INodeExecutionData[][] {
  const progress: Progress = { state, over };
  return [[{ json: progress }]];
}

function runResults(context: IExecuteFunctions): INodeExecutionData[][] {
  const { plan, inputs } = readBeginning(context);
  const { state } = context.getInputData()[0]?.json as Progress;
  return [toResultItems(context, inputs, plan, state)];
}

/** Only a deleted credential ends the wait: n8n's database can be out of reach for a moment. */
async function pollAgain(context: IExecuteFunctions, state: WaitState): Promise<WaitState> {
  try {
    return await pollJobs(await openRun(context, {}), state);
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    const failure = toFailureJson(toError(error));
    const isGone = toError(error).constructor.name === 'CredentialNotFoundError';
    return changeOpenJobs(state, isGone ? { failure } : { trouble: failure });
  }
}

function readBeginning(context: IExecuteFunctions): Beginning {
  const own = context.getNode();
  if (context.getParentNodes(own.name).some(({ name }) => name === BEGIN_NODE)) {
    const [item] = context.getWorkflowDataProxy(0).$items(BEGIN_NODE);
    return item?.json as Beginning;
  }
  const message = 'Only this node itself can use this operation, while it waits';
  throw new NodeOperationError(own, message, { description: 'Choose an operation from the list.' });
}

/** A suspended execution that was stopped leaves an error. An unreadable one can still wait. */
async function isStillWaiting(context: IExecuteFunctions, executionId: string): Promise<boolean> {
  try {
    const data = await context.getExecutionDataById(executionId);
    return data !== undefined && data.resultData.error === undefined;
  } catch {
    return true;
  }
}
