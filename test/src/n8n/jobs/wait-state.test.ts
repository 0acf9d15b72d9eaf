import type { Client } from '../../../../src/client/client';
import { NotFoundError, ServerError } from '../../../../src/client/errors';
import { Run } from '../../../../src/run/run';
import {
  createWaitState,
  changeOpenJobs,
  isWaitComplete,
  getNextDelay,
  pollJobs,
  type WaitState,
} from '../../../../src/n8n/jobs/wait-state';

const failure = { error: 'job_not_found', message: 'x', details: {} };

/** What the service responds to a poll, or how the poll fails. */
type Poll = Error | { readonly status: string; readonly retryAfter?: number };

const DONE: Poll = { status: 'completed' };
const running = (retryAfter?: number): Poll => ({ status: 'running', retryAfter });
const TROUBLE = new ServerError({ code: 'no_answer', message: 'x', hint: '' });
const MISSING = new NotFoundError({ code: 'job_not_found', message: 'x', hint: '' });

/** Returns a run in which each job, by its ID, is polled with this result. */
function runWith(polls: Record<string, Poll>): Run {
  const request: Client['request'] = async ({ path, read }, options) => {
    options?.beforeSend?.();
    const job_id = path.slice('/v1/jobs/'.length);
    const poll = polls[job_id];
    if (poll === undefined || poll instanceof Error) throw poll ?? new Error(`Polled ${path}`);
    const { status, retryAfter } = poll;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return await Promise.resolve(read({ json: { job_id, status }, headers } as never));
  };
  return new Run({ reads: {}, request } as never);
}

const after = async (state: WaitState, polls: Record<string, Poll>) =>
  await pollJobs(runWith(polls), state);

const oneJob = createWaitState(['a'], 7);

describe('pollJobs', () => {
  it('completes when every job, each once, is finished or has failed permanently', async () => {
    const begun = createWaitState(['a', 'b', 'a'], 0);
    expect(begun.jobs.map(({ job_id }) => job_id)).toEqual(['a', 'b']);
    const half = await after(begun, { a: DONE, b: running() });
    const whole = await after(half, { b: MISSING });
    expect([begun, half, whole].map(isWaitComplete)).toEqual([false, false, true]);
  });

  it('remembers a failure until the next response', async () => {
    const troubled = await after(oneJob, { a: TROUBLE });
    expect(troubled.jobs[0]?.trouble).toMatchObject({ error: 'no_answer' });
    expect(isWaitComplete(troubled)).toBe(false);
    expect((await after(troubled, { a: running(1) })).jobs[0]?.trouble).toBeNull();
  });

  it('uses the longest requested wait, else the last one, and one minute at first', async () => {
    const polls = { a: running(5), b: running(60), c: DONE };
    expect((await after(createWaitState(['a', 'b', 'c'], 0), polls)).retry_after_ms).toBe(60_000);
    expect((await after(oneJob, { a: TROUBLE })).retry_after_ms).toBe(60_000);
    const later = await after(oneJob, { a: running(5) });
    for (const a of [TROUBLE, running()])
      expect((await after(later, { a })).retry_after_ms).toBe(5000);
  });

  it('fails only unfinished jobs when it gives up', async () => {
    const half = await after(createWaitState(['a', 'b'], 0), { a: DONE, b: running() });
    const given = changeOpenJobs(half, { failure });
    expect(given.jobs.map((job) => job.failure)).toEqual([null, failure]);
    expect(isWaitComplete(given)).toBe(true);
  });

  it('polls although an outage ended the last round', async () => {
    const run = runWith({ a: DONE });
    run.breaker.trip(new Error('out of reach'));
    expect((await pollJobs(run, oneJob)).jobs).toMatchObject([{ finished: true, failure: null }]);
  });
});

describe('getNextDelay', () => {
  const at = (rounds: number, retryAfterMs: number, giveUpAt: number): WaitState => {
    return { ...createWaitState(['a'], giveUpAt), rounds, retry_after_ms: retryAfterMs };
  };
  const FAR = 1e9;

  it('is never shorter than the service requests, nor than the shortest possible wait', () => {
    expect(getNextDelay(at(1, 60_000, FAR), 0, 0, 0)).toBe(60_000);
    expect(getNextDelay(at(1, 1000, FAR), 0, 66_000, 0)).toBe(66_000);
    expect(getNextDelay(at(1, 1000, 50_000), 0, 66_000, 0)).toBeUndefined();
  });

  it('grows per round up to three times the wait, plus up to 10% jitter', () => {
    const rounds = [1, 2, 3, 30, 31];
    const delays = rounds.map((nth) => getNextDelay(at(nth, 60_000, FAR), 0, 0, 0));
    expect(delays).toEqual([60_000, 69_000, 79_350, 180_000, 180_000]);
    expect(getNextDelay(at(1, 60_000, FAR), 0, 0, 0.5)).toBe(63_000);
  });

  it.each([
    ['at the timeout if no further round fits', at(1, 60_000, 100_000), 100_000],
    ['at the timeout if no further round fits later', at(30, 60_000, 100_000), 100_000],
    ['before the timeout if a further round fits', at(1, 60_000, 120_000), 60_000],
    ['a little late if the service allows no earlier poll', at(1, 60_000, 59_000), 60_000],
    ['never if the timeout comes long before the next poll', at(1, 60_000, 49_999), undefined],
    ['never if the timeout is now', at(1, 0, 0), undefined],
  ])('ends %s', (_when, state, delay) => {
    expect(getNextDelay(state, 0, 0, 0)).toBe(delay);
  });
});
