import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../run/answers/rows';
import type { FailureJson } from '../failures';

/**
 * Where the wait for one job stands. Plain JSON: a durable wait keeps it in n8n's database between
 * its rounds.
 */
export interface JobWait extends IDataObject {
  job_id: string;
  finished: boolean;
  /** The job as it was last seen; null before the first answer. */
  job: IDataObject | null;
  /** Why asking for it is of no use any more; null while it is. */
  failure: FailureJson | null;
  /** Why the last round got no answer; null when it did. */
  trouble: FailureJson | null;
}

/** Where the wait for all jobs of a run stands. */
export interface WaitState extends IDataObject {
  jobs: JobWait[];
  /** Rounds of polling so far. */
  rounds: number;
  /** The longest wait that an answer of the last round, or of the start, asked for, in milliseconds. */
  retry_after_ms: number;
  /** When waiting ends (Unix milliseconds). */
  give_up_at: number;
}

/** How long to wait between rounds when the service has never said so (interface: `Retry-After: 60`). */
const USUAL_RETRY_AFTER_MS = 60_000;

/** Waits grow by this factor from round to round, up to {@link LONGEST_GROWTH} times what is asked. */
const GROWTH = 1.15;
const LONGEST_GROWTH = 3;

/** Share of a wait that chance adds to it, so that many workflows do not poll in step. */
const JITTER = 0.1;

/**
 * Begins a wait for jobs, each of them once.
 *
 * @param retryAfterMs how long the service asks to wait before the first round.
 */
export function beginWait(jobIds: Iterable<string>, giveUpAt: number, retryAfterMs = 0): WaitState {
  const jobs = [...new Set(jobIds)].map(notAskedYet);
  return { jobs, rounds: 0, retry_after_ms: retryAfterMs, give_up_at: giveUpAt };
}

/** The wait for a job before its first round. */
export function notAskedYet(jobId: string): JobWait {
  return { job_id: jobId, finished: false, job: null, failure: null, trouble: null };
}

/** Whether there is anything left to wait for. */
export function isOver(state: WaitState): boolean {
  return state.jobs.every((job) => job.finished || job.failure !== null);
}

/** Ends the wait for all jobs that are not over. */
export function giveUp(state: WaitState, failure: FailureJson): WaitState {
  const jobs = state.jobs.map((job) => (job.finished || job.failure ? job : { ...job, failure }));
  return { ...state, jobs };
}

/** What one round learned about a job. */
export type Poll =
  | {
      readonly kind: 'seen';
      readonly job: Row;
      readonly finished: boolean;
      readonly retryAfterMs: number | undefined;
    }
  /** No answer this time; there may be one next time. */
  | { readonly kind: 'trouble'; readonly failure: FailureJson }
  /** There will never be one. */
  | { readonly kind: 'failed'; readonly failure: FailureJson };

/**
 * The state after a round.
 *
 * @param polls what was learned, by job id; jobs without an entry stay as they are.
 */
export function afterRound(state: WaitState, polls: ReadonlyMap<string, Poll>): WaitState {
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
        return { ...wait, job: poll.job as IDataObject, finished: poll.finished, trouble: null };
    }
  });
  return { ...state, jobs, rounds: state.rounds + 1, retry_after_ms: retryAfterMs };
}

/**
 * How long to wait for the next round, in milliseconds (interface: Errors, last paragraph, and
 * Companies, rule 3): never shorter than `Retry-After`, growing, with jitter on top, and not beyond
 * the end of waiting.
 *
 * @param shortestMs what the way of waiting cannot go below.
 * @param random a number from 0 (included) to 1 (excluded).
 * @returns undefined when no further round fits in.
 */
export function nextDelay(
  state: WaitState,
  now: number,
  shortestMs: number,
  random: number,
): number | undefined {
  const left = state.give_up_at - now;
  const earliest = Math.max(shortestMs, state.retry_after_ms);
  if (left <= 0 || left < earliest) return undefined;
  const growth = Math.min(LONGEST_GROWTH, GROWTH ** (state.rounds - 1));
  const wanted = Math.max(earliest, state.retry_after_ms * growth * (1 + random * JITTER));
  // When what is left after that round is too short for another, it comes at the end.
  return Math.ceil(left - wanted < earliest ? left : wanted);
}
