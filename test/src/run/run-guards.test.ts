import * as errors from '../../../src/client/errors';
import { CircuitBreaker, CreditBudget } from '../../../src/run/run-guards';

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
  const refusal = { code: 'max_credits' };
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
    expect(budget).toMatchObject({ maxSpent: 3, unconfirmed: 1, available: 17 });
    for (const cost of [4, 0]) {
      const sending = budget.sendWithinBudget(cost, lose, () => cost);
      await expect(sending).rejects.toThrow('The response was lost');
    }
    expect(budget).toMatchObject({ maxSpent: 7, unconfirmed: 2 });
  });

  it('reserves the maximum cost of a request, counts its actual cost, and refuses a higher one', async () => {
    const budget = new CreditBudget(10);
    const request = jest.fn(async () => await Promise.resolve(budget.available));
    expect(await budget.sendWithinBudget(4, request, () => 1)).toBe(6);
    expect(budget).toMatchObject({ available: 9, maxSpent: 1 });
    await expect(budget.sendWithinBudget(10, request, () => 0)).rejects.toMatchObject(refusal);
    expect(request).toHaveBeenCalledTimes(1);
    expect(budget.available).toBe(9);
  });

  it.each([
    ['less than reserved', 1, true],
    ['all that was reserved', 8, false],
  ])('waits for a request in flight that turns out to cost %s', async (_what, cost, isSent) => {
    const budget = new CreditBudget(10);
    budget.reserve(8);
    const request = jest.fn(async () => await Promise.resolve());
    const outcome = budget.sendWithinBudget(4, request, () => 4).catch((error: unknown) => error);
    await new Promise(setImmediate);
    expect(request).not.toHaveBeenCalled();
    budget.settle(8, cost);
    if (isSent) expect(await outcome).toBeUndefined();
    else expect(await outcome).toMatchObject(refusal);
    expect(request).toHaveBeenCalledTimes(isSent ? 1 : 0);
    expect(budget.maxSpent).toBe(cost + (isSent ? 4 : 0));
  });

  it('reserves as many credits for rows as are available, after it has waited for the first', async () => {
    const budget = new CreditBudget(10);
    expect(await budget.reserveUpTo(7)).toBe(7);
    expect(await budget.reserveUpTo(7)).toBe(3);
    const waiting = budget.reserveUpTo(7);
    budget.settle(7, 5);
    expect(await waiting).toBe(2);
    budget.settle(5, 5);
    expect(await budget.reserveUpTo(7)).toBe(0);
    expect(budget.maxSpent).toBe(10);
  });
});
