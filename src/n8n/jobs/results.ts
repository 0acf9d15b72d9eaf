import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { bulkCompanyFields, lookUpAll, type CompanySection } from '../../service/companies';
import { flatColumns, flatCompany, type Shape } from '../../service/flat-company';
import { domainStates, type DomainState } from '../../service/jobs';
import { cut } from '../../client/values';
import { ServiceError } from '../../client/errors';
import { eachItsOwn, type Row } from '../../run/answers/rows';
import type { DomainOutcome } from '../../run/batches';
import type { Figures } from '../../run/figures';
import type { Run } from '../../run/run';
import { failureJson, serviceErrorOf, type FailureJson } from '../failures';
import { figuresHint, recordFigures } from '../figures';
import { noEntry } from '../rows/domain-rows';
import { outcomesHint } from '../rows/hints';
import { failed, itemsOf, succeeded, type Outcome } from '../rows/rows';
import { notAskedYet, type JobWait, type WaitPlan, type WaitState } from './wait-state';

/** Maximum characters of a job ID in a message; the field `job_id` has all of it. */
const SHOWN_OF_ID = 100;

/**
 * Reads the companies that were crawled, if requested.
 *
 * @param run The run, or why it could not start.
 */
export async function readCrawled(
  context: IExecuteFunctions,
  run: Run | Error,
  plan: WaitPlan,
  state: WaitState,
): Promise<After> {
  const { enrichAfterwards = [], rows } = plan;
  const domains = enrichAfterwards.length === 0 ? [] : crawledOf(plan, state);
  // For example, the credential was deleted. If thrown, n8n would make one item of all rows.
  if (run instanceof Error) {
    const failed = { kind: 'failed', error: serviceErrorOf(failureJson(run)) } as const;
    return { enriched: new Map(domains.map((domain) => [domain, failed])) };
  }
  // A new run, because what ended the wait must not end the reads. Up to 1 credit per company and per
  // partner that comes with it.
  const enriched = await lookUpAll(run.anew(), domains, enrichAfterwards);
  tellCost(context, run, rows.length);
  return { enriched, before: run.figures };
}

/** Adds the hint and figures of a run that has read companies. */
export function tellCost(context: IExecuteFunctions, { figures }: Run, rows: number): void {
  if (figures.asked === 0 && figures.creditsAtMost === 0) return;
  context.addExecutionHints(figuresHint(figures, false));
  recordFigures(context, figures, rows);
}

/** Returns the companies of a plan that were crawled without an error. */
function crawledOf({ rows }: WaitPlan, { jobs }: WaitState): string[] {
  const crawled = new Set(
    jobs.flatMap((wait) =>
      [...statesOf(wait)]
        .filter(([, one]) => one.finished && one.error === null && one.status !== 'failed')
        .map(([domain]) => domain),
    ),
  );
  const wanted = rows.flatMap((row) => (row.kind === 'domain' ? [row.domain] : []));
  return [...new Set(wanted)].filter((domain) => crawled.has(domain));
}

/** Result of reading the crawled companies. */
interface After {
  readonly enriched?: ReadonlyMap<string, DomainOutcome>;
  /** Figures of the run. */
  readonly before?: Figures;
}

/** The same as JSON that n8n can store. */
export interface ReadJson extends IDataObject {
  /** Domains with their company, or with the failure. */
  companies: Array<[domain: string, company: Row | null, failure: FailureJson | null]>;
  figures: (Figures & IDataObject) | null;
}

/** Converts the result to JSON. */
export function toReadJson({ enriched = new Map(), before }: After): ReadJson & IDataObject {
  const companies = [...enriched].map(([domain, one]): ReadJson['companies'][number] => [
    domain,
    one.kind === 'row' ? one.row : null,
    one.kind === 'failed' ? failureJson(one.error) : null,
  ]);
  return { companies, figures: before === undefined ? null : { ...before } };
}

/** Restores the result from JSON. */
export function fromReadJson({ companies, figures }: ReadJson): After {
  const enriched = new Map(
    companies.map(([domain, row, failure]): [string, DomainOutcome] => {
      if (row !== null) return [domain, { kind: 'row', row }];
      if (failure === null) return [domain, { kind: 'missing' }];
      return [domain, { kind: 'failed', error: serviceErrorOf(failure) }];
    }),
  );
  return { enriched, ...(figures === null ? {} : { before: figures }) };
}

/**
 * Returns one output item per input item when the wait is over.
 *
 * @param inputs Input items, in the order of the plan's rows.
 * @throws The errors of {@link itemsOf}.
 */
export function resultItems(
  context: IExecuteFunctions,
  inputs: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
  { enriched = new Map(), before }: After = {},
): INodeExecutionData[] {
  const jobs = new Map(state.jobs.map((wait) => [wait.job_id, { wait, states: statesOf(wait) }]));
  const own = eachItsOwn();
  const isSheet = plan.output === 'columns';
  // A sheet has no cells for lists, so flatten the company.
  const shape: Shape = isSheet
    ? (row) => flatCompany(row, { sections: plan.enrichAfterwards ?? [] })
    : (row) => row;
  const outcomes = plan.rows.map((row): Outcome => {
    if (row.kind === 'result') return succeeded(own(row.result));
    if (row.kind === 'failed') return failed(serviceErrorOf(row.failure), row.domain);
    const { wait, states } = jobs.get(row.jobId) ?? { wait: notAskedYet(row.jobId) };
    if (row.kind === 'job') return jobOutcome(wait, plan);
    const { domain } = row;
    const crawled = domainOutcome(domain, wait, states?.get(domain), plan);
    const after = enriched.get(domain);
    if (after === undefined || crawled.failure !== undefined) return crawled;
    if (after.kind !== 'row') {
      const failure = after.kind === 'failed' ? after.error : noEntry(domain);
      return failed(afterCrawl(failure, row.jobId), domain);
    }
    const enrichment = shape(own(after.row)) as IDataObject;
    return succeeded({ ...crawled.outputs[0]?.json, enrichment });
  });
  const columns = plan.rows.some(({ kind }) => kind === 'job') ? undefined : columnsOf(plan);
  const items = itemsOf(context, outcomes, {
    ...plan,
    inputs,
    before,
    columns,
    owns: (column) => OWN_COLUMNS.has(column),
  });
  context.addExecutionHints(outcomesHint(outcomes));
  return items;
}

const COLUMNS = [
  ...['domain', 'status', 'error', 'job_id', 'job_status', 'submitted_at', 'completed_at'],
  'data_freshness',
];

/** Returns the sheet columns of companies that are read after the refresh. */
function columnsAfterwards(sections: readonly CompanySection[]): string[] {
  const columns = flatColumns(bulkCompanyFields(sections));
  // Only rows without a request have these two.
  return columns
    .filter((column) => column !== 'reason' && column !== 'message')
    .map((column) => `enrichment_${column}`);
}

const OWN_COLUMNS = new Set([
  ...COLUMNS,
  'last_seen_at',
  ...columnsAfterwards(['technologies', 'partnerships', 'firmographics']),
]);

/** Returns the columns that rows of this plan always have. */
function columnsOf({ output, enrichAfterwards = [], onlyIfOlderThanDays = 0 }: WaitPlan): string[] {
  const afterwards = output === 'columns' ? columnsAfterwards(enrichAfterwards) : ['enrichment'];
  return [
    ...COLUMNS,
    ...(onlyIfOlderThanDays > 0 ? ['last_seen_at'] : []),
    ...(enrichAfterwards.length === 0 ? [] : afterwards),
  ];
}

function statesOf({ job, finished }: JobWait): Map<string, DomainState> {
  return domainStates(job ?? {}, finished);
}

/** Returns a failure to read a company, with the advice not to refresh it again. */
function afterCrawl(failure: ServiceError, jobId: string): ServiceError {
  return failure.retold({
    hint: `${failure.hint} The company was refreshed; read its data with Bulk Enrich.`,
    details: { ...failure.details, job_id: jobId },
  });
}

function jobOutcome(wait: JobWait, plan: WaitPlan): Outcome {
  const failure = failureOf(wait, plan);
  if (failure !== undefined) return failed(failure);
  const { job_id, job, finished } = wait;
  return succeeded({ ...structuredClone(job), job_id, finished });
}

/** Returns the outcome of a domain, which can be finished while its job still crawls others. */
function domainOutcome(
  domain: string,
  wait: JobWait,
  state: DomainState | undefined,
  plan: WaitPlan,
): Outcome {
  const done = state?.finished === true;
  const failure = done ? undefined : (failureOf(wait, plan) ?? missing(wait, domain));
  if (failure !== undefined) return failed(failure, domain);
  const job = wait.job ?? {};
  return succeeded({
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
function failureOf(wait: JobWait, plan: WaitPlan): Error | undefined {
  if (wait.finished) return undefined;
  const known = wait.failure ?? wait.trouble;
  if (known !== null) return withJob(known, wait.job_id);
  return plan.ifStillRunning === 'error' ? stillRunning(wait.job_id, plan) : undefined;
}

/** Returns a failure with the advice to wait for the running job instead of starting it again. */
function withJob({ details, ...known }: FailureJson, jobId: string): ServiceError {
  const said = typeof details.hint === 'string' ? details.hint : '';
  const goesOn = `The refresh job ${cut(jobId, SHOWN_OF_ID)} continues: wait for it with Wait for Job.`;
  const hint = known.error === 'job_not_found' ? said : `${said} ${goesOn}`.trim();
  return serviceErrorOf({ ...known, details: { ...details, job_id: jobId, hint } });
}

function stillRunning(jobId: string, { maxWaitMinutes }: WaitPlan): ServiceError {
  return new ServiceError({
    code: 'still_running',
    message: `The refresh job ${cut(jobId, SHOWN_OF_ID)} is still running after ${String(maxWaitMinutes)} minutes`,
    hint: 'The job continues. Wait for this job ID with Wait for Job; do not start it again.',
    details: { job_id: jobId },
  });
}

function missing({ finished, job_id }: JobWait, domain: string): Error | undefined {
  if (!finished) return undefined;
  return noEntry(domain, `The refresh job ${cut(job_id, SHOWN_OF_ID)}`, { job_id });
}
