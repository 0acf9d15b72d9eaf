import type { IExecuteFunctions } from 'n8n-workflow';

import { startRefresh } from '../../api/jobs';
import { LIMITS } from '../../api/limits';
import type { Run } from '../../run/run';
import { once } from '../once';

/** What came of starting to refresh one domain. */
export type Started = { readonly jobId: string } | { readonly failure: Error };

/**
 * Starts a refresh job for each hundred domains, several at once. In one run of a node no domain is
 * started twice: Retry On Fail finds the jobs of the first try. The batches are cut the same way
 * each time for that reason.
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
  const { outcomes } = await run.batches({
    domains,
    batchSize: LIMITS.batchSize,
    creditsOf: () => 0,
    ask: async (part, batch) => {
      const job = await once(
        context,
        0,
        JSON.stringify(batch),
        async () => await startRefresh(part, batch),
      );
      return {
        rows: new Map(batch.map((domain) => [domain, job])),
        rejected: new Set(),
        oddities: [],
      };
    },
  });
  return new Map(
    [...outcomes].map(([domain, outcome]): [string, Started] => {
      if (outcome.kind === 'failed') return [domain, { failure: outcome.error }];
      return [domain, { jobId: String(outcome.kind === 'row' ? outcome.row.job_id : '') }];
    }),
  );
}
