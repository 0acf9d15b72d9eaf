import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { domainStates, type DomainState } from '../../api/jobs';
import { cut } from '../../client/values';
import { ServiceError } from '../../client/errors';
import { eachItsOwn, type Row } from '../../run/answers/rows';
import type { DomainOutcome } from '../../run/batches';
import type { Figures } from '../../run/figures';
import { noEntry } from '../bulk/domain-rows';
import { rowItems, type RowResult } from '../bulk/items';
import { outcomesHint } from '../bulk/outcomes';
import { serviceErrorOf, type FailureJson } from '../failures';
import type { RowPlan, WaitPlan } from './plan';
import { notAskedYet, type JobWait, type WaitState } from './wait-state';

/** What a message shows of a job ID; it is whole in the error's `job_id`. */
const SHOWN_OF_ID = 100;

/** What came of reading the companies that were crawled. */
interface After {
  readonly enriched?: ReadonlyMap<string, DomainOutcome>;
  /** What the run has come to. */
  readonly before?: Figures;
}

/**
 * Makes one output item for each input item when waiting is over.
 *
 * @param items the input items, in the order of the plan's rows.
 * @throws what {@link rowItems} throws.
 */
export function resultItems(
  context: IExecuteFunctions,
  items: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
  { enriched = new Map(), before }: After = {},
): INodeExecutionData[] {
  const own = eachItsOwn();
  const waits = new Map(state.jobs.map((wait) => [wait.job_id, wait]));
  const states = new Map(
    state.jobs.map((wait) => [wait.job_id, domainStates(wait.job ?? {}, wait.finished)]),
  );
  const waitFor = (jobId: string) => waits.get(jobId) ?? notAskedYet(jobId);
  const results = plan.rows.map((row): RowResult => {
    switch (row.kind) {
      case 'result':
        return { kind: 'result', result: own(row.result) };
      case 'failed':
        return { kind: 'failure', failure: serviceErrorOf(row.failure), domain: row.domain };
      case 'job':
        return jobResult(waitFor(row.jobId), plan);
      case 'domain':
        break;
    }
    const known = states.get(row.jobId)?.get(row.domain);
    const result = domainResult(row, waitFor(row.jobId), known, plan);
    return withData(row, result, enriched.get(row.domain), own);
  });
  const output = rowItems(context, results, { ...plan, items, before });
  context.addExecutionHints(outcomesHint(results));
  return output;
}

/** Adds what the service now knows of a company that was crawled. */
function withData(
  { domain, jobId }: Extract<RowPlan, { kind: 'domain' }>,
  crawled: RowResult,
  outcome: DomainOutcome | undefined,
  own: (row: Row) => Row,
): RowResult {
  if (outcome === undefined || crawled.kind === 'failure') return crawled;
  if (outcome.kind === 'row') {
    const enrichment = own(outcome.row) as IDataObject;
    return { kind: 'result', result: { ...crawled.result, enrichment } };
  }
  const failure =
    outcome.kind === 'failed' ? outcome.error : noEntry('The answer of the service', domain);
  return { kind: 'failure', domain, failure: afterCrawl(failure, jobId) };
}

/** The crawl must not be done again to read what it brought. */
function afterCrawl(failure: ServiceError, jobId: string): ServiceError {
  return failure.retold({
    hint: `${failure.hint} The company was refreshed; Bulk Enrich reads its data.`,
    details: { ...failure.details, job_id: jobId },
  });
}

function jobResult(wait: JobWait, plan: WaitPlan): RowResult {
  const failure = failureOf(wait, plan);
  if (failure !== undefined) return { kind: 'failure', failure, domain: null };
  const { job_id, job, finished } = wait;
  return { kind: 'result', result: { ...structuredClone(job), job_id, finished } };
}

/** A domain may be done, and its result known, while its job still works on others. */
function domainResult(
  { domain, jobId }: Extract<RowPlan, { kind: 'domain' }>,
  wait: JobWait,
  state: DomainState | undefined,
  plan: WaitPlan,
): RowResult {
  const done = state?.finished === true;
  const failure = done ? undefined : (failureOf(wait, plan) ?? missing(wait, domain));
  if (failure !== undefined) return { kind: 'failure', failure, domain };
  const job = wait.job ?? {};
  return {
    kind: 'result',
    result: {
      domain,
      status: done ? state.status : 'still_running',
      error: state?.error ?? null,
      job_id: jobId,
      job_status: job.status ?? null,
      submitted_at: job.submitted_at ?? null,
      completed_at: job.completed_at ?? null,
      data_freshness: job.data_freshness ?? null,
    },
  };
}

/** Why a job gives no result, or none yet that the user wants to see. */
function failureOf(wait: JobWait, plan: WaitPlan): Error | undefined {
  if (wait.finished) return undefined;
  const known = wait.failure ?? wait.trouble;
  if (known !== null) return withJob(known, wait.job_id);
  return plan.ifStillRunning === 'error' ? stillRunning(wait.job_id, plan) : undefined;
}

/** The job was started whatever happened since, and must not be started again to be waited for. */
function withJob({ details, ...known }: FailureJson, jobId: string): ServiceError {
  const { hint } = details;
  return serviceErrorOf({
    ...known,
    details: {
      ...details,
      job_id: jobId,
      hint: `${typeof hint === 'string' ? `${hint} ` : ''}The refresh job ${cut(jobId, SHOWN_OF_ID)} goes on: wait for it with Wait for Job.`,
    },
  });
}

function stillRunning(jobId: string, { maxWaitMinutes }: WaitPlan): ServiceError {
  return new ServiceError({
    code: 'still_running',
    message: `The refresh job ${cut(jobId, SHOWN_OF_ID)} is still running after ${String(maxWaitMinutes)} minutes`,
    hint: 'The service goes on with it. Wait for this job ID with Wait for Job; do not start it again.',
    details: { job_id: jobId },
  });
}

function missing({ finished, job_id }: JobWait, domain: string): Error | undefined {
  if (!finished) return undefined;
  return noEntry(`The refresh job ${cut(job_id, SHOWN_OF_ID)}`, domain, { job_id });
}
