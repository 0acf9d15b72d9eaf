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

interface Surroundings {
  readonly executionId?: string;
  readonly node?: { id?: string; name?: string; retryOnFail?: boolean };
  readonly runIndex?: number;
}

let executions = 0;
const newExecution = () => `once-${String((executions += 1))}`;

/**
 * Returns the part of n8n's context that `runOnce` uses. As in n8n, each try has its own context.
 */
function contextOf({ executionId = 'e', node = {}, runIndex = 0 }: Surroundings) {
  return {
    getExecutionId: () => executionId,
    getNode: () => ({ id: 'n', name: 'Node', ...node }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
  } as unknown as IExecuteFunctions;
}

const words = { code: 'x', message: 'Sorry', hint: 'Hint' };
const retried = { retryOnFail: true };

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
  [
    'a code that only looks like no connection',
    new ServerError({ ...words, code: 'connection_failed', status: 500 }),
  ],
  ['a request timeout of the service', new ServiceError({ ...words, status: 408 })],
  ['no response', new ConnectionError({ ...words, code: 'no_answer' })],
  ['a stack overflow', new RangeError('Maximum call stack size exceeded')],
  ['a broken URI', new URIError('URI malformed')],
  ['a bug', new TypeError('x is not a function')],
  ['a text instead of an error', 'text'],
];

async function twice(failure: unknown, how?: Parameters<typeof runOnce>[4]) {
  const executionId = newExecution();
  let done = 0;
  const act = async () => {
    done += 1;
    await Promise.resolve();
    throw failure;
  };
  const attempt = async () =>
    await runOnce(contextOf({ executionId, node: retried }), 0, 'it', act, how).catch(
      (error: unknown) => error,
    );
  const [first, second] = [await attempt(), await attempt()];
  return { done, first, second };
}

it.each(SURELY_NOT_DONE)(
  'acts again after a failure without an effect: %s',
  async (_what, failure) => {
    expect(await twice(failure)).toEqual({ done: 2, first: failure, second: failure });
  },
);

it.each(MAYBE_DONE)(
  'does not act again after a failure with a possible effect: %s',
  async (_what, failure) => {
    const { done, first, second } = await twice(failure);

    expect(done).toBe(1);
    expect(first).toBeInstanceOf(UnknownOutcomeError);
    expect(second).toBe(first);
    expect((first as Error).message).toContain(failure instanceof Error ? failure.message : 'text');
  },
);

it('does not act again after Stop, and then reports an unknown outcome', async () => {
  const { done, first, second } = await twice(new CancelledError());

  expect(done).toBe(1);
  expect(first).toBeInstanceOf(CancelledError);
  expect(second).toBeInstanceOf(UnknownOutcomeError);
});

it('repeats a repeatable change after a failure of the service, but after no other failure', async () => {
  const again = { repeatable: true };

  expect((await twice(new ServerError({ ...words, status: 503 }), again)).done).toBe(2);
  expect((await twice(new UnknownOutcomeError(words), again)).done).toBe(1);
  expect((await twice(new TypeError('x'), again)).done).toBe(1);
  expect((await twice(new CancelledError(), again)).done).toBe(1);
});

it('shortens an error message of 10,000,000 characters', async () => {
  const { first } = await twice(new TypeError('x'.repeat(10_000_000)));

  expect((first as Error).message.length).toBeLessThan(1000);
});

it.each<[string, Surroundings]>([
  ['another execution', { executionId: 'f' }],
  ['another node', { node: { id: 'm' } }],
  ['another node with the same ID', { node: { name: 'Other' } }],
  ['another run of the node, as in a loop', { runIndex: 1 }],
])('acts separately in %s', async (_what, other) => {
  const act = jest.fn(async () => await Promise.resolve(1));
  await runOnce(contextOf({}), 0, 'it', act);
  await runOnce(contextOf({}), 0, 'it', act);
  await runOnce(contextOf(other), 0, 'it', act);

  expect(act).toHaveBeenCalledTimes(2);
});

it('acts once when two attempts run at the same time', async () => {
  const act = jest.fn(async () => await Promise.resolve({ id: 1 }));
  const [a, b] = await Promise.all([
    runOnce(contextOf({}), 0, 'it', act),
    runOnce(contextOf({}), 0, 'it', act),
  ]);

  expect([a, b]).toEqual([{ id: 1 }, { id: 1 }]);
  expect(act).toHaveBeenCalledTimes(1);
});

/** Runs one try of a node, which calls one function per item. */
async function nodeTry(
  where: Surroundings,
  items: ReadonlyArray<() => Promise<unknown>>,
  failing: Error | undefined,
): Promise<unknown[]> {
  const context = contextOf(where);
  const results: unknown[] = [];
  const output = async (): Promise<INodeExecutionData[][]> => {
    results.push(
      ...(await Promise.all(
        items.map(async (act, index) =>
          runOnce(context, index, 'it', act).catch((error: unknown) => error),
        ),
      )),
    );
    if (failing !== undefined) throw failing;
    return [[{ json: {} }]];
  };
  await asAttempt(context, output).catch(() => undefined);
  return results;
}

const MB = 1024 * 1024;
const answerOf = (bytes: number) => ({ text: 'x'.repeat(bytes / 2) });

describe('the memory', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 3 * MB }), { minLength: 1, maxLength: 60 });

  it('of finished node runs contains no responses, however large they were', async () => {
    for (let run = 0; run < 300; run += 1) {
      const node = { retryOnFail: run % 2 === 0 };
      const where = { executionId: newExecution(), node };
      await nodeTry(where, [async () => await Promise.resolve(answerOf(MB))], undefined);
      expect(idempotencyStoreSize().bytes).toBe(0);
    }
    expect(idempotencyStoreSize()).toEqual({ runs: 300, records: 300, bytes: 0 });
  });

  it('of runs that fail permanently is bounded, and freed within an hour', async () => {
    const act = async () => await Promise.resolve(answerOf(MB));
    for (let run = 0; run < 300; run += 1) {
      await nodeTry({ executionId: newExecution(), node: retried }, [act], new Error('fails'));
      expect(idempotencyStoreSize().bytes).toBeLessThanOrEqual(64 * MB);
    }
    jest.advanceTimersByTime(60 * 60_000);
    expect(idempotencyStoreSize()).toEqual({ runs: 0, records: 0, bytes: 0 });
  });

  it('is bounded while a run is retried, and no change is made twice', async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 2, max: 5 }), async (bytes, tries) => {
        const executionId = newExecution();
        const { bytes: before } = idempotencyStoreSize();
        const acts = bytes.map((size) =>
          jest.fn(async () => await Promise.resolve(answerOf(size))),
        );
        for (let nth = 1; nth <= tries; nth += 1) {
          const failing = nth === tries ? undefined : new Error('another item');
          const results = await nodeTry({ executionId, node: retried }, acts, failing);
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
    const act = jest.fn(async () => await Promise.resolve(answerOf(MB)));
    const slow = async () => {
      jest.advanceTimersByTime(24 * 60 * 60_000);
      return await Promise.resolve('slow');
    };
    const where = { executionId: newExecution(), node: retried };
    await nodeTry(where, [act, slow], new Error('another item'));
    jest.advanceTimersByTime(5_000);

    expect(await nodeTry(where, [act, slow], undefined)).toEqual([answerOf(MB), 'slow']);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('keeps a repeated execution, as after a stalled worker, from making a change twice', async () => {
    for (const size of [10, MB]) {
      const where = { executionId: newExecution() };
      const act = jest.fn(async () => await Promise.resolve(answerOf(size)));
      await nodeTry(where, [act], undefined);
      const [again] = await nodeTry(where, [act], undefined);

      expect(act).toHaveBeenCalledTimes(1);
      if (size === 10) expect(again).toEqual(answerOf(10));
      else expect(again).toMatchObject({ code: 'already_done' });
    }
  });

  it('of many items is bounded when their run is over', async () => {
    for (let run = 0; run < 3; run += 1) {
      const acts = Array.from({ length: 6_000 }, () => async () => await Promise.resolve(1));
      await nodeTry({ executionId: newExecution(), node: retried }, acts, undefined);
    }
    expect(idempotencyStoreSize().records).toBeLessThanOrEqual(10_000);
  });

  it('holds all changes of a run in progress, however many there are', async () => {
    const acts = Array.from({ length: 20_000 }, () =>
      jest.fn(async () => await Promise.resolve(1)),
    );
    const where = { executionId: newExecution(), node: retried };
    await nodeTry(where, acts, new Error('another item'));
    await nodeTry(where, acts, undefined);

    expect(acts.filter((act) => act.mock.calls.length !== 1)).toEqual([]);
  });

  it('does not contain a description of a change with 10 MB', async () => {
    const context = contextOf({ executionId: newExecution() });
    await runOnce(context, 0, 'x'.repeat(10 * MB), async () => await Promise.resolve(undefined));

    expect(JSON.stringify(idempotencyStoreSize())).toBe('{"runs":1,"records":1,"bytes":0}');
  });

  it('does not contain a response nested 100,000 levels deep, but the change is not made again', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const context = contextOf({ executionId: newExecution(), node: retried });
    const act = jest.fn(async () => await Promise.resolve(deep));

    expect(await runOnce(context, 0, 'it', act)).toBe(deep);
    await expect(runOnce(context, 0, 'it', act)).rejects.toMatchObject({ code: 'already_done' });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('holds all changes of two runs that can be retried, however many there are', async () => {
    const acts = Array.from({ length: 8_000 }, () => jest.fn(async () => await Promise.resolve(1)));
    const runs = [newExecution(), newExecution()];
    for (const executionId of [...runs, ...runs]) {
      const where = { executionId, node: retried };
      await nodeTry(where, acts, new Error('another item'));
      jest.advanceTimersByTime(5_000);
    }

    expect(acts.filter((act) => act.mock.calls.length !== runs.length)).toEqual([]);
  });
});

it('never makes a change twice, whatever fails in whatever order', async () => {
  const outcome = fc.constantFrom('done', 'refused', 'unclear', 'defect');
  const plan = fc.array(fc.array(outcome, { minLength: 4, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  });
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
        await nodeTry({ executionId, node: { retryOnFail } }, acts, new Error('another item'));
      }
      for (const times of maybeDone) expect(times).toBeLessThanOrEqual(1);
    }),
  );
});
