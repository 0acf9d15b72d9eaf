import { getJob } from '../../api/jobs';
import { CancelledError, NotFoundError, ServiceError } from '../../client/errors';
import { inParallel } from '../../client/parallel';
import { sleep } from '../../client/sleep';
import type { Run } from '../../run/run';
import { asError, failureJson, type FailureJson } from '../failures';
import { afterRound, type Poll, type WaitState } from './wait-state';

/** A service of several machines may not know a job everywhere when it has just begun. */
const NOT_THERE_YET_MS = 10_000;
const LOOK_AGAIN_MS = 2000;

/**
 * Asks once about every job that is still waited for.
 *
 * @param haveJustBegun the jobs were started a moment ago: one that is not found is not there yet.
 * @throws {CancelledError} when the run is stopped.
 */
export async function pollRound(
  run: Run,
  state: WaitState,
  haveJustBegun = false,
): Promise<WaitState> {
  // An outage that ended this round must not end the next: the crawls go on meanwhile.
  const round = run.anew();
  const open = state.jobs.filter((job) => !job.finished && job.failure === null);
  const lookUntil = Math.min(Date.now() + NOT_THERE_YET_MS, state.give_up_at);
  const polls = await inParallel(open, async ({ job_id }) => {
    let found = await poll(round, job_id);
    while (haveJustBegun && found.kind === 'unknown' && Date.now() + LOOK_AGAIN_MS <= lookUntil) {
      await sleep(LOOK_AGAIN_MS, run.signal);
      found = await poll(round, job_id);
    }
    if (found.kind !== 'unknown') return [job_id, found] as const;
    return [job_id, { ...found, kind: haveJustBegun ? 'trouble' : 'failed' }] as const;
  });
  return afterRound(state, new Map(polls));
}

/** What is learned of a job; `unknown` when the service does not know it. */
type Found = Poll | { readonly kind: 'unknown'; readonly failure: FailureJson };

async function poll(run: Run, jobId: string): Promise<Found> {
  try {
    const { row, finished, retryAfterMs } = await getJob(run, jobId);
    return { kind: 'seen', job: row, finished, retryAfterMs };
  } catch (error) {
    if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
    const failure = failureJson(asError(error));
    if (error instanceof NotFoundError) return { kind: 'unknown', failure };
    // A crawl goes on while the service is out of reach: the next round may fare better.
    const mayPass = error instanceof ServiceError && error.mayPass;
    return { kind: mayPass ? 'trouble' : 'failed', failure };
  }
}
