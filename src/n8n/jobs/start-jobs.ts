import type { IExecuteFunctions } from 'n8n-workflow';

import { endsTheRun, notAttempted } from '../../api/ends-the-run';
import { startRefresh } from '../../api/jobs';
import { LIMITS } from '../../api/limits';
import type { CallOptions } from '../../client/client';
import { BatchTooLargeError, CancelledError, type NotAttemptedError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { asError } from '../failures';
import { once } from '../once';
import type { Connection } from '../open-client';

/** What came of one batch of domains. */
export type StartedBatch = { readonly domains: readonly string[] } & (
  { readonly jobId: string } | { readonly failure: Error }
);

/**
 * Starts a refresh job for each hundred domains, several at once. In one run of a node no domain is
 * started twice: Retry On Fail finds the jobs of the first try. The batches are cut the same way
 * each time for that reason.
 *
 * @param domains normalized and distinct.
 * @throws {CancelledError} when the run is stopped.
 */
export async function startJobs(
  context: IExecuteFunctions,
  { client, maxBatchSize }: Connection,
  domains: readonly string[],
  stopAtFirstFailure: boolean,
  signal: AbortSignal | undefined,
): Promise<StartedBatch[]> {
  let stopped: NotAttemptedError | undefined;
  const options: CallOptions = {
    signal,
    beforeSend: () => {
      if (stopped !== undefined) throw stopped;
    },
  };
  const start = async (batch: readonly string[]): Promise<StartedBatch[]> => {
    try {
      const job = await once(context, 0, JSON.stringify(batch), async () => {
        return await startRefresh(client, batch, options);
      });
      return [{ domains: batch, jobId: job.job_id }];
    } catch (error) {
      if (error instanceof CancelledError || signal?.aborted === true) throw error;
      if (error instanceof BatchTooLargeError && batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        return [...(await start(batch.slice(0, half))), ...(await start(batch.slice(half)))];
      }
      if (stopAtFirstFailure || endsTheRun(error)) stopped ??= notAttempted(error);
      return [{ domains: batch, failure: asError(error) }];
    }
  };
  const batches = cut(domains, Math.min(LIMITS.batchSize, maxBatchSize));
  return (await inParallel(batches, start)).flat();
}

function cut(domains: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(domains.length / size) }, (_unused, index) =>
    domains.slice(index * size, (index + 1) * size),
  );
}
