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

it.each(classes)(
  '%s has the expected scope, breaker threshold, transience and effect when the service refuses',
  (name, Kind) => {
    const error = new Kind({ code: 'x', message: 'm', hint: '-', status: 404 });

    expect(meaningOf(error)).toEqual(MEANINGS[name] ?? OTHER);
    expect(error.copyWith({ earlierAttemptUnconfirmed: true }).hadNoEffect).toBe(
      name === 'CreditExhaustedError',
    );
  },
);

it.each<[keyof typeof errors, string, Meaning]>([
  ['ConnectionError', 'connection_failed', ['any-request', 3, true, true]],
  ['ForbiddenError', 'user_credential_required', ['any-request', 1, false, true]],
])(
  '%s with the code %s has its own scope, breaker threshold, transience and effect',
  (name, code, meaning) => {
    const Kind = errors[name] as typeof ServiceError;

    expect(meaningOf(new Kind({ code, message: 'm', hint: '-', status: 403 }))).toEqual(meaning);
  },
);

it.each([undefined, 200, 408, 500])(
  'does not rule out an effect for status %s, unless the limiter refused the request',
  (status) => {
    const said = {
      code: 'x',
      message: 'm',
      hint: '-',
      ...(status === undefined ? {} : { status }),
    };

    expect(new ServiceError(said).hadNoEffect).toBe(false);
    // The limiter refuses before anything is sent.
    expect(new errors.RateLimitError(said).hadNoEffect).toBe(status === undefined);
  },
);
