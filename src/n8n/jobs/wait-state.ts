import type { IDataObject } from 'n8n-workflow';

import type { CompanySection } from '../../service/companies';
import { getJob } from '../../service/jobs';
import { CancelledError, NotFoundError, ServiceError } from '../../client/errors';
import { inParallel } from '../../run/parallel';
import { sleep } from '../../client/sleep';
import type { Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { asError, failureJson, type FailureJson, type OnError } from '../failures';
import type { RunLimits } from '../parameters/read';
import type { Outcome, RowOutput } from '../rows/rows';

/*
 * What a wait is about, where it stands, and one round of it. A durable wait keeps the plan and the
 * state in n8n's database between its rounds, so both are plain JSON.
 */

/** What one input item waits for. */
export type RowPlan =
  /** A domain that is being refreshed by a job. */
  | { readonly kind: 'domain'; readonly domain: string; readonly jobId: string }
  /** A job as a whole. */
  | { readonly kind: 'job'; readonly jobId: string }
  /** There is nothing to wait for, and this is the result. */
  | { readonly kind: 'result'; readonly result: IDataObject }
  /** The item has failed already. */
  | { readonly kind: 'failed'; readonly failure: FailureJson; readonly domain: string | null };

/** How waiting is done and what comes out, for all items of a run. */
export interface WaitPlan extends RowOutput, Omit<RunLimits, 'maxCredits'> {
  readonly rows: readonly RowPlan[];
  readonly onError: OnError;
  readonly ifStillRunning: 'item' | 'error';
  readonly maxWaitMinutes: number;
  /** What is read of the companies when they are refreshed; nothing if left out. */
  readonly enrichAfterwards?: readonly CompanySection[];
  /** Companies that were seen within this many days are left alone; 0, or left out, for none. */
  readonly onlyIfOlderThanDays?: number;
  /** Credits that reading them may spend; null for no limit. */
  readonly creditsLeft?: number | null;
}

/** The plan for an item to which this has come already. */
export function settled({ outputs, failure, domain = null }: Outcome = { outputs: [] }): RowPlan {
  if (failure !== undefined) return { kind: 'failed', failure: failureJson(failure), domain };
  return { kind: 'result', result: outputs[0]?.json ?? {} };
}

/** Where the wait for one job stands. */
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
