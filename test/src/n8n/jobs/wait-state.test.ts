import type { Client } from '../../../../src/client/client';
import { Run } from '../../../../src/run/run';
import * as wait from '../../../../src/n8n/jobs/wait-state';

const failure = { error: 'job_not_found', message: 'x', details: {} };
const trouble: wait.JobPollResult = {
  kind: 'trouble',
  failure: { ...failure, error: 'no_answer' },
};
const seen = (finished: boolean, retryAfterMs?: number): wait.JobPollResult => {
  return { kind: 'seen', row: { finished }, finished, retryAfterMs };
};

const oneJob = wait.createWaitState(['a'], 7);

const after = (state: wait.WaitState, polls: Record<string, wait.JobPollResult>) =>
  wait.applyPollRound(state, new Map(Object.entries(polls)));

describe('applyPollRound', () => {
  it('completes when every job, each once, is finished or has failed permanently', () => {
    const begun = wait.createWaitState(['a', 'b', 'a'], 0);
    expect(begun.jobs.map(({ job_id }) => job_id)).toEqual(['a', 'b']);
    const half = after(begun, { a: seen(true) });
    const whole = after(half, { b: { kind: 'failed', failure } });
    expect([begun, half, whole].map(wait.isWaitComplete)).toEqual([false, false, true]);
  });

  it('remembers a failure until the next response', () => {
    const troubled = after(oneJob, { a: trouble });
    expect(troubled.jobs[0]?.trouble).toMatchObject({ error: 'no_answer' });
    expect(wait.isWaitComplete(troubled)).toBe(false);
    expect(after(troubled, { a: seen(false, 1000) }).jobs[0]?.trouble).toBeNull();
  });

  it('uses the longest requested wait, else the last one, and one minute at first', () => {
    const polls = { a: seen(false, 5000), b: seen(false, 60_000), c: seen(true, 90_000) };
    expect(after(wait.createWaitState(['a', 'b', 'c'], 0), polls).retry_after_ms).toBe(60_000);
    expect(after(oneJob, { a: trouble }).retry_after_ms).toBe(60_000);
    const later = after(oneJob, { a: seen(false, 5000) });
    for (const a of [trouble, seen(false)]) expect(after(later, { a }).retry_after_ms).toBe(5000);
  });

  it('fails only unfinished jobs when it gives up', () => {
    const given = wait.abandonWait(
      after(wait.createWaitState(['a', 'b'], 0), { a: seen(true) }),
      failure,
    );
    expect(given.jobs.map((job) => job.failure)).toEqual([null, failure]);
    expect(wait.isWaitComplete(given)).toBe(true);
  });
});

describe('getNextDelay', () => {
  const at = (rounds: number, retryAfterMs: number, giveUpAt: number): wait.WaitState => {
    return { ...wait.createWaitState(['a'], giveUpAt), rounds, retry_after_ms: retryAfterMs };
  };
  const FAR = 1e9;

  it('is never shorter than the service requests, nor than the shortest possible wait', () => {
    expect(wait.getNextDelay(at(1, 60_000, FAR), 0, 0, 0)).toBe(60_000);
    expect(wait.getNextDelay(at(1, 1000, FAR), 0, 66_000, 0)).toBe(66_000);
    expect(wait.getNextDelay(at(1, 1000, 50_000), 0, 66_000, 0)).toBeUndefined();
  });

  it('grows per round up to three times the wait, plus up to 10% jitter', () => {
    const rounds = [1, 2, 3, 30, 31];
    const delays = rounds.map((nth) => wait.getNextDelay(at(nth, 60_000, FAR), 0, 0, 0));
    expect(delays).toEqual([60_000, 69_000, 79_350, 180_000, 180_000]);
    expect(wait.getNextDelay(at(1, 60_000, FAR), 0, 0, 0.5)).toBe(63_000);
  });

  it.each([
    ['at the timeout if no further round fits', at(1, 60_000, 100_000), 100_000],
    ['at the timeout if no further round fits later', at(30, 60_000, 100_000), 100_000],
    ['before the timeout if a further round fits', at(1, 60_000, 120_000), 60_000],
    ['a little late if the service allows no earlier poll', at(1, 60_000, 59_000), 60_000],
    ['never if the timeout comes long before the next poll', at(1, 60_000, 49_999), undefined],
    ['never if the timeout is now', at(1, 0, 0), undefined],
  ])('ends %s', (_when, state, delay) => {
    expect(wait.getNextDelay(state, 0, 0, 0)).toBe(delay);
  });

  it('is never shorter than n8n can suspend an execution, if the wait is durable', () => {
    let state = at(1, 60_000, 600_000);
    for (let now = 0; ;) {
      const delay = wait.getNextDelay(state, now, 66_000, 0.5);
      if (delay === undefined) {
        expect(now).toBe(600_000);
        break;
      }
      expect(delay).toBeGreaterThanOrEqual(66_000);
      now += delay;
      state = { ...state, rounds: state.rounds + 1 };
    }
  });
});

it('polls in the next round although an outage ended the last one', async () => {
  const answer = { json: { job_id: 'a', status: 'completed' }, headers: {} };
  const request: Client['request'] = async ({ read }, options) => {
    options?.beforeSend?.();
    return await Promise.resolve(read(answer as never));
  };
  const run = new Run({ reads: {}, request } as never);
  run.breaker.trip(new Error('out of reach'));
  const { jobs } = await wait.pollJobs(run, wait.createWaitState(['a'], Date.now() + 60_000));

  expect(jobs).toMatchObject([{ finished: true, failure: null }]);
});
