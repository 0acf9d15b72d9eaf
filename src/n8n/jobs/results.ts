import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readDomainStates, type DomainState } from '../../service/jobs';
import { truncateText } from '../../values/text';
import { copyAfterFirst } from '../../run/responses/rows';
import { fromFailureJson } from '../failures';
import { createHint, formatOutcomes } from '../run-hints';
import { createMissingEntryError, toFailure, toSuccess, type Result } from '../items/row-result';
import { toItems } from '../items/write';
import { createJobWait, type JobWait, type WaitPlan, type WaitState } from './wait-state';

/** Has not ended after Max Wait. */
const STILL_RUNNING = 'still_running';

/** Why a job is still running although Max Wait has not passed. */
const LOST =
  'n8n lost this wait when its process ended. The refresh job continues: wait for it with Wait for Job.';

/** @param inputs Input items, in the order of the plan's rows. */
export function toResultItems(
  context: IExecuteFunctions,
  inputs: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
): INodeExecutionData[] {
  const jobs = new Map(
    state.jobs.map((wait) => {
      return [wait.job_id, { wait, states: readDomainStates(wait.job ?? {}, wait.finished) }];
    }),
  );
  const own = copyAfterFirst();
  const outcomes = plan.rows.map((row): Result => {
    if (!('job_id' in row)) {
      const { json = {}, failure, fields } = row;
      return failure ? toFailure(fromFailureJson(failure), fields) : toSuccess(own(json));
    }
    const { job_id, domain } = row;
    const { wait, states } = jobs.get(job_id) ?? { wait: createJobWait(job_id) };
    const failure = findJobFailure(wait);
    if (domain === undefined) return toJobOutcome(wait, failure);
    return toDomainOutcome(domain, wait, states?.get(domain), failure);
  });
  const isOfJobs = plan.rows.some((row) => 'job_id' in row && row.domain === undefined);
  const items = toItems(context, outcomes, {
    ...plan,
    inputs,
    columns: isOfJobs ? undefined : COLUMNS,
  });
  context.addExecutionHints(formatOutcomes(outcomes));
  if (state.jobs.some((wait) => wait.is_lost))
    context.addExecutionHints(createHint(LOST, 'warning'));
  return items;
}

const COLUMNS = [
  ...['domain', 'status', 'error', 'job_id', 'job_status', 'submitted_at', 'completed_at'],
  'data_freshness',
];

function toJobOutcome(wait: JobWait, failure: Error | undefined): Result {
  if (failure !== undefined) return toFailure(failure);
  const { job_id, job, finished } = wait;
  const running = finished ? {} : toRunning(wait);
  return toSuccess({ ...structuredClone(job), job_id, ...running, finished });
}

function toRunning({ is_lost }: JobWait): IDataObject {
  return { status: STILL_RUNNING, ...(is_lost ? { message: LOST } : {}) };
}

/** A domain can be finished while its job still refreshes others. */
function toDomainOutcome(
  domain: string,
  wait: JobWait,
  state: DomainState | undefined,
  jobFailure: Error | undefined,
): Result {
  const done = state?.finished === true;
  const { job_id } = wait;
  if (!done && jobFailure !== undefined) return toFailure(jobFailure, { domain, job_id });
  if (!done && wait.finished) {
    const missing = createMissingEntryError(domain, nameJob(job_id), { job_id });
    return toFailure(missing, { domain, job_id });
  }
  const job = wait.job ?? {};
  return toSuccess({
    domain,
    ...(done ? { status: state.status } : toRunning(wait)),
    error: state?.error ?? null,
    job_id,
    job_status: job.status ?? null,
    submitted_at: job.submitted_at ?? null,
    completed_at: job.completed_at ?? null,
    data_freshness: job.data_freshness ?? null,
  });
}

/** Undefined if it has a result, or is still running. Advises to wait for a running job, not to start it again. */
function findJobFailure({ finished, failure, trouble, job_id }: JobWait): Error | undefined {
  const known = finished ? null : (failure ?? trouble);
  if (known === null) return undefined;
  const said = typeof known.details.hint === 'string' ? known.details.hint : '';
  const goesOn = `${said} ${nameJob(job_id)} continues: wait for it with Wait for Job.`.trim();
  const hint = known.error === 'job_not_found' ? said : goesOn;
  return fromFailureJson({ ...known, details: { ...known.details, job_id, hint } });
}

/** For a message; the field `job_id` has all of the ID. */
function nameJob(jobId: string): string {
  return `The refresh job ${truncateText(jobId, 100)}`;
}
