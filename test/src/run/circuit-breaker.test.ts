/** What ends a run: what every other request would meet as well, and no more than that. */
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
])('%s ends the run when it was met %i times in a row', (error, times) => {
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
])('%s is about one thing: it never ends a run', (error) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) breaker.recordFailure(error);

  expect(breaker.tripError).toBeUndefined();
});

it.each([
  ['an answer', (breaker: CircuitBreaker) => breaker.recordSuccess()],
  [
    'a refusal of one thing',
    (breaker: CircuitBreaker) => breaker.recordFailure(new NotFoundError(said('x', 404))),
  ],
])('%s shows that the service is there', (_what, between) => {
  const breaker = new CircuitBreaker();
  for (let nth = 0; nth < 50; nth += 1) {
    breaker.recordFailure(new ConnectionError(said('connection_failed')));
    breaker.recordFailure(new ConnectionError(said('connection_failed')));
    between(breaker);
  }

  expect(breaker.tripError).toBeUndefined();
});

describe('nested', () => {
  it('stopping a run stops its parts', () => {
    const run = new CircuitBreaker();
    const part = new CircuitBreaker(false, run);
    run.trip(new Error('the run'));

    expect(part.tripError?.message).toContain('the run');
  });

  it('a part that has come to its end stops nothing else', () => {
    const run = new CircuitBreaker();
    new CircuitBreaker(false, run).trip('the node stopped reading the list');

    expect(run.tripError).toBeUndefined();
  });

  it('a failure of a part ends the run, which reports the first cause', () => {
    const run = new CircuitBreaker();
    new CircuitBreaker(false, run).recordFailure(credits);
    new CircuitBreaker(false, run).recordFailure(new AuthenticationError(said('http_401', 401)));

    expect(run.tripError).toMatchObject({ details: { cause: 'credit_exhausted' } });
  });

  it('a failed item ends only a run that cannot continue without it', () => {
    const error = new NotFoundError(said('company_not_found', 404));
    const [stopping, going] = [new CircuitBreaker(true), new CircuitBreaker(false)];
    for (const run of [stopping, going]) new CircuitBreaker(false, run).recordItemFailure(error);

    expect(stopping.tripError).toBeInstanceOf(NotAttemptedError);
    expect(going.tripError).toBeUndefined();
  });
});
