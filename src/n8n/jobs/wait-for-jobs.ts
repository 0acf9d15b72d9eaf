import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readEach } from '../bulk/items';
import { RESULT_ALONE } from '../bulk/row-form';
import { onErrorOf } from '../failures';
import { openRun } from '../open-run';
import { placeOf, type Parameter } from '../parameters/declare';
import { ItemParameters } from '../parameters/item-parameters';
import { planOf, type RowStart, type WaitOptions } from './plan';
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
  const rows = readEach(context, (itemIndex): RowStart => {
    return { kind: 'job', jobId: jobId.read(placeOf(new ItemParameters(context, itemIndex))) };
  }).map(planOf);
  const run = await openRun(context, options);
  const plan = {
    ...options,
    ...RESULT_ALONE,
    onError: onErrorOf(context),
    rows,
  };
  return await waitForPlan(context, run, plan, options.waitMode);
}
