import { getJob } from '../../api/jobs';
import type { CallOptions, Client } from '../../client/client';
import {
  CancelledError,
  ConnectionError,
  InvalidResponseError,
  RateLimitError,
  ServerError,
} from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { asError, failureJson } from '../failures';
import { afterRound, type Poll, type WaitState } from './wait-state';

/**
 * Asks once about every job that is still waited for.
 *
 * @throws {CancelledError} when the run is stopped.
 */
export async function pollRound(
  client: Client,
  state: WaitState,
  options: CallOptions,
): Promise<WaitState> {
  const open = state.jobs.filter((job) => !job.finished && job.failure === null);
  const polls = await inParallel(open, async ({ job_id }) => {
    return [job_id, await poll(client, job_id, options)] as const;
  });
  return afterRound(state, new Map(polls));
}

async function poll(client: Client, jobId: string, options: CallOptions): Promise<Poll> {
  try {
    const { row, finished, retryAfterMs } = await getJob(client, jobId, options);
    return { kind: 'seen', job: row, finished, retryAfterMs };
  } catch (error) {
    if (error instanceof CancelledError || options.signal?.aborted === true) throw error;
    const failure = failureJson(asError(error));
    return { kind: mayPass(error) ? 'trouble' : 'failed', failure };
  }
}

/** Whether the next round may fare better: a crawl goes on while the service is out of reach. */
function mayPass(error: unknown): boolean {
  return [ConnectionError, ServerError, RateLimitError, InvalidResponseError].some(
    (kind) => error instanceof kind,
  );
}
