import { Run } from '../../../../src/run/run';
import {
  applyPollRound,
  createWaitState,
  abandonWait,
  isWaitComplete,
  getNextDelay,
  pollJobs,
  type JobPollResult,
  type WaitState,
} from '../../../../src/n8n/jobs/wait-state';

const trouble: JobPollResult = {
  kind: 'trouble',
  failure: { error: 'no_answer', message: 'No answer', details: {} },
};
const seen = (finished: boolean, retryAfterMs?: number): JobPollResult => ({
  kind: 'seen',
  row: { finished },
  finished,
  retryAfterMs,
});

describe('applyPollRound', () => {
  it('polls each job once, even if it is listed several times', () => {
    expect(createWaitState(['a', 'b', 'a'], 0).jobs.map(({ job_id }) => job_id)).toEqual([
      'a',
      'b',
    ]);
  });

  it('completes when every job is finished or has failed permanently', () => {
    const begun = createWaitState(['a', 'b'], 0);
    expect(isWaitComplete(begun)).toBe(false);
    const one = applyPollRound(begun, new Map([['a', seen(true)]]));
    expect(isWaitComplete(one)).toBe(false);
    const failure = { error: 'job_not_found', message: 'x', details: {} };
    expect(isWaitComplete(applyPollRound(one, new Map([['b', { kind: 'failed', failure }]])))).toBe(
      true,
    );
  });

  it('remembers a failure until the next response', () => {
    const troubled = applyPollRound(createWaitState(['a'], 0), new Map([['a', trouble]]));
    expect(troubled.jobs[0]?.trouble).toMatchObject({ error: 'no_answer' });
    expect(isWaitComplete(troubled)).toBe(false);
    const answered = applyPollRound(troubled, new Map([['a', seen(false, 1000)]]));
    expect(answered.jobs[0]?.trouble).toBeNull();
  });

  it('uses the longest wait that any unfinished job requests', () => {
    const polls = new Map([
      ['a', seen(false, 5000)],
      ['b', seen(false, 60_000)],
      ['c', seen(true, 90_000)],
    ]);
    expect(applyPollRound(createWaitState(['a', 'b', 'c'], 0), polls).retry_after_ms).toBe(60_000);
  });

  it('uses the last requested wait without a response, and one minute at first', () => {
    const first = applyPollRound(createWaitState(['a'], 0), new Map([['a', trouble]]));
    expect(first.retry_after_ms).toBe(60_000);
    const second = applyPollRound(createWaitState(['a'], 0), new Map([['a', seen(false, 5000)]]));
    expect(applyPollRound(second, new Map([['a', trouble]])).retry_after_ms).toBe(5000);
    expect(applyPollRound(second, new Map([['a', seen(false)]])).retry_after_ms).toBe(5000);
  });

  it('fails only unfinished jobs when it gives up', () => {
    const failure = { error: 'invalid_input', message: 'x', details: {} };
    const half = applyPollRound(createWaitState(['a', 'b'], 0), new Map([['a', seen(true)]]));
    const given = abandonWait(half, failure);
    expect(given.jobs.map((job) => job.failure)).toEqual([null, failure]);
    expect(isWaitComplete(given)).toBe(true);
  });

  it('returns the same state after it was saved as JSON', () => {
    const state = applyPollRound(createWaitState(['a'], 7), new Map([['a', seen(false, 5000)]]));
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });
});

describe('getNextDelay', () => {
  const at = (rounds: number, retryAfterMs: number, giveUpAt: number): WaitState => ({
    ...createWaitState(['a'], giveUpAt),
    rounds,
    retry_after_ms: retryAfterMs,
  });
  const FAR = 1e9;

  it('is never shorter than the service requests, nor than the shortest possible wait', () => {
    expect(getNextDelay(at(1, 60_000, FAR), 0, 0, 0)).toBe(60_000);
    expect(getNextDelay(at(1, 1000, FAR), 0, 66_000, 0)).toBe(66_000);
  });

  it('grows per round up to three times the wait, plus up to 10% jitter', () => {
    const delays = [1, 2, 3, 30, 31].map((rounds) =>
      getNextDelay(at(rounds, 60_000, FAR), 0, 0, 0),
    );
    expect(delays).toEqual([60_000, 69_000, 79_350, 180_000, 180_000]);
    expect(getNextDelay(at(1, 60_000, FAR), 0, 0, 0.999)).toBeLessThanOrEqual(66_000);
    expect(getNextDelay(at(1, 60_000, FAR), 0, 0, 0.999)).toBeGreaterThan(65_900);
  });

  it('ends at the timeout when no further round fits', () => {
    expect(getNextDelay(at(1, 60_000, 100_000), 0, 0, 0)).toBe(100_000);
    expect(getNextDelay(at(1, 60_000, 120_000), 0, 0, 0)).toBe(60_000);
    expect(getNextDelay(at(30, 60_000, 100_000), 0, 0, 0)).toBe(100_000);
  });

  it('is undefined if the timeout comes before the next poll', () => {
    expect(getNextDelay(at(1, 60_000, 59_999), 0, 0, 0)).toBeUndefined();
    expect(getNextDelay(at(1, 1000, 60_000), 0, 66_000, 0)).toBeUndefined();
    expect(getNextDelay(at(1, 0, 5), 5, 0, 0)).toBeUndefined();
  });

  it('is never shorter than n8n can suspend an execution, if the wait is durable', () => {
    let state = at(1, 60_000, 600_000);
    for (let now = 0; ;) {
      const delay = getNextDelay(state, now, 66_000, 0.5);
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
  const client = {
    reads: {},
    request: async (
      call: { read: (answer: object) => unknown },
      { beforeSend }: { beforeSend: () => void },
    ) => {
      beforeSend();
      return await Promise.resolve(
        call.read({ json: { job_id: 'a', status: 'completed' }, headers: {} }),
      );
    },
  };
  const run = new Run(client as never);
  run.breaker.trip(new Error('out of reach'));
  const { jobs } = await pollJobs(run, createWaitState(['a'], Date.now() + 60_000));

  expect(jobs).toMatchObject([{ finished: true, failure: null }]);
});
