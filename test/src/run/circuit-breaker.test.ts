/** Tests which failures end a run: only those that every other request would meet too. */
import {
  AuthenticationError,
  ConnectionError,
  CreditExhaustedError,
  ForbiddenError,
  NotAttemptedError,
  NotFoundError,
  RateLimitError,
  RedirectRefusedError,
  ServerError,
  UnprocessableError,
  type ServiceError,
} from '../../../src/client/errors';
import { CircuitBreaker } from '../../../src/run/circuit-breaker';

const said = (code: string, status?: number) => ({
  code,
  message: code,
  hint: '-',
  ...(status === undefined ? {} : { status }),
});
const credits = new CreditExhaustedError({
  ...said('credit_exhausted', 402),
  requested: 1,
  shortfall: 1,
});

it.each<[ServiceError, number]>([
  [credits, 1],
  [new AuthenticationError(said('http_401', 401)), 1],
  [new RateLimitError(said('daily_limit_reached')), 1],
  [new ForbiddenError(said('user_credential_required', 403)), 1],
  [new RedirectRefusedError(said('redirect_refused', 302)), 3],
  [new ConnectionError(said('connection_failed')), 3],
  [new ForbiddenError(said('http_403', 403)), 5],
  [new ConnectionError(said('no_answer')), 10],
  [new ServerError(said('http_500', 500)), 10],
])('opens when %s occurs %i times in a row', (error, times) => {
  const breaker = new CircuitBreaker();
  for (let nth = 1; nth <= times; nth += 1) {
    expect(breaker.tripError).toBeUndefined();
    breaker.recordFailure(error);
  }

  expect(breaker.assertClosed).toThrow(NotAttemptedError);
  expect(breaker.tripError).toMatchObject({ details: { cause: error.code } });
  expect(breaker.tripError?.message).toContain(error.message);
});

it.each([
  new NotFoundError(said('company_not_found', 404)),
  new UnprocessableError(said('http_422', 422)),
])('never opens after %s, which concerns a single request', (error) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) breaker.recordFailure(error);

  expect(breaker.tripError).toBeUndefined();
});

it.each([
  ['a successful response', (breaker: CircuitBreaker) => breaker.recordSuccess()],
  [
    'a rejection of a single request',
    (breaker: CircuitBreaker) => breaker.recordFailure(new NotFoundError(said('x', 404))),
  ],
])('restarts the failure count after %s', (_what, between) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) {
    breaker.recordFailure(new ConnectionError(said('connection_failed')));
    breaker.recordFailure(new ConnectionError(said('connection_failed')));
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
    new CircuitBreaker(false, run).recordFailure(new AuthenticationError(said('http_401', 401)));

    expect(run.tripError).toMatchObject({ details: { cause: 'credit_exhausted' } });
  });

  it('opens after a failed item only if the run stops at the first failure', () => {
    const error = new NotFoundError(said('company_not_found', 404));
    const [stopping, going] = [new CircuitBreaker(true), new CircuitBreaker(false)];
    for (const run of [stopping, going]) new CircuitBreaker(false, run).recordItemFailure(error);

    expect(stopping.tripError).toBeInstanceOf(NotAttemptedError);
    expect(going.tripError).toBeUndefined();
  });
});
