import { NodeApiError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { startRefresh } from '../../service/jobs';
import type { NormalizeOptions } from '../../input/domains';
import type { Run } from '../../run/run';
import { toErrorItem, getOnError, throwFirstFailure } from '../failures';
import { openRun } from '../open-run';
import type { RunLimits } from '../parameters/readers';
import { createMissingEntryError, toFailure, type Result } from '../items/row-result';
import { joinResults, type Rows } from '../items/engine';
import { runOnceInBatches } from '../items/once-in-batches';
import { readDomainRows, type RowOptions } from '../items/read';
import { outputWhenOver, type WaitOptions } from './wait';
import { toStoredResult } from './wait-state';

/** Distinct domains in jobs of up to 100, one wait for all, and one output item per input item, in order. */
export async function refreshAndWait(
  context: IExecuteFunctions,
  options: WaitOptions & RowOptions,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<string>(context, options, ({ domain }) => domain);
  const run = await openRun(context, options);
  const { jobs, failed, firstMs } = await startJobs(context, run, rows);
  const results = joinResults(rows, failed);
  const planned = rows.rows.map((row, item) => {
    const job = 'request' in row ? jobs.get(row.request) : undefined;
    return job ?? toStoredResult(results[item] ?? { outputs: [] });
  });
  const plan = { ...options, onError: getOnError(context), rows: planned };
  return await outputWhenOver(context, run, plan, firstMs);
}

/** One output item per job, paired with all items whose domain is in it, then one per invalid or failed item. */
export async function startRefreshes(
  context: IExecuteFunctions,
  options: NormalizeOptions & RunLimits,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<string>(context, options, ({ domain }) => domain);
  const run = await openRun(context, options);
  const { jobs, failed } = await startJobs(context, run, rows);
  const started = new Map<string, { domains: Set<string>; pairedItem: Array<{ item: number }> }>();
  for (const [item, row] of rows.rows.entries()) {
    const { job_id, domain } = ('request' in row ? jobs.get(row.request) : undefined) ?? {};
    if (job_id === undefined || domain === undefined) continue;
    const job = started.get(job_id) ?? { domains: new Set(), pairedItem: [] };
    job.domains.add(domain);
    job.pairedItem.push({ item });
    started.set(job_id, job);
  }
  const results = joinResults(rows, failed);
  const items = results.flatMap(({ outputs }, item) =>
    outputs.map(({ json }) => ({ json, pairedItem: { item } })),
  );
  const failures = results.flatMap(({ failure }, item) =>
    failure === undefined ? [] : [toErrorItem(failure, item)],
  );
  const jobItems = [...started].map(([job_id, { domains, pairedItem }]) => {
    return { json: { job_id, domain_count: domains.size, domains: [...domains] }, pairedItem };
  });
  return [[...jobItems, ...items, ...failures]];
}

/** Retry On Fail finds the jobs of the first attempt. Domains that were not started have failed. */
async function startJobs(context: IExecuteFunctions, run: Run, rows: Rows<string>) {
  // All are recorded for the first item.
  const items = new Map(Array.from(rows.requests.keys(), (domain) => [domain, 0]));
  const { outcomes } = await runOnceInBatches(context, run, items, {
    what: 'refresh',
    act: async (part, batch) => {
      const { job_id, retryAfterMs = 0 } = await startRefresh(part, batch);
      return new Map(batch.map((domain) => [domain, { job_id, retry_after_ms: retryAfterMs }]));
    },
  });
  const jobs = new Map<string, { readonly job_id: string; readonly domain: string }>();
  const failed = new Map<string, Result>();
  let firstMs = 0;
  for (const domain of rows.requests.keys()) {
    const outcome = outcomes.get(domain);
    if (outcome?.kind === 'row') {
      jobs.set(domain, { job_id: String(outcome.row.job_id), domain });
      firstMs = Math.max(firstMs, Number(outcome.row.retry_after_ms));
    } else {
      const error = outcome?.kind === 'failed' ? outcome.error : createMissingEntryError(domain);
      failed.set(domain, toFailure(error, { domain }));
    }
  }
  try {
    throwFirstFailure(context, joinResults(rows, failed));
  } catch (error) {
    if (error instanceof NodeApiError && jobs.size > 0) {
      const running = new Set(Array.from(jobs.values(), ({ job_id }) => job_id));
      // Jobs that already run must not be lost.
      error.description = `${error.description ?? ''} Jobs already started: ${[...running].join(', ')}. Wait for them with Wait for Job.`;
    }
    throw error;
  }
  return { jobs, failed, firstMs };
}
