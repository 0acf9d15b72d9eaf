/** Tests which failures end a run: only those that every other request would meet too. */
import * as errors from '../../../src/client/errors';
import { CircuitBreaker } from '../../../src/run/run-guards';

const text = (code: string, status?: number) => ({ code, message: code, hint: '-', status });
const figures = { requested: 1, shortfall: 1 };
const credits = new errors.CreditExhaustedError({
  ...text('credit_exhausted', 402),
  details: figures,
});

it.each<[errors.ServiceError, number]>([
  [credits, 1],
  [new errors.AuthenticationError(text('http_401', 401)), 1],
  [new errors.RateLimitError(text('daily_limit_reached')), 1],
  [new errors.ForbiddenError(text('user_credential_required', 403)), 1],
  [new errors.RedirectRefusedError(text('redirect_refused', 302)), 3],
  [new errors.ConnectionError(text('connection_failed')), 3],
  [new errors.ForbiddenError(text('http_403', 403)), 5],
  [new errors.ConnectionError(text('no_answer')), 10],
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

it.each([
  new errors.NotFoundError(text('company_not_found', 404)),
  new errors.UnprocessableError(text('http_422', 422)),
])('never opens after %s, which concerns a single request', (error) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) breaker.recordFailure(error);

  expect(breaker.tripError).toBeUndefined();
});

it.each([
  ['a successful response', (breaker: CircuitBreaker) => breaker.recordSuccess()],
  [
    'a rejection of a single request',
    (breaker: CircuitBreaker) => breaker.recordFailure(new errors.NotFoundError(text('x', 404))),
  ],
])('restarts the failure count after %s', (_what, between) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) {
    breaker.recordFailure(new errors.ConnectionError(text('connection_failed')));
    breaker.recordFailure(new errors.ConnectionError(text('connection_failed')));
    between(breaker);
  }

  expect(breaker.tripError).toBeUndefined();
});

describe('nested circuit breakers', () => {
  it('opens the breaker of a part when its run is stopped', () => {
    const run = new CircuitBreaker();
    const part = new CircuitBreaker(false, run);
    run.trip(new Error('the run'));

    expect(part.tripError?.message).toContain('the run');
  });

  it('keeps the breaker of the run closed when a part ends', () => {
    const run = new CircuitBreaker();
    new CircuitBreaker(false, run).trip('the node stopped reading the list');

    expect(run.tripError).toBeUndefined();
  });

  it('opens the breaker of the run when a part fails, and reports the first cause', () => {
    const run = new CircuitBreaker();
    new CircuitBreaker(false, run).recordFailure(credits);
    new CircuitBreaker(false, run).recordFailure(
      new errors.AuthenticationError(text('http_401', 401)),
    );

    expect(run.tripError).toMatchObject({ details: { cause: 'credit_exhausted' } });
  });

  it('opens after a failed item only if the run stops at the first failure', () => {
    const error = new errors.NotFoundError(text('company_not_found', 404));
    const [stopping, going] = [new CircuitBreaker(true), new CircuitBreaker(false)];
    for (const run of [stopping, going]) new CircuitBreaker(false, run).recordItemFailure(error);

    expect(stopping.tripError).toBeInstanceOf(errors.NotAttemptedError);
    expect(going.tripError).toBeUndefined();
  });
});
