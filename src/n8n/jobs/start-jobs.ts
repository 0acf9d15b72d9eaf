import type { IExecuteFunctions } from 'n8n-workflow';

import { startRefresh } from '../../api/jobs';
import { LIMITS } from '../../input/limits';
import type { Run } from '../../run/run';
import { onceInBatches } from '../bulk/once-in-batches';

/** What came of starting to refresh one domain. */
export type Started =
  | {
      readonly jobId: string;
      /** How long the service asks to wait before the first look at it; 0 when it does not say. */
      readonly retryAfterMs: number;
    }
  | { readonly failure: Error };

/**
 * Starts a refresh job for each hundred domains, several at once. In one run of a node no domain is
 * started twice: Retry On Fail finds the jobs of the first try.
 *
 * @param domains normalized and distinct.
 * @returns what came of each domain.
 * @throws {CancelledError} when the run is stopped.
 */
export async function startJobs(
  context: IExecuteFunctions,
  run: Run,
  domains: readonly string[],
): Promise<Map<string, Started>> {
  const { outcomes } = await onceInBatches(context, run, {
    what: 'refresh',
    itemIndexOf: () => 0,
    domains,
    batchSize: LIMITS.batchSize,
    act: async (part, batch) => {
      const { job_id, retryAfterMs = 0 } = await startRefresh(part, batch);
      return new Map(batch.map((domain) => [domain, { job_id, retry_after_ms: retryAfterMs }]));
    },
  });
  return new Map(
    [...outcomes].map(([domain, outcome]): [string, Started] => {
      if (outcome.kind === 'failed') return [domain, { failure: outcome.error }];
      const { job_id, retry_after_ms } = outcome.kind === 'row' ? outcome.row : {};
      return [
        domain,
        {
          jobId: typeof job_id === 'string' ? job_id : '',
          retryAfterMs: Number(retry_after_ms ?? 0),
        },
      ];
    }),
  );
}
