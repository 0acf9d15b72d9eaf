import { truncateText } from '../values/text';

/** Facts about a failure that can be shown and stored: plain JSON, never a key or a header. */
type ErrorDetails = Record<string, unknown>;

interface ErrorInit {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly status?: number | undefined;
  readonly details?: ErrorDetails;
}

/** Consecutive failures after which other requests are expected to fail too; more if one row may be the cause. */
const FAILURES_TO_TRIP = { certain: 1, unreachable: 3, forbidden: 5, trouble: 10 } as const;

/**
 * Base class of all failures of a request, with their consequences for other requests. It holds only text and
 * plain JSON: the error of the HTTP library is never attached, because it prints the request's headers.
 */
export class ServiceError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number | undefined;
  readonly details: ErrorDetails;
  /** True if an earlier attempt of the same request got no response and may have been processed. */
  readonly earlierAttemptUnconfirmed: boolean = false;
  /** True if every other request would fail as well; otherwise one for fewer companies may succeed. */
  readonly affectsAnyRequest: boolean = false;
  /** Consecutive failures that end the run; undefined if it says nothing about other requests. */
  readonly failuresToTrip: number | undefined = undefined;
  readonly isTransient: boolean = false;

  constructor(init: ErrorInit) {
    super(init.message);
    this.name = new.target.name;
    this.code = init.code;
    this.hint = init.hint;
    this.status = init.status;
    this.details = init.details ?? {};
  }

  get endsRun(): boolean {
    return this.failuresToTrip === FAILURES_TO_TRIP.certain;
  }

  /** True if the service certainly did and charged nothing: nothing was sent, or it was rejected. */
  get hadNoEffect(): boolean {
    return !this.earlierAttemptUnconfirmed && this.lastAttemptHadNoEffect;
  }

  get lastAttemptHadNoEffect(): boolean {
    const { status = 0 } = this;
    // 408: the service stopped waiting for the request, possibly while it was processing it.
    return status >= 300 && status < 500 && status !== 408;
  }

  copyWith(
    words: Partial<
      Pick<ServiceError, 'message' | 'hint' | 'details' | 'earlierAttemptUnconfirmed'>
    >,
  ): this {
    const copy = Object.create(
      Object.getPrototypeOf(this) as object,
      Object.getOwnPropertyDescriptors(this),
    ) as this;
    // The stack begins with the message.
    const stack = this.stack?.replace(this.message, () => words.message ?? this.message);
    return Object.assign(copy, words, { stack });
  }
}

export class BadRequestError extends ServiceError {}
export class BatchTooLargeError extends BadRequestError {}
export class AuthenticationError extends ServiceError {
  override readonly affectsAnyRequest = true;
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
}
export class CreditExhaustedError extends ServiceError {
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
  readonly requested = toWholeNumber(this.details.requested);
  readonly shortfall = toWholeNumber(this.details.shortfall);

  /** If an earlier attempt had been charged, the same companies would be free now. */
  override get hadNoEffect(): boolean {
    return true;
  }
}
function toWholeNumber(value: unknown): number | undefined {
  return Number.isInteger(value) ? Number(value) : undefined;
}
export class ForbiddenError extends ServiceError {
  override readonly affectsAnyRequest = true;
  override readonly failuresToTrip =
    FAILURES_TO_TRIP[this.code === 'user_credential_required' ? 'certain' : 'forbidden'];
}
export class NotFoundError extends ServiceError {
  /** True if the service itself says that the resource is missing; otherwise the address may be wrong. */
  readonly isResourceMissing: boolean;
  override readonly affectsAnyRequest: boolean;

  constructor(init: ErrorInit & { isResourceMissing?: boolean }) {
    super(init);
    this.isResourceMissing = init.isResourceMissing ?? false;
    this.affectsAnyRequest = !this.isResourceMissing;
  }
}
export class ConflictError extends ServiceError {
  override readonly affectsAnyRequest = true;
}
export class UnprocessableError extends ServiceError {}
/** The service's own refusal with a status that the API spec does not list, such as 423 for a locked list. */
export class UnlistedRefusalError extends ServiceError {
  override readonly affectsAnyRequest = true;
}
export class RateLimitError extends ServiceError {
  override readonly affectsAnyRequest = true;
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
  override readonly isTransient = true;

  /** Without a status, it is the limiter's: nothing was sent. */
  override get lastAttemptHadNoEffect(): boolean {
    return this.status === undefined || super.lastAttemptHadNoEffect;
  }
}
export class ServerError extends ServiceError {
  override readonly affectsAnyRequest: boolean;
  override readonly failuresToTrip = FAILURES_TO_TRIP.trouble;
  override readonly isTransient = true;

  /** @param init `isPage`: the body is a web page, which a gateway sends unless the status is 500. */
  constructor(init: ErrorInit & { isPage?: boolean }) {
    super(init);
    this.affectsAnyRequest = init.isPage === true && init.status !== 500;
  }
}
export class RedirectRefusedError extends ServiceError {
  override readonly affectsAnyRequest = true;
  override readonly failuresToTrip = FAILURES_TO_TRIP.unreachable;
}
export class ConnectionError extends ServiceError {
  /** True if no part of the request has left this machine. */
  readonly neverConnected = this.code === 'connection_failed';
  /** The service may hang because of what a single participant looks up. */
  override readonly affectsAnyRequest = this.neverConnected;
  override readonly failuresToTrip =
    FAILURES_TO_TRIP[this.neverConnected ? 'unreachable' : 'trouble'];
  override readonly isTransient = true;

  override get lastAttemptHadNoEffect(): boolean {
    return this.neverConnected;
  }
}
export class InvalidResponseError extends ServiceError {
  override readonly affectsAnyRequest: boolean;
  override readonly isTransient = true;
  /** True if it is an HTML page: the service, which sends JSON, did not get the request. */
  private readonly isWebPage: boolean;
  readonly isFinal: boolean = this.code === 'response_too_large';
  /** Oversize responses of many requests at once would fill the memory. */
  override readonly failuresToTrip =
    this.code === 'response_too_large' ? FAILURES_TO_TRIP.unreachable : undefined;

  constructor(init: ErrorInit & { affectsAnyRequest?: boolean; isWebPage?: boolean }) {
    super(init);
    this.isWebPage = init.isWebPage === true;
    this.affectsAnyRequest = init.affectsAnyRequest === true || this.isWebPage;
  }

  override get lastAttemptHadNoEffect(): boolean {
    return this.isWebPage || super.lastAttemptHadNoEffect;
  }
}

export const NOT_THE_SERVICE_HINT =
  'Check the Base URL in the credential. A proxy or login page may have responded.';

export function createInvalidResponseError(
  message: string,
  hint = 'Check the Base URL in the credential. If it is correct, the service has changed its responses.',
  isWebPage = false,
): InvalidResponseError {
  return new InvalidResponseError({ code: 'invalid_response', message, hint, isWebPage });
}

export class UnknownOutcomeError extends ServiceError {
  override readonly affectsAnyRequest = true;

  override get lastAttemptHadNoEffect(): boolean {
    return false;
  }
}
export const NOT_RETRIED_NOTICE = "The node didn't retry, to avoid doing it twice.";

export function createUnknownOutcomeError(
  { message, status }: { readonly message: string; readonly status?: number | undefined },
  call?: { readonly method: string; readonly path: string },
): UnknownOutcomeError {
  const sent = call === undefined ? '' : ` (${call.method} ${truncateText(call.path, 200)})`;
  return new UnknownOutcomeError({
    code: 'unknown_outcome',
    message: `The outcome of this request is unknown${sent}: ${message}`,
    hint: `${NOT_RETRIED_NOTICE} Check in the service, then run again if needed.`,
    status,
  });
}

export class CancelledError extends ServiceError {
  constructor() {
    super({
      code: 'cancelled',
      message: 'The execution was stopped before this request finished',
      hint: 'Run the workflow again to get the remaining rows.',
    });
  }
}
export class NotAttemptedError extends ServiceError {
  override readonly affectsAnyRequest = true;
  override readonly isTransient = true;

  override get lastAttemptHadNoEffect(): boolean {
    return true;
  }
}
