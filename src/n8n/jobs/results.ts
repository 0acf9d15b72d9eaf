import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import {
  listBulkCompanyFields,
  lookUpAllCompanies,
  type CompanySection,
} from '../../service/companies';
import { getFlatColumns, toFlatCompany, type RowShape } from '../../service/flat-company';
import { readDomainStates, type DomainState } from '../../service/jobs';
import { truncateText } from '../../client/values';
import { ServiceError } from '../../client/errors';
import { copyAfterFirst, type Row } from '../../run/responses/rows';
import type { DomainOutcome } from '../../run/batches';
import type { RunStats } from '../../run/run-stats';
import type { Run } from '../../run/run';
import { toFailureJson, fromFailureJson, type FailureJson } from '../failures';
import { formatRunStats, recordRunStats } from '../format';
import { createMissingEntryError } from '../rows/domain-rows';
import { formatOutcomes } from '../rows/hints';
import { toFailure, toItems, toSuccess, type Outcome } from '../rows/rows';
import { createJobWait, type JobWait, type WaitPlan, type WaitState } from './wait-state';

/** Maximum characters of a job ID in a message; the field `job_id` has all of it. */
const MAX_SHOWN_ID_LENGTH = 100;

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
): Promise<CrawledData> {
  const { enrichAfterwards = [], rows } = plan;
  const domains = enrichAfterwards.length === 0 ? [] : listCrawled(plan, state);
  // For example, the credential was deleted. If thrown, n8n would make one item of all rows.
  if (run instanceof Error) {
    const failed = { kind: 'failed', error: fromFailureJson(toFailureJson(run)) } as const;
    return { enriched: new Map(domains.map((domain) => [domain, failed])) };
  }
  // A new run, because what ended the wait must not end the reads. Up to 1 credit per company and per
  // partner that comes with it.
  const enriched = await lookUpAllCompanies(run.withNewBreaker(), domains, enrichAfterwards);
  reportCost(context, run, rows.length);
  return { enriched, before: run.stats };
}

/** Adds the hint and figures of a run that has read companies. */
export function reportCost(context: IExecuteFunctions, { stats }: Run, rows: number): void {
  if (stats.asked === 0 && stats.creditsAtMost === 0) return;
  context.addExecutionHints(formatRunStats(stats, false));
  recordRunStats(context, stats, rows);
}

/** Returns the companies of a plan that were crawled without an error. */
function listCrawled({ rows }: WaitPlan, { jobs }: WaitState): string[] {
  const crawled = new Set(
    jobs.flatMap((wait) =>
      [...readStates(wait)]
        .filter(([, one]) => one.finished && one.error === null && one.status !== 'failed')
        .map(([domain]) => domain),
    ),
  );
  const wanted = rows.flatMap((row) => (row.kind === 'domain' ? [row.domain] : []));
  return [...new Set(wanted)].filter((domain) => crawled.has(domain));
}

/** Result of reading the crawled companies. */
interface CrawledData {
  readonly enriched?: ReadonlyMap<string, DomainOutcome>;
  /** Figures of the run. */
  readonly before?: RunStats;
}

/** The same as JSON that n8n can store. */
export interface ReadJson extends IDataObject {
  /** Domains with their company, or with the failure. */
  companies: Array<[domain: string, company: Row | null, failure: FailureJson | null]>;
  figures: (RunStats & IDataObject) | null;
}

/** Converts the result to JSON. */
export function toReadJson({ enriched = new Map(), before }: CrawledData): ReadJson & IDataObject {
  const companies = [...enriched].map(([domain, one]): ReadJson['companies'][number] => [
    domain,
    one.kind === 'row' ? one.row : null,
    one.kind === 'failed' ? toFailureJson(one.error) : null,
  ]);
  return { companies, figures: before === undefined ? null : { ...before } };
}

/** Restores the result from JSON. */
export function fromReadJson({ companies, figures }: ReadJson): CrawledData {
  const enriched = new Map(
    companies.map(([domain, row, failure]): [string, DomainOutcome] => {
      if (row !== null) return [domain, { kind: 'row', row }];
      if (failure === null) return [domain, { kind: 'missing' }];
      return [domain, { kind: 'failed', error: fromFailureJson(failure) }];
    }),
  );
  return { enriched, ...(figures === null ? {} : { before: figures }) };
}

/**
 * Returns one output item per input item when the wait is over.
 *
 * @param inputs Input items, in the order of the plan's rows.
 * @throws The errors of {@link toItems}.
 */
export function toResultItems(
  context: IExecuteFunctions,
  inputs: readonly INodeExecutionData[],
  plan: WaitPlan,
  state: WaitState,
  { enriched = new Map(), before }: CrawledData = {},
): INodeExecutionData[] {
  const jobs = new Map(state.jobs.map((wait) => [wait.job_id, { wait, states: readStates(wait) }]));
  const own = copyAfterFirst();
  const isSheet = plan.output === 'columns';
  // A sheet has no cells for lists, so flatten the company.
  const shape: RowShape = isSheet
    ? (row) => toFlatCompany(row, { sections: plan.enrichAfterwards ?? [] })
    : (row) => row;
  const outcomes = plan.rows.map((row): Outcome => {
    if (row.kind === 'result') return toSuccess(own(row.result));
    if (row.kind === 'failed') return toFailure(fromFailureJson(row.failure), row.domain);
    const { wait, states } = jobs.get(row.jobId) ?? { wait: createJobWait(row.jobId) };
    if (row.kind === 'job') return toJobOutcome(wait, plan);
    const { domain } = row;
    const crawled = toDomainOutcome(domain, wait, states?.get(domain), plan);
    const after = enriched.get(domain);
    if (after === undefined || crawled.failure !== undefined) return crawled;
    if (after.kind !== 'row') {
      const failure = after.kind === 'failed' ? after.error : createMissingEntryError(domain);
      return toFailure(toAfterCrawlError(failure, row.jobId), domain);
    }
    const enrichment = shape(own(after.row)) as IDataObject;
    return toSuccess({ ...crawled.outputs[0]?.json, enrichment });
  });
  const columns = plan.rows.some(({ kind }) => kind === 'job') ? undefined : plannedColumns(plan);
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

/** Returns the sheet columns of companies that are read after the refresh. */
function enrichedColumns(sections: readonly CompanySection[]): string[] {
  const columns = getFlatColumns(listBulkCompanyFields(sections));
  // Only rows without a request have these two.
  return columns
    .filter((column) => column !== 'reason' && column !== 'message')
    .map((column) => `enrichment_${column}`);
}

const OWN_COLUMNS = new Set([
  ...COLUMNS,
  'last_seen_at',
  ...enrichedColumns(['technologies', 'partnerships', 'firmographics']),
]);

/** Returns the columns that rows of this plan always have. */
function plannedColumns({
  output,
  enrichAfterwards = [],
  onlyIfOlderThanDays = 0,
}: WaitPlan): string[] {
  const afterwards = output === 'columns' ? enrichedColumns(enrichAfterwards) : ['enrichment'];
  return [
    ...COLUMNS,
    ...(onlyIfOlderThanDays > 0 ? ['last_seen_at'] : []),
    ...(enrichAfterwards.length === 0 ? [] : afterwards),
  ];
}

function readStates({ job, finished }: JobWait): Map<string, DomainState> {
  return readDomainStates(job ?? {}, finished);
}

/** Returns a failure to read a company, with the advice not to refresh it again. */
function toAfterCrawlError(failure: ServiceError, jobId: string): ServiceError {
  return failure.copyWith({
    hint: `${failure.hint} The company was refreshed; read its data with Bulk Enrich.`,
    details: { ...failure.details, job_id: jobId },
  });
}

function toJobOutcome(wait: JobWait, plan: WaitPlan): Outcome {
  const failure = findJobFailure(wait, plan);
  if (failure !== undefined) return toFailure(failure);
  const { job_id, job, finished } = wait;
  return toSuccess({ ...structuredClone(job), job_id, finished });
}

/** Returns the outcome of a domain, which can be finished while its job still crawls others. */
function toDomainOutcome(
  domain: string,
  wait: JobWait,
  state: DomainState | undefined,
  plan: WaitPlan,
): Outcome {
  const done = state?.finished === true;
  const failure = done ? undefined : (findJobFailure(wait, plan) ?? findMissing(wait, domain));
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
function findJobFailure(wait: JobWait, plan: WaitPlan): Error | undefined {
  if (wait.finished) return undefined;
  const known = wait.failure ?? wait.trouble;
  if (known !== null) return withJobId(known, wait.job_id);
  return plan.ifStillRunning === 'error' ? createStillRunningError(wait.job_id, plan) : undefined;
}

/** Returns a failure with the advice to wait for the running job instead of starting it again. */
function withJobId({ details, ...known }: FailureJson, jobId: string): ServiceError {
  const said = typeof details.hint === 'string' ? details.hint : '';
  const goesOn = `The refresh job ${truncateText(jobId, MAX_SHOWN_ID_LENGTH)} continues: wait for it with Wait for Job.`;
  const hint = known.error === 'job_not_found' ? said : `${said} ${goesOn}`.trim();
  return fromFailureJson({ ...known, details: { ...details, job_id: jobId, hint } });
}

function createStillRunningError(jobId: string, { maxWaitMinutes }: WaitPlan): ServiceError {
  return new ServiceError({
    code: 'still_running',
    message: `The refresh job ${truncateText(jobId, MAX_SHOWN_ID_LENGTH)} is still running after ${String(maxWaitMinutes)} minutes`,
    hint: 'The job continues. Wait for this job ID with Wait for Job; do not start it again.',
    details: { job_id: jobId },
  });
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
