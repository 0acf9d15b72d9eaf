import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { sleep } from '../../concurrency';
import type { Run } from '../../run/run';
import { getOnError } from '../failures';
import { getExecutionDeadline } from '../n8n-versions';
import { openRun } from '../open-run';
import type { Parameter } from '../parameters/declare';
import { createItemSource, type RunLimits } from '../parameters/readers';
import { readRows } from '../items/engine';
import { RESULT_ONLY } from '../items/write';
import { suspendExecution } from './suspend-execution';
import { toResultItems } from './results';
import {
  createWaitState,
  isWaitComplete,
  getNextDelay,
  pollJobs,
  toStoredResult,
  type WaitPlan,
  type WaitState,
} from './wait-state';

export interface WaitOptions extends RunLimits {
  readonly maxWaitMinutes: number;
}

/** Refreshes take minutes, but a job that has already ended should be detected quickly. */
const FIRST_POLL_MS = 1000;
/** Longer waits before the first poll are not done in the execution. */
const MAX_FIRST_WAIT_MS = 10_000;

/** At the same time; one item per input item with the last known state of its job. */
export async function waitForJobs(
  context: IExecuteFunctions,
  options: WaitOptions,
  jobId: Parameter<string>,
): Promise<INodeExecutionData[][]> {
  const { rows } = readRows<string>(context, (itemIndex) =>
    jobId.read(createItemSource(context, itemIndex)),
  );
  const run = await openRun(context, options);
  const plan = {
    ...options,
    ...RESULT_ONLY,
    onError: getOnError(context),
    rows: rows.map((row) => ('request' in row ? { job_id: row.request } : toStoredResult(row))),
  };
  return await outputWhenOver(context, run, plan);
}

/**
 * After a first poll, n8n suspends the execution of a trigger or webhook, and then replaces the returned items.
 *
 * @param firstMs Requested by the service before the first poll.
 */
export async function outputWhenOver(
  context: IExecuteFunctions,
  run: Run,
  plan: WaitPlan,
  firstMs = 0,
): Promise<INodeExecutionData[][]> {
  const { signal } = run;
  const deadline = getExecutionDeadline(context) ?? Infinity;
  // n8n cancels a suspended execution that timed out only when it resumes, so it must resume at that time.
  const waitMs = Math.max(0, Math.min(plan.maxWaitMinutes * 60_000, deadline - Date.now()));
  const jobs = plan.rows.flatMap((row) => ('job_id' in row ? [row.job_id] : []));
  let state = createWaitState(jobs, Date.now() + waitMs, firstMs);
  if (!isWaitComplete(state) && firstMs <= Math.min(MAX_FIRST_WAIT_MS, waitMs)) {
    await sleep(Math.max(firstMs, Math.min(FIRST_POLL_MS, waitMs)), signal);
    const startedHere = plan.rows.some((row) => 'domain' in row);
    state = await pollJobs(run, state, startedHere);
  }
  if (!isWaitComplete(state)) {
    const suspended = await suspendExecution(context, run, plan, state);
    if (suspended !== undefined) return suspended;
  }
  state = await waitInMemory(run, state);
  return [toResultItems(context, context.getInputData(), plan, state)];
}

/** Lost if the process ends. */
async function waitInMemory(run: Run, begun: WaitState): Promise<WaitState> {
  let state = begun;
  while (!isWaitComplete(state)) {
    const delayMs = getNextDelay(state, Date.now(), 0, Math.random());
    if (delayMs === undefined) break;
    await sleep(delayMs, run.signal);
    state = await pollJobs(run, state);
  }
  return state;
}
