import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readDomainStates, type DomainState } from '../../service/jobs';
import { truncateText } from '../../client/values';
import { ServiceError } from '../../client/errors';
import { copyAfterFirst } from '../../run/responses/rows';
import type { RunStats } from '../../run/run-stats';
import type { Run } from '../../run/run';
import { fromFailureJson, type FailureJson } from '../failures';
import { formatCount, formatRunStats, recordRunStats } from '../format';
import { createMissingEntryError } from '../rows/domain-rows';
import { formatOutcomes } from '../rows/hints';
import { toFailure, toItems, toSuccess, type Outcome } from '../rows/output-items';
import { createJobWait, type JobWait, type WaitPlan, type WaitState } from './wait-state';

/** Maximum characters of a job ID in a message; the field `job_id` has all of it. */
const MAX_SHOWN_ID_LENGTH = 100;

/** Adds the hint and figures of a run that has read companies. */
export function reportCost(context: IExecuteFunctions, { stats }: Run, rows: number): void {
  if (stats.lookedUp === 0 && stats.creditsAtMost === 0) return;
  context.addExecutionHints(formatRunStats(stats, false));
  recordRunStats(context, stats, rows);
}

/**
 * Returns one output item per input item when the wait is over.
 *
 * @param inputs Input items, in the order of the plan's rows.
 * @param before Figures of the run.
 * @throws The errors of {@link toItems}.
 */
export function toResultItems(
  context: IExecuteFunctions,
  inputs: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
  before?: RunStats,
): INodeExecutionData[] {
  const jobs = new Map(state.jobs.map((wait) => [wait.job_id, { wait, states: readStates(wait) }]));
  const own = copyAfterFirst();
  const outcomes = plan.rows.map((row): Outcome => {
    if (row.kind === 'result') return toSuccess(own(row.result));
    if (row.kind === 'failed') return toFailure(fromFailureJson(row.failure), row.domain);
    const { wait, states } = jobs.get(row.jobId) ?? { wait: createJobWait(row.jobId) };
    const failure = findJobFailure(wait, plan, state);
    if (row.kind === 'job') return toJobOutcome(wait, failure);
    return toDomainOutcome(row.domain, wait, states?.get(row.domain), failure);
  });
  const isOfJobs = plan.rows.some(({ kind }) => kind === 'job');
  const dates = (plan.onlyIfOlderThanDays ?? 0) > 0 ? ['last_seen_at'] : [];
  const columns = isOfJobs ? undefined : [...COLUMNS, ...dates];
  const items = toItems(context, outcomes, {
    ...plan,
    inputs,
    before,
    columns,
    owns: (column) => OWN_COLUMNS.has(column),
  });
  context.addExecutionHints(formatOutcomes(outcomes));
  return items;
}

const COLUMNS = [
  ...['domain', 'status', 'error', 'job_id', 'job_status', 'submitted_at', 'completed_at'],
  'data_freshness',
];

const OWN_COLUMNS = new Set([...COLUMNS, 'last_seen_at']);

function readStates({ job, finished }: JobWait): Map<string, DomainState> {
  return readDomainStates(job ?? {}, finished);
}

function toJobOutcome(wait: JobWait, failure: Error | undefined): Outcome {
  if (failure !== undefined) return toFailure(failure);
  const { job_id, job, finished } = wait;
  return toSuccess({ ...structuredClone(job), job_id, finished });
}

/** Returns the outcome of a domain, which can be finished while its job still refreshes others. */
function toDomainOutcome(
  domain: string,
  wait: JobWait,
  state: DomainState | undefined,
  jobFailure: Error | undefined,
): Outcome {
  const done = state?.finished === true;
  const failure = done ? undefined : (jobFailure ?? findMissing(wait, domain));
  if (failure !== undefined) return toFailure(failure, domain);
  const job = wait.job ?? {};
  return toSuccess({
    domain,
    status: done ? state.status : 'still_running',
    error: state?.error ?? null,
    job_id: wait.job_id,
    job_status: job.status ?? null,
    submitted_at: job.submitted_at ?? null,
    completed_at: job.completed_at ?? null,
    data_freshness: job.data_freshness ?? null,
  });
}

/** Returns why a job has no result; undefined if it has one, or if still_running is an accepted result. */
function findJobFailure(wait: JobWait, plan: WaitPlan, state: WaitState): Error | undefined {
  if (wait.finished) return undefined;
  const known = wait.failure ?? wait.trouble;
  if (known !== null) return withJobId(known, wait.job_id);
  return plan.ifStillRunning === 'error'
    ? createStillRunningError(wait.job_id, plan, state)
    : undefined;
}

/** Returns a failure with the advice to wait for the running job instead of starting it again. */
function withJobId({ details, ...known }: FailureJson, jobId: string): ServiceError {
  const said = typeof details.hint === 'string' ? details.hint : '';
  const goesOn = `The refresh job ${truncateText(jobId, MAX_SHOWN_ID_LENGTH)} continues: wait for it with Wait for Job.`;
  const hint = known.error === 'job_not_found' ? said : `${said} ${goesOn}`.trim();
  return fromFailureJson({ ...known, details: { ...details, job_id: jobId, hint } });
}

function createStillRunningError(jobId: string, plan: WaitPlan, state: WaitState): ServiceError {
  const { message, advice } = describeEnd(plan, state);
  return new ServiceError({
    code: 'still_running',
    message: `The refresh job ${truncateText(jobId, MAX_SHOWN_ID_LENGTH)} ${message}`,
    hint: `The job continues. Wait for this job ID with Wait for Job; do not start it again.${advice}`,
    details: { job_id: jobId },
  });
}

/** Says what ended a wait: Max Wait, n8n's timeout, or a next poll that would have come after both. */
function describeEnd({ maxWaitMinutes, endsByTimeout = false }: WaitPlan, state: WaitState) {
  if (Date.now() < state.give_up_at - 1000) {
    const end = endsByTimeout ? 'the timeout of the workflow' : 'Max Wait';
    const seconds = formatCount(Math.ceil(state.retry_after_ms / 1000), 'second');
    return {
      message: `is still running, and the service allows the next check only after ${end}`,
      advice: ` The service asks to wait ${seconds} between checks.`,
    };
  }
  return endsByTimeout
    ? {
        message: 'is still running at the timeout of the workflow',
        advice: ' Raise Timeout After in the workflow settings, or EXECUTIONS_TIMEOUT of n8n.',
      }
    : { message: `is still running after ${formatCount(maxWaitMinutes, 'minute')}`, advice: '' };
}

function findMissing({ finished, job_id }: JobWait, domain: string): Error | undefined {
  if (!finished) return undefined;
  return createMissingEntryError(
    domain,
    `The refresh job ${truncateText(job_id, MAX_SHOWN_ID_LENGTH)}`,
    {
      job_id,
    },
  );
}
