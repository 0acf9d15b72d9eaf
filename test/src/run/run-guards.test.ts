import fc from 'fast-check';

import { mapInParallel } from '../../../src/concurrency';
import * as errors from '../../../src/client/errors';
import { CircuitBreaker, CreditBudget, SkippedError } from '../../../src/run/run-guards';

const text = (code: string, status?: number) => ({ code, message: code, hint: '-', status });
const credits = new errors.CreditExhaustedError({
  ...text('credit_exhausted', 402),
  details: { requested: 1, shortfall: 1 },
});
const unauthorized = new errors.AuthenticationError(text('http_401', 401));
const notFound = new errors.NotFoundError(text('company_not_found', 404));
const unreachable = new errors.ConnectionError(text('connection_failed'));

describe('a circuit breaker', () => {
  it.each<[errors.ServiceError, number]>([
    [credits, 1],
    [unreachable, 3],
    [new errors.InvalidResponseError(text('response_too_large', 200)), 3],
    [new errors.ForbiddenError(text('http_403', 403)), 5],
    [new errors.ServerError(text('http_500', 500)), 10],
  ])('opens when %s occurs %i times in a row', (error, times) => {
    const breaker = new CircuitBreaker();
    for (let nth = 1; nth <= times; nth += 1) {
      expect(breaker.tripError).toBeUndefined();
      breaker.recordFailure(error);
    }

    expect(breaker.assertClosed).toThrow(errors.NotAttemptedError);
    expect(breaker.tripError).toMatchObject({ details: { cause: error.code } });
    expect(breaker.tripError?.message).toContain(error.message);
  });

  it.each<[string, (breaker: CircuitBreaker) => void]>([
    ['a successful response', (breaker) => breaker.recordSuccess()],
    ['an unknown company', (breaker) => breaker.recordFailure(notFound)],
    [
      'a rejection of one request',
      (breaker) => breaker.recordFailure(new errors.UnprocessableError(text('http_422', 422))),
    ],
  ])('never opens after %s, which restarts the count', (_what, between) => {
    const breaker = new CircuitBreaker();
    for (let nth = 0; nth < 50; nth += 1) {
      breaker.recordFailure(unreachable);
      breaker.recordFailure(unreachable);
      between(breaker);
    }

    expect(breaker.tripError).toBeUndefined();
  });

  it('counts oversize responses over the whole run, because their memory is not free at once', () => {
    const breaker = new CircuitBreaker();
    const oversize = new errors.InvalidResponseError(text('response_too_large', 200));
    for (let failures = 0; failures < 3; failures += 1) {
      expect(breaker.tripError).toBeUndefined();
      breaker.recordFailure(oversize);
      breaker.recordSuccess();
    }

    expect(breaker.tripError).toMatchObject({ details: { cause: 'response_too_large' } });
  });

  it('opens when the run around it is stopped, but not the other way round', () => {
    const [run, other] = [new CircuitBreaker(), new CircuitBreaker()];
    const part = new CircuitBreaker(false, run);
    run.trip(new Error('the run'));
    new CircuitBreaker(false, other).trip('the node stopped reading the list');

    expect(part.tripError?.message).toContain('the run');
    expect(other.tripError).toBeUndefined();
  });

  it('opens the breaker of the run when a part fails, and reports the first cause', () => {
    const run = new CircuitBreaker();
    for (const error of [credits, unauthorized]) {
      new CircuitBreaker(false, run).recordFailure(error);
    }

    expect(run.tripError).toMatchObject({ details: { cause: 'credit_exhausted' } });
  });

  it('opens after a failed item only if the run stops at the first failure', () => {
    const [stopping, going] = [new CircuitBreaker(true), new CircuitBreaker(false)];
    for (const run of [stopping, going]) {
      new CircuitBreaker(false, run).recordItemFailure(notFound);
    }

    expect(stopping.tripError).toBeInstanceOf(errors.NotAttemptedError);
    expect(going.tripError).toBeUndefined();
  });
});

describe('a credit budget', () => {
  const lose = async () => await Promise.reject(new Error('The response was lost'));

  it('has all credits without a limit, and none when a response cost more than was reserved', () => {
    for (const [limit, available] of [
      [undefined, Infinity],
      [10, 0],
    ] as const) {
      const budget = new CreditBudget(limit);
      budget.reserve(10);
      budget.settle(10, 35);
      expect(budget.available).toBe(available);
    }
  });

  it('counts a lost response as spent, unless the request was free or not sent', async () => {
    const budget = new CreditBudget(20);
    budget.reserve(3);
    budget.reserve(4);
    expect(budget).toMatchObject({ maxSpent: 7, available: 13 });
    budget.settleFailed(3, new Error('The response was lost'));
    budget.settleFailed(4, budget.limitError());
    expect(budget).toMatchObject({ maxSpent: 3, cost: { unconfirmed: 1 }, available: 17 });
    for (const cost of [4, 0]) {
      const sending = budget.sendWithinBudget(cost, lose, () => cost);
      await expect(sending).rejects.toThrow('The response was lost');
    }
    expect(budget).toMatchObject({ maxSpent: 7, cost: { unconfirmed: 2 } });
  });

  it('delivers in order what it can pay, as if each request had been sent after the one before', async () => {
    const anyItem = fc.record({
      most: fc.integer({ min: 1, max: 12 }),
      real: fc.nat(12),
      // A part of a list helps, part of a company does not.
      isList: fc.boolean(),
      turns: fc.nat(5),
      end: fc.constantFrom('answered', 'answered', 'answered', 'refused', 'lost'),
    });
    const world = fc.record({ bound: fc.nat(60), items: fc.array(anyItem, { maxLength: 60 }) });
    await fc.assert(
      fc.asyncProperty(world, async ({ bound, items }) => {
        let left = bound;
        const expected = items.map(({ most, real, isList, end }) => {
          const paid = isList ? Math.min(most, left) : most <= left ? most : 0;
          left -= end === 'refused' ? 0 : end === 'lost' ? paid : Math.min(real, paid);
          return paid;
        });

        const budget = new CreditBudget(bound);
        const paid = await mapInParallel(items, async ({ most, real, isList, turns, end }) => {
          const reserved = isList ? await budget.reserveUpTo(most) : most;
          const send = async () => {
            expect(budget.maxSpent).toBeLessThanOrEqual(bound);
            for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
            if (end === 'lost') throw new Error('The response was lost');
            if (end === 'refused') throw notFound;
            return Math.min(real, reserved);
          };
          if (reserved === 0) return 0;
          const sending = isList
            ? budget.sendReserved(reserved, send, (cost) => cost)
            : budget.sendWithinBudget(reserved, send, (cost) => cost);
          return await sending.then(
            () => reserved,
            (error: unknown) => (error instanceof SkippedError ? 0 : reserved),
          );
        });

        expect(paid).toEqual(expected);
        expect(budget).toMatchObject({ available: left, maxSpent: bound - left });
      }),
    );
  });

  it.each<[string, number, number, string]>([
    ['nothing is left', 10, 1, 'Max Credits (10) of this node was reached'],
    [
      'some are left',
      9,
      5,
      'this item can cost up to 5 credits, 1 is left of Max Credits (10) of this node',
    ],
    [
      'none is spent',
      0,
      94,
      'it can cost up to 94 credits, more than Max Credits (10) of this node',
    ],
  ])('says why an item is skipped when %s', (_when, spent, needed, reason) => {
    const budget = new CreditBudget(10);
    budget.settle(0, spent);
    expect(budget.limitError(needed, 'exported').message).toBe(`Not exported: ${reason}`);
  });
});
