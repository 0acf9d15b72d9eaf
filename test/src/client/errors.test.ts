/** Tests for each error class what it means for other requests. */
import * as errors from '../../../src/client/errors';

type Meaning = readonly [
  matter: errors.FailureScope,
  endsRunAfter: number | undefined,
  mayPass: boolean,
  surelyNotDone: boolean,
];

const { ServiceError } = errors;
const classes = Object.entries<unknown>({ ...errors }).filter(
  (entry): entry is [string, typeof ServiceError] =>
    typeof entry[1] === 'function' &&
    (entry[1] === ServiceError || entry[1].prototype instanceof ServiceError),
);

const OTHER: Meaning = ['this-request', undefined, false, true];
const MEANINGS: Readonly<Record<string, Meaning>> = {
  AuthenticationError: ['any-request', 1, false, true],
  CancelledError: ['this-request', undefined, false, false],
  ConflictError: ['any-request', undefined, false, true],
  ConnectionError: ['uncertain', 10, true, false],
  CreditExhaustedError: ['this-request', 1, false, true],
  ForbiddenError: ['any-request', 5, false, true],
  InvalidResponseError: ['uncertain', undefined, true, true],
  NotAttemptedError: ['any-request', undefined, true, true],
  NotFoundError: ['any-request', undefined, false, true],
  RateLimitError: ['any-request', 1, true, true],
  RedirectRefusedError: ['any-request', 3, false, true],
  ServerError: ['uncertain', 10, true, true],
  UnknownOutcomeError: ['any-request', undefined, false, false],
};

const meaningOf = (error: errors.ServiceError): Meaning => [
  error.failureScope,
  error.failuresToTrip,
  error.isTransient,
  error.hadNoEffect,
];

const said = { code: 'x', message: 'm', hint: '-' };

it.each(classes)('%s has this meaning for other requests', (name, Kind) => {
  const error = new Kind({ ...said, status: 404 });
  expect(meaningOf(error)).toEqual(MEANINGS[name] ?? OTHER);
  const later = error.copyWith({ earlierAttemptUnconfirmed: true });
  expect(later.hadNoEffect).toBe(name === 'CreditExhaustedError');
});

it.each<[string, typeof ServiceError, Meaning]>([
  ['connection_failed', errors.ConnectionError, ['any-request', 3, true, true]],
  ['user_credential_required', errors.ForbiddenError, ['any-request', 1, false, true]],
])('the code %s has its own meaning for other requests', (code, Kind, meaning) => {
  expect(meaningOf(new Kind({ ...said, code, status: 403 }))).toEqual(meaning);
});

it.each([{}, { status: 200 }, { status: 408 }, { status: 500 }])(
  'does not rule out an effect with %j, unless the limiter refused the request',
  (more: { status?: number }) => {
    expect(new ServiceError({ ...said, ...more }).hadNoEffect).toBe(false);
    // The limiter refuses before anything is sent.
    const limited = new errors.RateLimitError({ ...said, ...more });
    expect(limited.hadNoEffect).toBe(more.status === undefined);
  },
);
