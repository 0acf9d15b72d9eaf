import { getJob } from '../../api/jobs';
import {
  CancelledError,
  ConnectionError,
  InvalidResponseError,
  NotAttemptedError,
  RateLimitError,
  ServerError,
} from '../../client/errors';
import { inParallel } from '../../client/parallel';
import type { Run } from '../../run/run';
import { asError, failureJson } from '../failures';
import { afterRound, type Poll, type WaitState } from './wait-state';

/**
 * Asks once about every job that is still waited for.
 *
 * @throws {CancelledError} when the run is stopped.
 */
export async function pollRound(run: Run, state: WaitState): Promise<WaitState> {
  // An outage that ended this round must not end the next: the crawls go on meanwhile.
  const round = run.anew();
  const open = state.jobs.filter((job) => !job.finished && job.failure === null);
  const polls = await inParallel(open, async ({ job_id }) => {
    return [job_id, await poll(round, job_id)] as const;
  });
  return afterRound(state, new Map(polls));
}

async function poll(run: Run, jobId: string): Promise<Poll> {
  try {
    const { row, finished, retryAfterMs } = await getJob(run, jobId);
    return { kind: 'seen', job: row, finished, retryAfterMs };
  } catch (error) {
    if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
    const failure = failureJson(asError(error));
    return { kind: mayPass(error) ? 'trouble' : 'failed', failure };
  }
}

/** Whether the next round may fare better: a crawl goes on while the service is out of reach. */
function mayPass(error: unknown): boolean {
  return [
    ConnectionError,
    ServerError,
    RateLimitError,
    InvalidResponseError,
    NotAttemptedError,
  ].some((kind) => error instanceof kind);
}
