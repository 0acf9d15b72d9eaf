import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asError, failureJson, onErrorOf, throwFirstFailure } from '../failures';
import { openRun } from '../open-run';
import { placeOf, type Parameter } from '../parameters/declare';
import { ItemParameters } from '../parameters/item-parameters';
import { timingOf } from '../run-options';
import type { WaitOptions } from './options';
import type { RowPlan } from './plan';
import { waitForPlan } from './wait';

/**
 * Waits for the jobs that the input items name, all at once, and gives one item for each input item
 * with its job as it was last seen.
 *
 * @throws {NodeApiError | NodeOperationError} naming the first item that failed, when On Error is
 * Stop Workflow; otherwise failures are items.
 */
export async function waitForJobs(
  context: IExecuteFunctions,
  options: WaitOptions,
  jobId: Parameter<string>,
): Promise<INodeExecutionData[][]> {
  const onError = onErrorOf(context);
  const reads = context
    .getInputData()
    .map((_item, index): { jobId: string } | { failure: Error } => {
      try {
        return { jobId: jobId.read(placeOf(new ItemParameters(context, index))) };
      } catch (error) {
        return { failure: asError(error) };
      }
    });
  if (onError === 'stop') {
    throwFirstFailure(
      context,
      reads.map((read) => ('failure' in read ? read.failure : undefined)),
    );
  }
  const rows = reads.map((read): RowPlan => {
    return 'jobId' in read
      ? { kind: 'job', jobId: read.jobId }
      : { kind: 'failed', failure: failureJson(read.failure), domain: null };
  });
  const run = await openRun(context, { timing: timingOf(options) });
  const plan = { ...options, output: 'result', resultField: '', onError, rows } as const;
  return await waitForPlan(context, run, plan, options.waitMode);
}
