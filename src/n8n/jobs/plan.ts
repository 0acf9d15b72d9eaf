import type { IDataObject } from 'n8n-workflow';

import type { CompanySection } from '../../api/companies';
import type { RowOptions } from '../bulk/domain-rows';
import type { RowResult } from '../bulk/items';
import type { RowOutput } from '../bulk/row-form';
import { failureJson, type FailureJson, type OnError } from '../failures';
import type { RunLimits } from '../parameters/for-run';

/** Options of operations that wait. They hold for the whole run. */
export interface WaitOptions extends RunLimits {
  readonly maxWaitMinutes: number;
  readonly waitMode: 'durable' | 'inExecution';
  readonly ifStillRunning: 'item' | 'error';
}

/** The same of the operation that starts the jobs itself. */
export interface RefreshOptions extends WaitOptions, RowOptions {
  /** Companies that were seen within this many days are left alone; 0 to refresh all. */
  readonly onlyIfOlderThanDays: number;
  /** What is read of the companies afterwards. */
  readonly enrichAfterwards: readonly CompanySection[];
}

/**
 * What one input item waits for. Plain JSON, like everything in this file: a durable wait hands it
 * to the workflow that waits.
 */
export type RowPlan =
  /** A domain that is being refreshed by a job. */
  | { readonly kind: 'domain'; readonly domain: string; readonly jobId: string }
  /** A job as a whole. */
  | { readonly kind: 'job'; readonly jobId: string }
  /** There is nothing to wait for, and this is the result. */
  | { readonly kind: 'result'; readonly result: IDataObject }
  /** The item has failed already. */
  | { readonly kind: 'failed'; readonly failure: FailureJson; readonly domain: string | null };

/** How waiting is done and what comes out, for all items of a run. */
export interface WaitPlan extends RowOutput, Omit<RunLimits, 'maxCredits'> {
  readonly rows: readonly RowPlan[];
  readonly onError: OnError;
  readonly ifStillRunning: 'item' | 'error';
  readonly maxWaitMinutes: number;
  /** What is read of the companies when they are refreshed; nothing if left out. */
  readonly enrichAfterwards?: readonly CompanySection[];
  /** Credits that reading them may spend; null for no limit. */
  readonly creditsLeft?: number | null;
}

/** What became of one input item before the wait; it may be no plain JSON yet. */
export type RowStart = RowResult | Extract<RowPlan, { jobId: string }>;

/** The same as it is handed on. */
export function planOf(start: RowStart): RowPlan {
  if (start.kind !== 'failure') return start;
  return { kind: 'failed', failure: failureJson(start.failure), domain: start.domain };
}

/** The jobs that items wait for, each of them once. */
export function jobsOf(rows: ReadonlyArray<RowPlan | RowStart>): string[] {
  return [...new Set(rows.flatMap((row) => ('jobId' in row ? [row.jobId] : [])))];
}
