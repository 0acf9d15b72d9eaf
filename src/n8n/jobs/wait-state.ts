import type { IDataObject } from 'n8n-workflow';

import { getJob } from '../../service/jobs';
import { CancelledError, NotFoundError, ServiceError } from '../../client/errors';
import { mapInParallel, sleep } from '../../concurrency';
import type { Run } from '../../run/run';
import { toError, toFailureJson, type FailureJson, type OnError } from '../failures';
import type { Result } from '../items/row-result';
import type { RowOutput } from '../items/write';

/** A row that waits for a job; the domain is that of a company in it, undefined for the whole job. */
interface WaitingRow {
  readonly job_id: string;
  readonly domain?: string;
}

/** The result of a row that does not wait, as plain JSON. */
interface StoredResult {
  readonly json?: IDataObject | undefined;
  readonly failure?: FailureJson;
  readonly fields?: IDataObject | undefined;
}

/** Stored in n8n's database between the rounds of a durable wait, as is the state: both are plain JSON. */
export interface WaitPlan extends RowOutput {
  readonly rows: ReadonlyArray<WaitingRow | StoredResult>;
  readonly onError: OnError;
  readonly maxWaitMinutes: number;
}

export function toStoredResult({ outputs: [one], failure, fields }: Result): StoredResult {
  return failure === undefined ? { json: one?.json } : { failure: toFailureJson(failure), fields };
}

export interface JobWait extends IDataObject {
  job_id: string;
  finished: boolean;
  /** Last response; null before the first one. */
  job: IDataObject | null;
  /** Why polling ended for good. */
  failure: FailureJson | null;
  /** Why the last round got no response. */
  trouble: FailureJson | null;
  /** Whether n8n lost the executions that polled. */
  is_lost?: boolean;
}

export interface WaitState extends IDataObject {
  jobs: JobWait[];
  rounds: number;
  /** Longest wait that a response of the last round, or of the start, requested. */
  retry_after_ms: number;
  /** In Unix milliseconds. */
  give_up_at: number;
}

/** Between rounds, if the service never specified one (API spec: `Retry-After: 60`). */
const USUAL_RETRY_AFTER_MS = 60_000;

/** Per round, up to {@link MAX_GROWTH} times the requested wait. */
const GROWTH_PER_ROUND = 1.15;
const MAX_GROWTH = 3;

/** Random share, so that many workflows do not poll at the same time. */
const JITTER = 0.1;

/** @param retryAfterMs Requested by the service before the first round. */
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

/** For all jobs that have not ended. */
export function changeOpenJobs(state: WaitState, change: Partial<JobWait>): WaitState {
  const jobs = state.jobs.map((job) => (job.finished || job.failure ? job : { ...job, ...change }));
  return { ...state, jobs };
}

/** A wait of a minute has room for a `Retry-After` of a minute. */
const LAST_ROUND_GRACE_MS = 10_000;

/**
 * In milliseconds (API spec: Errors, last paragraph, and Companies, rule 3): at least `Retry-After`, growing, with
 * jitter, and not beyond the end of the wait, except for a last round a few seconds later. Undefined if no further
 * round fits.
 *
 * @param shortestMs What is technically possible.
 * @param random From 0 (inclusive) to 1 (exclusive).
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

/** In this time, a service with several servers may not find a new job everywhere. */
const NEW_JOB_DELAY_MS = 10_000;
const NEW_JOB_RETRY_MS = 2000;

/** @param haveJustBegun A missing job can still appear. */
export async function pollJobs(
  run: Run,
  state: WaitState,
  haveJustBegun = false,
): Promise<WaitState> {
  // A new run, because an outage that ends this round must not end the next: the jobs continue.
  const round = run.withNewBreaker();
  const usualMs = state.retry_after_ms || USUAL_RETRY_AFTER_MS;
  const appearsUntil = haveJustBegun
    ? Math.min(Date.now() + NEW_JOB_DELAY_MS, state.give_up_at)
    : undefined;
  const polls = await mapInParallel(state.jobs, async (wait) =>
    wait.finished || wait.failure !== null
      ? { wait, retryAfterMs: 0 }
      : await pollJob(round, wait, usualMs, appearsUntil),
  );
  return {
    ...state,
    jobs: polls.map(({ wait }) => wait),
    rounds: state.rounds + 1,
    retry_after_ms: Math.max(0, ...polls.map(({ retryAfterMs }) => retryAfterMs)),
  };
}

/** @param appearsUntil In Unix milliseconds; undefined if a missing job cannot appear any more. */
async function pollJob(
  run: Run,
  wait: JobWait,
  usualMs: number,
  appearsUntil: number | undefined,
): Promise<{ readonly wait: JobWait; readonly retryAfterMs: number }> {
  try {
    const { row, finished, retryAfterMs = usualMs } = await getJob(run, wait.job_id);
    return {
      wait: { ...wait, job: row as IDataObject, finished, trouble: null },
      retryAfterMs: finished ? 0 : retryAfterMs,
    };
  } catch (error) {
    if (error instanceof CancelledError || run.signal?.aborted === true) throw error;
    const isNew = error instanceof NotFoundError && appearsUntil !== undefined;
    if (isNew && Date.now() + NEW_JOB_RETRY_MS <= appearsUntil) {
      await sleep(NEW_JOB_RETRY_MS, run.signal);
      return await pollJob(run, wait, usualMs, appearsUntil);
    }
    const failure = toFailureJson(toError(error));
    // A job continues while the service is unreachable, so the next round can succeed.
    const mayPass = isNew || (error instanceof ServiceError && error.isTransient);
    return mayPass
      ? { wait: { ...wait, trouble: failure }, retryAfterMs: usualMs }
      : { wait: { ...wait, failure }, retryAfterMs: 0 };
  }
}
