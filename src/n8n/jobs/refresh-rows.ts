import { NodeApiError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { startRefresh } from '../../api/jobs';
import type { NormalizeOptions } from '../../input/domains';
import { LIMITS } from '../../input/limits';
import type { DomainOutcome } from '../../run/batches';
import type { Run } from '../../run/run';
import { outputFor } from '../agents';
import {
  distinctDomains,
  noEntry,
  readDomainRows,
  resultsOf,
  type DomainRow,
} from '../bulk/domain-rows';
import { onceInBatches } from '../bulk/once-in-batches';
import { errorItem, onErrorOf, throwFirstFailure } from '../failures';
import { shareText } from '../figures';
import { hint } from '../hint';
import { openRun } from '../open-run';
import type { RunLimits } from '../parameters/for-run';
import { lastSeenReader, leftAlone, type LeftAlone } from './ages';
import { jobsOf, planOf, type RefreshOptions, type RowStart } from './plan';
import { waitForPlan } from './wait';

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
  const rows = readDomainRows(context, options, lastSeenReader(context));
  const run = await openRun(context, options);
  const alone = await leftAlone(run, rows, options.onlyIfOlderThanDays);
  const { starts, firstMs } = await startForRows(context, run, rows, alone);
  tellFresh(context, starts);
  const plan = {
    ...outputFor(context, options),
    onError: onErrorOf(context),
    rows: starts.map(planOf),
    creditsLeft: Number.isFinite(run.credits.available) ? run.credits.available : null,
  };
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
  options: NormalizeOptions & RunLimits,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows(context, { ...options, invalidFails: true }, () => undefined);
  const run = await openRun(context, options);
  const { starts } = await startForRows(context, run, rows);
  const jobs = new Map<string, { domains: Set<string>; items: number[] }>();
  const failed: INodeExecutionData[] = [];
  for (const [itemIndex, start] of starts.entries()) {
    if (start.kind === 'failure') failed.push(errorItem(start.failure, itemIndex));
    if (start.kind !== 'domain') continue;
    const job = jobs.get(start.jobId) ?? { domains: new Set(), items: [] };
    job.domains.add(start.domain);
    job.items.push(itemIndex);
    jobs.set(start.jobId, job);
  }
  const started = [...jobs].map(([job_id, { domains, items }]): INodeExecutionData => {
    return {
      json: { job_id, domain_count: domains.size, domains: [...domains] },
      pairedItem: items.map((item) => ({ item })),
    };
  });
  return [[...started, ...failed]];
}

/**
 * Starts a refresh job for each hundred domains, several at once. In one run of a node no domain is
 * started twice: Retry On Fail finds the jobs of the first try.
 *
 * @returns what came of each row, and how long the service asks to wait before the first look.
 */
async function startForRows(
  context: IExecuteFunctions,
  run: Run,
  rows: readonly DomainRow[],
  alone: LeftAlone = new Map(),
): Promise<{ readonly starts: RowStart[]; readonly firstMs: number }> {
  throwFirstFailure(
    context,
    resultsOf(rows, ({ found }) => alone.get(found.domain) ?? found),
    { before: run.figures },
  );
  const { outcomes } = await onceInBatches(context, run, {
    what: 'refresh',
    itemIndexOf: () => 0,
    domains: distinctDomains(rows).filter((domain) => !alone.has(domain)),
    batchSize: LIMITS.batchSize,
    act: async (part, batch) => {
      const { job_id, retryAfterMs = 0 } = await startRefresh(part, batch);
      return new Map(batch.map((domain) => [domain, { job_id, retry_after_ms: retryAfterMs }]));
    },
  });
  const starts = resultsOf(
    rows,
    ({ found: { domain } }) => alone.get(domain) ?? startOf(domain, outcomes.get(domain)),
  );
  throwFirstStart(context, starts);
  const waits = [...outcomes.values()].map((one) =>
    one.kind === 'row' ? Number(one.row.retry_after_ms) : 0,
  );
  return { starts, firstMs: waits.reduce((longest, wait) => Math.max(longest, wait), 0) };
}

function startOf(domain: string, outcome: DomainOutcome | undefined): RowStart {
  if (outcome?.kind === 'row') {
    return { kind: 'domain', domain, jobId: String(outcome.row.job_id) };
  }
  const failure =
    outcome?.kind === 'failed' ? outcome.error : noEntry('The answer of the service', domain);
  return { kind: 'failure', domain, failure };
}

function tellFresh(context: IExecuteFunctions, starts: readonly RowStart[]): void {
  const isFresh = (one: RowStart) => one.kind === 'result' && one.result.status === 'fresh';
  const fresh = starts.filter(isFresh).length;
  if (fresh === 0) return;
  const told = `${shareText(fresh, starts.length, 'rows')} are of companies that were seen lately and left alone.`;
  context.addExecutionHints(hint(told));
}

/** Jobs that run already must not be lost with the error about another. */
function throwFirstStart(context: IExecuteFunctions, starts: readonly RowStart[]): void {
  const running = jobsOf(starts);
  try {
    throwFirstFailure(context, starts);
  } catch (error) {
    if (error instanceof NodeApiError && running.length > 0) {
      error.description = `${error.description ?? ''} Started already: ${running.join(', ')}. Wait for Job waits for them.`;
    }
    throw error;
  }
}
