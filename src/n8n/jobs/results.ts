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

/** What a message shows of a job ID; it is whole in the error's `job_id`. */
const SHOWN_OF_ID = 100;

/**
 * Reads what the service now knows of the companies that were crawled, if that is wanted.
 *
 * @param run or why it could not begin.
 */
export async function readCrawled(
  context: IExecuteFunctions,
  run: Run | Error,
  plan: WaitPlan,
  state: WaitState,
): Promise<After> {
  const { enrichAfterwards = [], rows } = plan;
  const domains = enrichAfterwards.length === 0 ? [] : crawledOf(plan, state);
  // Such as a credential that was deleted meanwhile. Thrown, n8n would make one item of all rows.
  if (run instanceof Error) {
    const failed = { kind: 'failed', error: serviceErrorOf(failureJson(run)) } as const;
    return { enriched: new Map(domains.map((domain) => [domain, failed])) };
  }
  // What has ended the waiting need not end this. At most 1 credit for each company, and for each
  // partner that comes with it.
  const enriched = await lookUpAll(run.anew(), domains, enrichAfterwards);
  tellCost(context, run, rows.length);
  return { enriched, before: run.figures };
}

/** Tells what a run has cost that has read companies. */
export function tellCost(context: IExecuteFunctions, { figures }: Run, rows: number): void {
  if (figures.asked === 0 && figures.creditsAtMost === 0) return;
  context.addExecutionHints(figuresHint(figures, false));
  recordFigures(context, figures, rows);
}

/** The companies of a plan that were crawled without an error. */
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

/** What came of reading the companies that were crawled. */
interface After {
  readonly enriched?: ReadonlyMap<string, DomainOutcome>;
  /** What the run has come to. */
  readonly before?: Figures;
}

/** The same as JSON, which n8n may store. */
export interface ReadJson extends IDataObject {
  /** Domains with the company, or with why there is none. */
  companies: Array<[domain: string, company: Row | null, failure: FailureJson | null]>;
  figures: (Figures & IDataObject) | null;
}

/** What was read, to be stored. */
export function toReadJson({ enriched = new Map(), before }: After): ReadJson & IDataObject {
  const companies = [...enriched].map(([domain, one]): ReadJson['companies'][number] => [
    domain,
    one.kind === 'row' ? one.row : null,
    one.kind === 'failed' ? failureJson(one.error) : null,
  ]);
  return { companies, figures: before === undefined ? null : { ...before } };
}

/** What was read, as it was stored. */
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
 * Makes one output item for each input item when waiting is over.
 *
 * @param inputs the input items, in the order of the plan's rows.
 * @throws what {@link itemsOf} throws.
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
  // What is in a list is no cell.
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

/** Columns of what was read afterwards, in a sheet. */
function columnsAfterwards(sections: readonly CompanySection[]): string[] {
  const columns = flatColumns(bulkCompanyFields(sections));
  // Those of rows that are not sent.
  return columns
    .filter((column) => column !== 'reason' && column !== 'message')
    .map((column) => `enrichment_${column}`);
}

const OWN_COLUMNS = new Set([
  ...COLUMNS,
  'last_seen_at',
  ...columnsAfterwards(['technologies', 'partnerships', 'firmographics']),
]);

/** Columns that rows of this plan have in any case. */
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

/** The crawl must not be done again to read what it brought. */
function afterCrawl(failure: ServiceError, jobId: string): ServiceError {
  return failure.retold({
    hint: `${failure.hint} The company was refreshed; Bulk Enrich reads its data.`,
    details: { ...failure.details, job_id: jobId },
  });
}

function jobOutcome(wait: JobWait, plan: WaitPlan): Outcome {
  const failure = failureOf(wait, plan);
  if (failure !== undefined) return failed(failure);
  const { job_id, job, finished } = wait;
  return succeeded({ ...structuredClone(job), job_id, finished });
}

/** A domain may be done, and its result known, while its job still works on others. */
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

/** Why a job gives no result, or none yet that the user wants to see. */
function failureOf(wait: JobWait, plan: WaitPlan): Error | undefined {
  if (wait.finished) return undefined;
  const known = wait.failure ?? wait.trouble;
  if (known !== null) return withJob(known, wait.job_id);
  return plan.ifStillRunning === 'error' ? stillRunning(wait.job_id, plan) : undefined;
}

/** The job was started whatever happened since, and must not be started again to be waited for. */
function withJob({ details, ...known }: FailureJson, jobId: string): ServiceError {
  const said = typeof details.hint === 'string' ? details.hint : '';
  const goesOn = `The refresh job ${cut(jobId, SHOWN_OF_ID)} goes on: wait for it with Wait for Job.`;
  const hint = known.error === 'job_not_found' ? said : `${said} ${goesOn}`.trim();
  return serviceErrorOf({ ...known, details: { ...details, job_id: jobId, hint } });
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
  return noEntry(domain, `The refresh job ${cut(job_id, SHOWN_OF_ID)}`, { job_id });
}
