import { NodeApiError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import { startRefresh } from '../../service/jobs';
import type { NormalizeOptions } from '../../input/domains';
import type { Run } from '../../run/run';
import { toErrorItem, getOnError, throwFirstFailure } from '../failures';
import { openRun } from '../open-run';
import type { RunLimits } from '../parameters/readers';
import { createMissingEntryError, toFailure, type Result } from '../items/row-result';
import { runOnceInBatches, type CompanyRequest, type Rows, type Task } from '../items/tasks';
import { readDomainRows, type RowOptions } from '../items/read';
import { toOutcomes } from '../items/write';
import { outputWhenOver, type WaitOptions } from './wait';
import { toRowPlan, type RowPlan } from './wait-state';

/** Distinct domains in jobs of up to 100, one wait for all, and one output item per input item, in order. */
export async function refreshAndWait(
  context: IExecuteFunctions,
  options: WaitOptions & RowOptions,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<CompanyRequest>(context, options, ({ domain }) => ({ domain }));
  const run = await openRun(context, options);
  const { jobs, firstMs } = await startJobs(context, run, rows);
  const plans = rows.rows.map((row) => toPlannedRow(row, jobs));
  const plan = { ...options, onError: getOnError(context), rows: plans };
  return await outputWhenOver(context, run, plan, firstMs);
}

function toPlannedRow(
  row: Task<CompanyRequest> | Result,
  jobs: ReadonlyMap<string, string>,
): RowPlan {
  if (!('request' in row)) return toRowPlan(row);
  const { domain } = row.request;
  const jobId = jobs.get(domain);
  return jobId === undefined ? toRowPlan(row.outcome) : { kind: 'domain', domain, jobId };
}

/** One output item per job, paired with all items whose domain is in it, then one per invalid or failed item. */
export async function startRefreshes(
  context: IExecuteFunctions,
  options: NormalizeOptions & RunLimits,
): Promise<INodeExecutionData[][]> {
  const rows = readDomainRows<CompanyRequest>(context, options, ({ domain }) => ({ domain }));
  const run = await openRun(context, options);
  const { jobs } = await startJobs(context, run, rows);
  const items: INodeExecutionData[] = [];
  const started = new Map<string, { domains: Set<string>; pairedItem: Array<{ item: number }> }>();
  for (const [item, row] of rows.rows.entries()) {
    const { domain = '' } = 'request' in row ? row.request : {};
    const jobId = jobs.get(domain);
    if (!('request' in row))
      items.push(...row.outputs.map(({ json }) => ({ json, pairedItem: { item } })));
    if (jobId === undefined) continue;
    const job = started.get(jobId) ?? { domains: new Set(), pairedItem: [] };
    job.domains.add(domain);
    job.pairedItem.push({ item });
    started.set(jobId, job);
  }
  const failures = toOutcomes(rows).flatMap(({ failure }, item) =>
    failure === undefined ? [] : [toErrorItem(failure, item)],
  );
  const jobItems = [...started].map(([job_id, { domains, pairedItem }]) => {
    return { json: { job_id, domain_count: domains.size, domains: [...domains] }, pairedItem };
  });
  return [[...jobItems, ...items, ...failures]];
}

/** Retry On Fail finds the jobs of the first attempt. Domains that were not started get an outcome. */
async function startJobs(
  context: IExecuteFunctions,
  run: Run,
  rows: Rows<CompanyRequest>,
): Promise<{ readonly jobs: ReadonlyMap<string, string>; readonly firstMs: number }> {
  const { outcomes } = await runOnceInBatches(context, run, rows.tasks, {
    what: 'refresh',
    itemIndex: 0,
    act: async (part, batch) => {
      const { job_id, retryAfterMs = 0 } = await startRefresh(part, batch);
      return new Map(batch.map((domain) => [domain, { job_id, retry_after_ms: retryAfterMs }]));
    },
  });
  const jobs = new Map<string, string>();
  let firstMs = 0;
  for (const task of rows.tasks) {
    const { domain } = task.request;
    const outcome = outcomes.get(domain);
    if (outcome?.kind === 'row') {
      jobs.set(domain, String(outcome.row.job_id));
      firstMs = Math.max(firstMs, Number(outcome.row.retry_after_ms));
    } else {
      task.outcome = toFailure(
        outcome?.kind === 'failed' ? outcome.error : createMissingEntryError(domain),
        { domain },
      );
    }
  }
  throwFirstJobFailure(context, rows, [...new Set(jobs.values())]);
  return { jobs, firstMs };
}

/** The error lists jobs that already run, so they are not lost. */
function throwFirstJobFailure(
  context: IExecuteFunctions,
  rows: Rows<CompanyRequest>,
  running: readonly string[],
): void {
  try {
    throwFirstFailure(context, toOutcomes(rows));
  } catch (error) {
    if (error instanceof NodeApiError && running.length > 0) {
      error.description = `${error.description ?? ''} Jobs already started: ${running.join(', ')}. Wait for them with Wait for Job.`;
    }
    throw error;
  }
}
