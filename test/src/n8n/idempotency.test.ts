import fc from 'fast-check';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { InputError } from '../../../src/input/inputs';
import {
  CancelledError,
  ConnectionError,
  ConflictError,
  NotAttemptedError,
  RateLimitError,
  ServerError,
  ServiceError,
  UnknownOutcomeError,
} from '../../../src/client/errors';
import { asAttempt, runOnce, idempotencyStoreSize } from '../../../src/n8n/idempotency';

/** The parts of n8n's context by which `runOnce` tells runs apart. */
interface RunPlace {
  readonly executionId?: string;
  readonly node?: { id?: string; name?: string; retryOnFail?: boolean };
  readonly runIndex?: number;
}

let executions = 0;
const newExecution = () => `once-${String((executions += 1))}`;

/** Returns the part of n8n's context that `runOnce` uses. In n8n, each try has its own context. */
function contextOf({ executionId = 'e', node = {}, runIndex = 0 }: RunPlace) {
  return {
    getExecutionId: () => executionId,
    getNode: () => ({ id: 'n', name: 'Node', ...node }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
  } as unknown as IExecuteFunctions;
}

const words = { code: 'x', message: 'Sorry', hint: 'Hint' };
const retried = { retryOnFail: true };

/** Returns a function that returns this value, and counts its calls. */
const acting = <T>(value: T) => jest.fn(async () => await Promise.resolve(value));

/** Returns a run of a node that n8n tries again when it fails. */
const retriedRun = () => ({ executionId: newExecution(), node: retried });

beforeAll(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.runAllTimers();
  expect(idempotencyStoreSize()).toEqual({ runs: 0, records: 0, bytes: 0 });
});
afterAll(() => {
  jest.useRealTimers();
});

const SURELY_NOT_DONE: Array<[string, Error]> = [
  ['invalid input', new InputError('Wrong', 'Hint')],
  ['not attempted', new NotAttemptedError(words)],
  ['refused by the service', new ConflictError({ ...words, status: 409 })],
  ['redirected', new ServiceError({ ...words, status: 307 })],
  ['throttled', new RateLimitError({ ...words, status: 429 })],
  ['refused by the limiter', new RateLimitError(words)],
  ['never connected', new ConnectionError({ ...words, code: 'connection_failed' })],
];
const MAYBE_DONE: Array<[string, unknown]> = [
  ['unknown outcome', new UnknownOutcomeError({ ...words, status: 408 })],
  ['a server error', new ServerError({ ...words, status: 500 })],
  ['an unclear code', new ServerError({ ...words, code: 'connection_failed', status: 500 })],
  ['a request timeout of the service', new ServiceError({ ...words, status: 408 })],
  ['no response', new ConnectionError({ ...words, code: 'no_answer' })],
  ['a stack overflow', new RangeError('Maximum call stack size exceeded')],
  ['a broken URI', new URIError('URI malformed')],
  ['a bug', new TypeError('x is not a function')],
  ['a text instead of an error', 'text'],
];

async function twice(failure: unknown, how?: Parameters<typeof runOnce>[4]) {
  const where = retriedRun();
  let done = 0;
  const act = async () => {
    done += 1;
    await Promise.resolve();
    throw failure;
  };
  const attempt = async (): Promise<unknown> =>
    await runOnce(contextOf(where), 0, 'it', act, how).catch((error: unknown) => error);
  const [first, second] = [await attempt(), await attempt()];
  return { done, first, second };
}

it.each(SURELY_NOT_DONE)('acts again after no effect: %s', async (_what, failure) => {
  expect(await twice(failure)).toEqual({ done: 2, first: failure, second: failure });
});

it.each(MAYBE_DONE)('does not act again after a possible effect: %s', async (_what, failure) => {
  const { done, first, second } = await twice(failure);

  expect(done).toBe(1);
  expect(first).toBeInstanceOf(UnknownOutcomeError);
  expect(second).toBe(first);
  expect((first as Error).message).toContain(failure instanceof Error ? failure.message : 'text');
});

it('does not act again after Stop, and then reports an unknown outcome', async () => {
  const { done, first, second } = await twice(new CancelledError());

  expect(done).toBe(1);
  expect(first).toBeInstanceOf(CancelledError);
  expect(second).toBeInstanceOf(UnknownOutcomeError);
});

it.each<[number, string, Error]>([
  [2, 'a failure of the service', new ServerError({ ...words, status: 503 })],
  [1, 'an unknown outcome', new UnknownOutcomeError(words)],
  [1, 'a bug', new TypeError('x')],
  [1, 'Stop', new CancelledError()],
])('acts %d times if the change is repeatable and ends with %s', async (times, _what, failure) => {
  expect((await twice(failure, { repeatable: true })).done).toBe(times);
});

it('shortens an error message of 10,000,000 characters', async () => {
  const { first } = await twice(new TypeError('x'.repeat(10_000_000)));

  expect((first as Error).message.length).toBeLessThan(1000);
});

it.each<[string, RunPlace]>([
  ['another execution', { executionId: 'f' }],
  ['another node', { node: { id: 'm' } }],
  ['another node with the same ID', { node: { name: 'Other' } }],
  ['another run of the node, as in a loop', { runIndex: 1 }],
])('acts separately in %s', async (_what, other) => {
  const act = acting(1);
  for (const place of [{}, {}, other]) await runOnce(contextOf(place), 0, 'it', act);

  expect(act).toHaveBeenCalledTimes(2);
});

it('acts once when two attempts run at the same time', async () => {
  const act = acting({ id: 1 });
  const attempts = [1, 2].map(async () => await runOnce(contextOf({}), 0, 'it', act));

  expect(await Promise.all(attempts)).toEqual([{ id: 1 }, { id: 1 }]);
  expect(act).toHaveBeenCalledTimes(1);
});

/** Runs one try of a node, which calls one function per item. */
async function nodeTry(
  where: RunPlace,
  items: ReadonlyArray<() => Promise<unknown>>,
  failing?: Error,
): Promise<unknown[]> {
  const context = contextOf(where);
  let results: unknown[] = [];
  const output = async (): Promise<INodeExecutionData[][]> => {
    const running = items.map(async (act, index): Promise<unknown> => {
      return await runOnce(context, index, 'it', act).catch((error: unknown) => error);
    });
    results = await Promise.all(running);
    if (failing !== undefined) throw failing;
    return [[{ json: {} }]];
  };
  await asAttempt(context, output).catch(() => undefined);
  return results;
}

const MB = 1024 * 1024;
const answerOf = (bytes: number) => ({ text: 'x'.repeat(bytes / 2) });
const anotherItem = new Error('another item');

describe('the memory', () => {
  it('of finished node runs contains no responses, however large they were', async () => {
    for (let run = 0; run < 300; run += 1) {
      const node = { retryOnFail: run % 2 === 0 };
      await nodeTry({ executionId: newExecution(), node }, [acting(answerOf(MB))]);
      expect(idempotencyStoreSize().bytes).toBe(0);
    }
    expect(idempotencyStoreSize()).toEqual({ runs: 300, records: 300, bytes: 0 });
  });

  it('of runs that fail permanently is bounded, and freed within an hour', async () => {
    for (let run = 0; run < 300; run += 1) {
      await nodeTry(retriedRun(), [acting(answerOf(MB))], new Error('fails'));
      expect(idempotencyStoreSize().bytes).toBeLessThanOrEqual(64 * MB);
    }
    jest.advanceTimersByTime(60 * 60_000);
    expect(idempotencyStoreSize()).toEqual({ runs: 0, records: 0, bytes: 0 });
  });

  it('is bounded while a run is retried, and no change is made twice', async () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3 * MB }), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 2, max: 5 }), async (bytes, tries) => {
        const where = retriedRun();
        const { bytes: before } = idempotencyStoreSize();
        const acts = bytes.map((size) => acting(answerOf(size)));
        for (let nth = 1; nth <= tries; nth += 1) {
          const results = await nodeTry(where, acts, nth === tries ? undefined : anotherItem);
          for (const [index, result] of results.entries()) {
            const size = bytes[index] ?? 0;
            if (result instanceof Error) expect(result).toMatchObject({ code: 'already_done' });
            else expect(result).toEqual(answerOf(size));
          }
          expect(idempotencyStoreSize().bytes).toBeLessThanOrEqual(64 * MB);
        }
        for (const act of acts) expect(act).toHaveBeenCalledTimes(1);
        expect(idempotencyStoreSize().bytes - before).toBeLessThanOrEqual(acts.length * 1024);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the records that a retry needs, however long earlier attempts took', async () => {
    const act = acting(answerOf(MB));
    const slow = async () => {
      jest.advanceTimersByTime(24 * 60 * 60_000);
      return await Promise.resolve('slow');
    };
    const where = retriedRun();
    await nodeTry(where, [act, slow], anotherItem);
    jest.advanceTimersByTime(5_000);

    expect(await nodeTry(where, [act, slow])).toEqual([answerOf(MB), 'slow']);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['short', 10, answerOf(10)],
    ['long', MB, { code: 'already_done' }],
  ])('keeps a repeated execution from acting twice: %s', async (_what, size, expected) => {
    // n8n repeats an execution after its worker stalled.
    const where = { executionId: newExecution() };
    const act = acting(answerOf(size));
    await nodeTry(where, [act]);

    expect(await nodeTry(where, [act])).toMatchObject([expected]);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('of many items is bounded when their run is over', async () => {
    for (let run = 0; run < 3; run += 1) {
      await nodeTry(retriedRun(), Array<() => Promise<number>>(6_000).fill(acting(1)));
    }
    expect(idempotencyStoreSize().records).toBeLessThanOrEqual(10_000);
  });

  it.each([
    [20_000, 1],
    [8_000, 2],
  ])('holds all %d changes of %d runs that can be retried', async (changes, count) => {
    const acts = Array.from({ length: changes }, () => acting(1));
    const runs = Array.from({ length: count }, retriedRun);
    for (const where of [...runs, ...runs]) {
      await nodeTry(where, acts, anotherItem);
      jest.advanceTimersByTime(5_000);
    }

    expect(acts.filter((act) => act.mock.calls.length !== count)).toEqual([]);
  });

  it('does not contain a description of a change with 10 MB', async () => {
    const context = contextOf({ executionId: newExecution() });
    await runOnce(context, 0, 'x'.repeat(10 * MB), acting(undefined));

    expect(JSON.stringify(idempotencyStoreSize())).toBe('{"runs":1,"records":1,"bytes":0}');
  });

  it('does not contain a response nested 100,000 levels deep, but the change is not made again', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const context = contextOf(retriedRun());
    const act = acting(deep);

    expect(await runOnce(context, 0, 'it', act)).toBe(deep);
    await expect(runOnce(context, 0, 'it', act)).rejects.toMatchObject({ code: 'already_done' });
    expect(act).toHaveBeenCalledTimes(1);
  });
});

it('never makes a change twice, whatever fails in whatever order', async () => {
  const outcome = fc.constantFrom('done', 'refused', 'unclear', 'defect');
  const nodeOutcomes = fc.array(outcome, { minLength: 4, maxLength: 4 });
  const plan = fc.array(nodeOutcomes, { minLength: 1, maxLength: 5 });
  const failures: Record<string, Error> = {
    refused: new ConflictError({ ...words, status: 409 }),
    unclear: new UnknownOutcomeError(words),
    defect: new RangeError('Maximum call stack size exceeded'),
  };
  await fc.assert(
    fc.asyncProperty(plan, fc.boolean(), async (tries, retryOnFail) => {
      const executionId = newExecution();
      const maybeDone = [0, 0, 0, 0];
      for (const outcomes of tries) {
        const acts = outcomes.map((one, index) => async () => {
          if (one !== 'refused') maybeDone[index] = (maybeDone[index] ?? 0) + 1;
          await Promise.resolve();
          if (one !== 'done') throw failures[one]!;
          return one;
        });
        await nodeTry({ executionId, node: { retryOnFail } }, acts, anotherItem);
      }
      for (const times of maybeDone) expect(times).toBeLessThanOrEqual(1);
    }),
  );
});
