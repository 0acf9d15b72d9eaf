import type { IDataObject } from 'n8n-workflow';

import { getJob, type JobView } from '../../service/jobs';
import { CancelledError, NotFoundError, ServiceError } from '../../client/errors';
import { mapInParallel, sleep } from '../../concurrency';
import type { Run } from '../../run/run';
import { toError, toFailureJson, type FailureJson, type OnError } from '../failures';
import type { Outcome, RowOutput } from '../rows/output-items';

/*
 * The plan and state of a wait, and one polling round. A durable wait stores both in n8n's database
 * between rounds, so they are plain JSON.
 */

/** What an input item waits for. */
export type RowPlan =
  /** A domain that a job is refreshing. */
  | { readonly kind: 'domain'; readonly domain: string; readonly jobId: string }
  | { readonly kind: 'job'; readonly jobId: string }
  /** A result without waiting. */
  | { readonly kind: 'result'; readonly result: IDataObject }
  /** The item has already failed. */
  | { readonly kind: 'failed'; readonly failure: FailureJson; readonly domain: string | null };

/** How to wait and what to output, for all items of a run. */
export interface WaitPlan extends RowOutput {
  readonly rows: readonly RowPlan[];
  readonly onError: OnError;
  readonly maxWaitMinutes: number;
}

export function toRowPlan({ outputs, failure, domain = null }: Outcome = { outputs: [] }): RowPlan {
  if (failure !== undefined) return { kind: 'failed', failure: toFailureJson(failure), domain };
  return { kind: 'result', result: outputs[0]?.json ?? {} };
}

/** State of the wait for one job. */
export interface JobWait extends IDataObject {
  job_id: string;
  finished: boolean;
  /** Last response about the job; null before the first response. */
  job: IDataObject | null;
  /** Why polling ended for good; null while it continues. */
  failure: FailureJson | null;
  /** Why the last round got no response; null if it did. */
  trouble: FailureJson | null;
}

export interface WaitState extends IDataObject {
  jobs: JobWait[];
  rounds: number;
  /** Longest wait that a response of the last round, or of the start, requested, in milliseconds. */
  retry_after_ms: number;
  /** When the wait ends (Unix milliseconds). */
  give_up_at: number;
}

/** Wait between rounds if the service never specified one (API spec: `Retry-After: 60`). */
const USUAL_RETRY_AFTER_MS = 60_000;

/** Growth factor of waits per round, up to {@link MAX_GROWTH} times the requested wait. */
const GROWTH_PER_ROUND = 1.15;
const MAX_GROWTH = 3;

/** Maximum random share added to a wait, so that many workflows do not poll at the same time. */
const JITTER = 0.1;

/** @param retryAfterMs Wait that the service requests before the first round. */
export function createWaitState(
  jobIds: Iterable<string>,
  giveUpAt: number,
  retryAfterMs = 0,
): WaitState {
  const jobs = [...new Set(jobIds)].map(createJobWait);
  return { jobs, rounds: 0, retry_after_ms: retryAfterMs, give_up_at: giveUpAt };
}

export function createJobWait(jobId: string): JobWait {
  return { job_id: jobId, finished: false, job: null, failure: null, trouble: null };
}

export function isWaitComplete(state: WaitState): boolean {
  return state.jobs.every((job) => job.finished || job.failure !== null);
}

/** Ends the wait for all jobs that have not ended. */
export function abandonWait(state: WaitState, failure: FailureJson): WaitState {
  const jobs = state.jobs.map((job) => (job.finished || job.failure ? job : { ...job, failure }));
  return { ...state, jobs };
}

export type JobPollResult =
  | ({ readonly kind: 'seen' } & JobView)
  /** No response this time; the next round can succeed. */
  | { readonly kind: 'trouble'; readonly failure: FailureJson }
  /** Polling can never succeed. */
  | { readonly kind: 'failed'; readonly failure: FailureJson };

/** @param polls Results by job ID; jobs without an entry stay unchanged. */
export function applyPollRound(
  state: WaitState,
  polls: ReadonlyMap<string, JobPollResult>,
): WaitState {
  let retryAfterMs = 0;
  const before = state.retry_after_ms || USUAL_RETRY_AFTER_MS;
  const jobs = state.jobs.map((wait): JobWait => {
    const poll = polls.get(wait.job_id);
    switch (poll?.kind) {
      case undefined:
        return wait;
      case 'failed':
        return { ...wait, failure: poll.failure };
      case 'trouble':
        retryAfterMs = Math.max(retryAfterMs, before);
        return { ...wait, trouble: poll.failure };
      case 'seen':
        if (!poll.finished) {
          retryAfterMs = Math.max(retryAfterMs, poll.retryAfterMs ?? before);
        }
        return { ...wait, job: poll.row as IDataObject, finished: poll.finished, trouble: null };
    }
  });
  return { ...state, jobs, rounds: state.rounds + 1, retry_after_ms: retryAfterMs };
}

/** The last round can come this late, so that a wait of a minute has room for a `Retry-After` of a minute. */
const LAST_ROUND_GRACE_MS = 10_000;

/**
 * Returns the wait until the next round, in milliseconds (API spec: Errors, last paragraph, and
 * Companies, rule 3): at least `Retry-After`, growing, with jitter added, and not beyond the end of the
 * wait, except for a last round a few seconds later.
 *
 * @param shortestMs Minimum wait that is technically possible, in milliseconds.
 * @param random A number from 0 (inclusive) to 1 (exclusive).
 * @returns Undefined if no further round fits.
 */
export function getNextDelay(
  state: WaitState,
  now: number,
  shortestMs: number,
  random: number,
): number | undefined {
  const left = state.give_up_at - now;
  const earliest = Math.max(shortestMs, state.retry_after_ms);
  if (left <= 0 || left + LAST_ROUND_GRACE_MS < earliest) return undefined;
  const growth = Math.min(MAX_GROWTH, GROWTH_PER_ROUND ** (state.rounds - 1));
  const wanted = Math.max(earliest, state.retry_after_ms * growth * (1 + random * JITTER));
  // If the time left after that round is too short for another, poll at the end instead.
  return Math.ceil(left - wanted < earliest ? Math.max(left, earliest) : wanted);
}

/** Time in which a service with several servers may not find a new job everywhere. */
const NEW_JOB_DELAY_MS = 10_000;
const NEW_JOB_RETRY_MS = 2000;

/**
 * Polls every unfinished job once.
 *
 * @param haveJustBegun Whether the jobs were just started, so a missing job can still appear.
 * @throws {CancelledError} If the run is stopped.
 */
export async function pollJobs(
  run: Run,
  state: WaitState,
  haveJustBegun = false,
): Promise<WaitState> {
  // A new run, because an outage that ends this round must not end the next: the jobs continue.
  const round = run.withNewBreaker();
  const open = state.jobs.filter((job) => !job.finished && job.failure === null);
  const pollUntil = Math.min(Date.now() + NEW_JOB_DELAY_MS, state.give_up_at);
  const polls = await mapInParallel(open, async ({ job_id }) => {
    let found = await pollJob(round, job_id);
    while (
      haveJustBegun &&
      found.kind === 'unknown' &&
      Date.now() + NEW_JOB_RETRY_MS <= pollUntil
    ) {
      await sleep(NEW_JOB_RETRY_MS, run.signal);
      found = await pollJob(round, job_id);
    }
    if (found.kind !== 'unknown') return [job_id, found] as const;
    return [job_id, { ...found, kind: haveJustBegun ? 'trouble' : 'failed' }] as const;
  });
  return applyPollRound(state, new Map(polls));
}

/** Result of polling a job; `unknown` if the service does not find it. */
type FoundJob = JobPollResult | { readonly kind: 'unknown'; readonly failure: FailureJson };

async function pollJob(run: Run, jobId: string): Promise<FoundJob> {
  try {
    return { kind: 'seen', ...(await getJob(run, jobId)) };
  } catch (error) {
    if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
    const failure = toFailureJson(toError(error));
    if (error instanceof NotFoundError) return { kind: 'unknown', failure };
    // A job continues while the service is unreachable, so the next round can succeed.
    const mayPass = error instanceof ServiceError && error.isTransient;
    return { kind: mayPass ? 'trouble' : 'failed', failure };
  }
}
