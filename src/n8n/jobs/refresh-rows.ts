import { NodeApiError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../../input/inputs';
import {
  distinctDomains,
  invalidResult,
  readDomainRows,
  type DomainRow,
} from '../bulk/domain-rows';
import { outputFor } from '../agents';
import { errorItem, failureJson, failureOf, onErrorOf, throwFirstFailure } from '../failures';
import { shareText } from '../figures';
import { hint } from '../hint';
import type { Run } from '../../run/run';
import { openRun } from '../open-run';
import { guardOf, timingOf } from '../run-options';
import type { DomainReading } from '../bulk/options';
import type { RunLimits } from '../parameters/for-run';
import { agesOf, givenAges, NO_AGES, type Ages } from './ages';
import type { RefreshOptions } from './options';
import type { RowPlan } from './plan';
import { startJobs, type Started } from './start-jobs';
import { waitForPlan } from './wait';

type Job = Extract<Started, { jobId: string }>;

/** What became of one input item when jobs were started. */
type RowStart =
  | { readonly kind: 'started'; readonly domain: string; readonly job: Job }
  /** It was seen lately, and nothing was started. */
  | { readonly kind: 'fresh'; readonly domain: string; readonly lastSeen: number }
  | { readonly kind: 'invalid'; readonly reason: string; readonly message: string }
  | { readonly kind: 'failed'; readonly failure: Error; readonly domain: string | null };

/**
 * Refreshes the companies of all input items and waits: distinct domains in jobs of up to a hundred,
 * one wait for all of them, one output item for each input item, in order. Rows without a usable
 * domain are results too; nothing is sent for them.
 *
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export async function refreshAndWait(
  context: IExecuteFunctions,
  options: RefreshOptions,
): Promise<INodeExecutionData[][]> {
  const given = givenAges(context, readDomainRows(context, context.getInputData().length, options));
  throwFailedRow(context, given.rows);
  const run = await openRun(context, { timing: timingOf(options), credits: guardOf(options) });
  const { onlyIfOlderThanDays: days } = options;
  const ages = days === 0 ? NO_AGES : await agesOf(run, given, days);
  const starts = await startForRows(context, run, given.rows, ages);
  tellFresh(context, starts);
  const plan = {
    ...outputFor(context, options),
    onError: onErrorOf(context),
    rows: starts.map(planOf),
    creditsLeft: Number.isFinite(run.credits.available) ? run.credits.available : null,
  };
  const waits = starts.map((row) => (row.kind === 'started' ? row.job.retryAfterMs : 0));
  const firstMs = waits.reduce((longest, wait) => Math.max(longest, wait), 0);
  return await waitForPlan(context, run, plan, options.waitMode, firstMs);
}

/**
 * Starts refresh jobs for the companies of all input items and does not wait: one output item for
 * each job, paired with all items whose domain is in it, then one for each item that failed. Rows
 * without a usable domain fail.
 *
 * @throws as {@link refreshAndWait}.
 */
export async function startRefreshes(
  context: IExecuteFunctions,
  options: DomainReading & RunLimits,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows(context, context.getInputData().length, options).map(orFailed);
  throwFailedRow(context, rows);
  const run = await openRun(context, { timing: timingOf(options) });
  const starts = await startForRows(context, run, rows);
  const jobs = new Map<string, { domains: Set<string>; items: number[] }>();
  const failed: INodeExecutionData[] = [];
  for (const [itemIndex, start] of starts.entries()) {
    if (start.kind === 'failed') failed.push(errorItem(start.failure, itemIndex));
    if (start.kind !== 'started') continue;
    const { jobId } = start.job;
    const job = jobs.get(jobId) ?? { domains: new Set(), items: [] };
    job.domains.add(start.domain);
    job.items.push(itemIndex);
    jobs.set(jobId, job);
  }
  const started = [...jobs].map(([job_id, { domains, items }]): INodeExecutionData => {
    return {
      json: { job_id, domain_count: domains.size, domains: [...domains] },
      pairedItem: items.map((item) => ({ item })),
    };
  });
  return [[...started, ...failed]];
}

async function startForRows(
  context: IExecuteFunctions,
  run: Run,
  rows: readonly DomainRow[],
  ages = NO_AGES,
): Promise<RowStart[]> {
  const stop = onErrorOf(context) === 'stop';
  if (stop) throwFirstFailure(context, rows.map(ageFailure(ages)), run.figures);
  const old = distinctDomains(rows).filter(
    (domain) => !ages.fresh.has(domain) && !ages.failures.has(domain),
  );
  const started = await startJobs(context, run, old);
  const starts = rows.map((row) => startOf(row, started, ages));
  if (stop) throwFirstStart(context, starts);
  return starts;
}

/** A row that has failed before anything was sent. */
function throwFailedRow(context: IExecuteFunctions, rows: readonly DomainRow[]): void {
  if (onErrorOf(context) !== 'stop') return;
  throwFirstFailure(context, rows.map(failureOf));
}

function ageFailure({ failures }: Ages): (row: DomainRow) => Error | undefined {
  return (row) => (row.kind === 'domain' ? failures.get(row.found.domain) : undefined);
}

function tellFresh(context: IExecuteFunctions, starts: readonly RowStart[]): void {
  const fresh = starts.filter(({ kind }) => kind === 'fresh').length;
  if (fresh === 0) return;
  const told = `${shareText(fresh, starts.length, 'rows')} are of companies that were seen lately and left alone.`;
  context.addExecutionHints(hint(told));
}

function startOf(
  row: DomainRow,
  started: ReadonlyMap<string, Started>,
  { fresh, failures }: Ages,
): RowStart {
  if (row.kind === 'failed') return { ...row, domain: null };
  if (row.kind === 'invalid') {
    return { kind: 'invalid', reason: row.found.reason, message: row.found.message };
  }
  const { domain } = row.found;
  const failure = failures.get(domain);
  if (failure !== undefined) return { kind: 'failed', domain, failure };
  const lastSeen = fresh.get(domain);
  if (lastSeen !== undefined) return { kind: 'fresh', domain, lastSeen };
  const start = started.get(domain);
  if (start === undefined) throw new Error(`Nothing came of starting to refresh ${domain}`);
  return 'jobId' in start
    ? { kind: 'started', domain, job: start }
    : { kind: 'failed', domain, failure: start.failure };
}

/** Jobs that run already must not be lost with the error about another. */
function throwFirstStart(context: IExecuteFunctions, starts: readonly RowStart[]): void {
  const running = [
    ...new Set(starts.flatMap((start) => (start.kind === 'started' ? [start.job.jobId] : []))),
  ];
  try {
    throwFirstFailure(context, starts.map(failureOf));
  } catch (error) {
    if (error instanceof NodeApiError && running.length > 0) {
      error.description = `${error.description ?? ''} Started already: ${running.join(', ')}. Wait for Job waits for them.`;
    }
    throw error;
  }
}

function planOf(start: RowStart): RowPlan {
  switch (start.kind) {
    case 'started':
      return { kind: 'domain', domain: start.domain, jobId: start.job.jobId };
    case 'invalid':
      return { kind: 'result', result: invalidResult(null, start.reason, start.message) };
    case 'fresh': {
      const last_seen_at = new Date(start.lastSeen).toISOString();
      return { kind: 'result', result: { domain: start.domain, status: 'fresh', last_seen_at } };
    }
    case 'failed':
      return { kind: 'failed', failure: failureJson(start.failure), domain: start.domain };
  }
}

/** There is no item in which a row without a usable domain could be said to be invalid. */
function orFailed(row: DomainRow): DomainRow {
  if (row.kind !== 'invalid') return row;
  const advice = 'Give a domain, a URL or an e-mail address, or leave this row out.';
  return { kind: 'failed', failure: new InputError(row.found.message, advice) };
}
