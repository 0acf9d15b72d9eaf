import fc from 'fast-check';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../../../src/input/inputs';
import * as errors from '../../../src/client/errors';
import { asAttempt, previousResult, runOnce } from '../../../src/n8n/idempotency';

/** What tells runs of a node apart. */
interface RunPlace {
  readonly executionId: string;
  readonly id?: string;
  readonly name?: string;
  readonly runIndex?: number;
  readonly retryOnFail?: boolean;
}

let executions = 0;
const newPlace = (): RunPlace => ({ executionId: `once-${String((executions += 1))}` });

/** Returns the part of n8n's context that `runOnce` uses. In n8n, each try has its own context. */
function contextOf(place: RunPlace) {
  const { executionId, id = 'n', name = 'Node', runIndex = 0, retryOnFail = true } = place;
  return {
    getExecutionId: () => executionId,
    getNode: () => ({ id, name, retryOnFail }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
  } as unknown as IExecuteFunctions;
}

const words = { code: 'x', message: 'Sorry', hint: 'Hint' };

const acting = <T>(value: T) => jest.fn(async () => await Promise.resolve(value));

async function twice(failure: unknown, how?: Parameters<typeof runOnce>[4]) {
  const context = contextOf(newPlace());
  const act = jest.fn(async () => await Promise.reject(failure as Error));
  const attempt = async (): Promise<unknown> =>
    await runOnce(context, 0, 'it', act, how).catch((error: unknown) => error);
  const [first, second] = [await attempt(), await attempt()];
  return { done: act.mock.calls.length, first, second };
}

it.each<[string, Error]>([
  ['invalid input', new InputError('Wrong', 'Hint')],
  ['not attempted', new errors.NotAttemptedError(words)],
  ['refused by the service', new errors.ConflictError({ ...words, status: 409 })],
  ['redirected', new errors.ServiceError({ ...words, status: 307 })],
  ['throttled', new errors.RateLimitError({ ...words, status: 429 })],
  ['refused by the limiter', new errors.RateLimitError(words)],
  ['never connected', new errors.ConnectionError({ ...words, code: 'connection_failed' })],
])('acts again after no effect: %s', async (_what, failure) => {
  expect(await twice(failure)).toEqual({ done: 2, first: failure, second: failure });
});

const serverError = new errors.ServerError({ ...words, status: 500 });

it.each<[what: string, failure: unknown, timesIfRepeatable: number]>([
  ['Stop', new errors.CancelledError(), 1],
  ['unknown outcome', new errors.UnknownOutcomeError({ ...words, status: 408 }), 1],
  ['a server error', serverError, 2],
  [
    'an unclear code',
    new errors.ServerError({ ...words, code: 'connection_failed', status: 500 }),
    2,
  ],
  ['a request timeout of the service', new errors.ServiceError({ ...words, status: 408 }), 2],
  ['no response', new errors.ConnectionError({ ...words, code: 'no_answer' }), 2],
  ['a stack overflow', new RangeError('Maximum call stack size exceeded'), 1],
  ['a bug', new TypeError('x is not a function'), 1],
  ['a text instead of an error', 'text', 1],
])('does not act again after a possible effect: %s', async (_what, failure, timesIfRepeatable) => {
  const { done, first, second } = await twice(failure);
  const isStop = failure instanceof errors.CancelledError;

  expect(done).toBe(1);
  expect(first).toBeInstanceOf(isStop ? errors.CancelledError : errors.UnknownOutcomeError);
  expect(second).toBeInstanceOf(errors.UnknownOutcomeError);
  if (!isStop) expect(second).toEqual(first);
  expect(String(second)).toContain(failure instanceof Error ? failure.message : 'text');
  expect((await twice(failure, { repeatable: true })).done).toBe(timesIfRepeatable);
});

it.each<[string, Partial<RunPlace>]>([
  ['another execution', { executionId: 'f' }],
  ['another node', { id: 'm' }],
  ['another node with the same ID', { name: 'Other' }],
  ['another run of the node, as in a loop', { runIndex: 1 }],
])('acts separately in %s, but once for simultaneous attempts', async (_what, other) => {
  const act = acting({ id: 1 });
  const here = newPlace();
  const attempts = [here, here, { ...here, ...other }].map(
    async (place) => await runOnce(contextOf(place), 0, 'it', act),
  );

  expect(await Promise.all(attempts)).toEqual([{ id: 1 }, { id: 1 }, { id: 1 }]);
  expect(act).toHaveBeenCalledTimes(2);
});

async function nodeTry(
  where: RunPlace,
  items: ReadonlyArray<() => Promise<unknown>>,
): Promise<unknown[]> {
  const context = contextOf(where);
  let results: unknown[] = [];
  const output = async (): Promise<INodeExecutionData[][]> => {
    const running = items.map(async (act, index): Promise<unknown> => {
      return await runOnce(context, index, 'it', act).catch((error: unknown) => error);
    });
    results = await Promise.all(running);
    throw new Error('another item');
  };
  await asAttempt(context, output).catch(() => undefined);
  return results;
}

const HOUR = 60 * 60_000;

describe('changes stay recorded', () => {
  let now = 0;
  /** Moves the time, which the cache reads at most once per millisecond. */
  const pass = async (ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    now += ms;
  };
  beforeEach(() => {
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 2));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    // The cache must not go on with the time that it has read before.
    await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('however long the attempt took', async () => {
    const act = acting('done');
    const slow = async () => {
      await pass(24 * HOUR);
      return 'slow';
    };
    const where = newPlace();
    await nodeTry(where, [act, slow]);
    await pass(5_000);

    expect(await nodeTry(where, [act, slow])).toEqual(['done', 'slow']);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it.each([
    [HOUR - 60_000, 1],
    [HOUR + 60_000, 2],
  ])('for an hour: after %i ms, the change was made %i times', async (ms, times) => {
    const act = acting('done');
    const where = newPlace();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await runOnce(contextOf(where), 0, 'it', act);
      await pass(ms);
    }

    expect(act).toHaveBeenCalledTimes(times);
  });
});

it('keeps all 20,000 changes of a run, and the last 10,000 runs', async () => {
  const acts = Array.from({ length: 20_000 }, () => acting(1));
  const first = newPlace();
  for (let attempt = 0; attempt < 2; attempt += 1) await nodeTry(first, acts);
  expect(acts.filter((one) => one.mock.calls.length !== 1)).toEqual([]);

  const act = acts[0]!;
  for (let run = 0; run < 10_000; run += 1) {
    await runOnce(contextOf(newPlace()), 0, 'it', acting(1));
  }
  await runOnce(contextOf(first), 0, 'it', act);

  expect(act).toHaveBeenCalledTimes(2);
});

it('keeps no long response or error message, but makes no change twice', async () => {
  const { first } = await twice(new TypeError('x'.repeat(10_000_000)));
  expect((first as Error).message.length).toBeLessThan(1000);

  const context = contextOf(newPlace());
  const act = acting('x'.repeat(100_000));

  expect(await runOnce(context, 0, 'it', act)).toHaveLength(100_000);
  await expect(runOnce(context, 0, 'it', act)).rejects.toThrow('too long to keep');
  expect(act).toHaveBeenCalledTimes(1);
});

it('keeps unclear outcomes, but no responses, without Retry On Fail', async () => {
  const context = contextOf({ ...newPlace(), retryOnFail: false });
  const act = acting({ id: 1 });
  const fail = jest.fn(async () => await Promise.reject(serverError));
  for (let call = 0; call < 2; call += 1) {
    await runOnce(context, 0, 'done', act);
    await expect(runOnce(context, 0, 'unclear', fail)).rejects.toThrow(errors.UnknownOutcomeError);
  }

  expect(await previousResult(context, 0, 'done')).toBeUndefined();
  expect([act.mock.calls.length, fail.mock.calls.length]).toEqual([2, 1]);
});

it('tells what an earlier attempt did without doing it', async () => {
  const context = contextOf(newPlace());
  const failure = new errors.UnknownOutcomeError(words);
  await runOnce(context, 0, 'done', acting({ id: 1 }));
  await runOnce(context, 0, 'unclear', async () => await Promise.reject(failure)).catch(() => 0);

  expect(await previousResult(context, 0, 'done')).toEqual({ value: { id: 1 } });
  expect(await previousResult(context, 0, 'unclear')).toEqual({ failure });
  expect(await previousResult(context, 1, 'done')).toBeUndefined();
});

it('never makes a change twice, whatever fails in whatever order', async () => {
  const outcome = fc.constantFrom('done', 'refused', 'unclear', 'defect');
  const nodeOutcomes = fc.array(outcome, { minLength: 4, maxLength: 4 });
  const plan = fc.array(nodeOutcomes, { minLength: 1, maxLength: 5 });
  const failures: Record<string, Error> = {
    refused: new errors.ConflictError({ ...words, status: 409 }),
    unclear: new errors.UnknownOutcomeError(words),
    defect: new RangeError('Maximum call stack size exceeded'),
  };
  await fc.assert(
    fc.asyncProperty(plan, async (tries) => {
      const where = newPlace();
      const maybeDone = [0, 0, 0, 0];
      for (const outcomes of tries) {
        const acts = outcomes.map((one, index) => async () => {
          if (one !== 'refused') maybeDone[index] = (maybeDone[index] ?? 0) + 1;
          await Promise.resolve();
          if (one !== 'done') throw failures[one]!;
          return one;
        });
        await nodeTry(where, acts);
      }
      for (const times of maybeDone) expect(times).toBeLessThanOrEqual(1);
    }),
  );
});
