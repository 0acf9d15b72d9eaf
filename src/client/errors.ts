import { truncateText } from './values';

/** Facts about a failure that can be shown and stored: plain JSON, never a key or a header. */
export type ErrorDetails = Record<string, unknown>;

interface ErrorInit {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly status?: number | undefined;
  readonly details?: ErrorDetails;
}

/**
 * Which participants of a shared request its failure concerns: `any-request` every one, `this-request`
 * perhaps only one, or the size of the request; `uncertain` every one if a smaller request fails as well.
 */
export type FailureScope = 'any-request' | 'this-request' | 'uncertain';

/**
 * Number of consecutive failures after which every other request is expected to fail in the same way:
 * after one if the key, credits or requests are used up; later if a single row may be the cause.
 */
const FAILURES_TO_TRIP = { certain: 1, unreachable: 3, forbidden: 5, trouble: 10 } as const;

/**
 * Base class of all failures of a request. It holds only text and plain JSON. The error of the HTTP
 * library is never attached, because it prints the request's headers.
 *
 * A failure states its consequences for other requests. Each subclass overrides what differs.
 */
export class ServiceError extends Error {
  /** Error code of the API spec, or this client's own code if the response had none. */
  readonly code: string;
  /** What the user can do, in one or two sentences. */
  readonly hint: string;
  /** HTTP status; undefined if no response arrived. */
  readonly status: number | undefined;
  readonly details: ErrorDetails;
  /** True if an earlier attempt of the same request got no response and may have been processed. */
  readonly earlierAttemptUnconfirmed: boolean = false;
  readonly failureScope: FailureScope = 'this-request';
  /** Consecutive failures that end the run; undefined if the failure says nothing about other requests. */
  readonly failuresToTrip: number | undefined = undefined;
  /** True if the same request may succeed later without any change. */
  readonly isTransient: boolean = false;

  constructor(init: ErrorInit) {
    super(init.message);
    this.name = new.target.name;
    this.code = init.code;
    this.hint = init.hint;
    this.status = init.status;
    this.details = init.details ?? {};
  }

  /** True if a single failure of this kind ends the run. */
  get endsRun(): boolean {
    return this.failuresToTrip === FAILURES_TO_TRIP.certain;
  }

  /**
   * True if the service certainly did nothing and charged nothing: the request was never sent, or it
   * was rejected. For any other failure, including unforeseen ones, the request may have had an effect.
   */
  get hadNoEffect(): boolean {
    return !this.earlierAttemptUnconfirmed && this.lastAttemptHadNoEffect;
  }

  protected get lastAttemptHadNoEffect(): boolean {
    const { status = 0 } = this;
    // 408: the service stopped waiting for the request, possibly while it was processing it.
    return status >= 300 && status < 500 && status !== 408;
  }

  /** Returns a copy with other texts or details. */
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

/** 400: the service rejected the contents of the request. */
export class BadRequestError extends ServiceError {}
/** 400 `batch_too_large`: more domains than the endpoint, or this key, accepts in one request. */
export class BatchTooLargeError extends BadRequestError {}
/** 401: the service rejected the key. */
export class AuthenticationError extends ServiceError {
  override readonly failureScope = 'any-request';
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
}
/** Formats the message of a 402 that states its figures. */
export function formatCreditShortfall(requested: number, shortfall: number): string {
  const credits = `${String(requested)} ${requested === 1 ? 'credit' : 'credits'}`;
  return `Not enough credits: the request needs ${credits}, ${String(shortfall)} more than you have`;
}
/** 402: the balance cannot cover the request. */
export class CreditExhaustedError extends ServiceError {
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
  /** Credits that the request needs; undefined if the response does not say. */
  readonly requested = toWholeNumber(this.details.requested);
  /** Credits that are missing; undefined if the response does not say. */
  readonly shortfall = toWholeNumber(this.details.shortfall);

  /** Always true: if an earlier attempt had been charged, the same companies would be free now. */
  override get hadNoEffect(): boolean {
    return true;
  }

  /**
   * Returns the error for one participant of a shared request, whose share needs `price` credits and
   * for which the others leave `left`.
   */
  forShare(price: number, left: number): CreditExhaustedError {
    const requested = Math.ceil(price);
    const shortfall = Math.max(1, Math.ceil(price - left));
    const { code, hint, status } = this;
    const details = { ...this.details, requested, shortfall };
    const message = formatCreditShortfall(requested, shortfall);
    return new CreditExhaustedError({ code, hint, status, message, details });
  }
}
function toWholeNumber(value: unknown): number | undefined {
  return Number.isInteger(value) ? Number(value) : undefined;
}
/** 403: the key lacks a permission. */
export class ForbiddenError extends ServiceError {
  override readonly failureScope = 'any-request';
  override readonly failuresToTrip =
    FAILURES_TO_TRIP[this.code === 'user_credential_required' ? 'certain' : 'forbidden'];
}
/** 404 of any kind. */
export class NotFoundError extends ServiceError {
  /** True if the service itself reported the requested resource as missing; otherwise the address may be wrong. */
  readonly isResourceMissing: boolean;
  override readonly failureScope: FailureScope;

  constructor(init: ErrorInit & { isResourceMissing?: boolean }) {
    super(init);
    this.isResourceMissing = init.isResourceMissing ?? false;
    this.failureScope = this.isResourceMissing ? 'this-request' : 'any-request';
  }
}
/** 409: the request conflicts with another change. */
export class ConflictError extends ServiceError {
  override readonly failureScope = 'any-request';
}
/** 422: the service rejected the contents as invalid. */
export class UnprocessableError extends ServiceError {}
/** The rate limit requires a longer wait than the run allows, or the daily limit is used up. */
export class RateLimitError extends ServiceError {
  override readonly failureScope = 'any-request';
  override readonly failuresToTrip = FAILURES_TO_TRIP.certain;
  override readonly isTransient = true;

  /** An error without a status is the limiter's: nothing was sent. */
  protected override get lastAttemptHadNoEffect(): boolean {
    return this.status === undefined || super.lastAttemptHadNoEffect;
  }
}
/** 5xx. */
export class ServerError extends ServiceError {
  override readonly failureScope: FailureScope;
  override readonly failuresToTrip = FAILURES_TO_TRIP.trouble;
  override readonly isTransient = true;

  /** @param init `isPage`: whether the body is a web page, which a gateway sends unless the status is 500. */
  constructor(init: ErrorInit & { isPage?: boolean }) {
    super(init);
    this.failureScope = init.isPage === true && init.status !== 500 ? 'any-request' : 'uncertain';
  }
}
/** 3xx: never followed, the key would go to another host. */
export class RedirectRefusedError extends ServiceError {
  override readonly failureScope = 'any-request';
  override readonly failuresToTrip = FAILURES_TO_TRIP.unreachable;
}
/** No complete response arrived: the connection was refused or reset, or the deadline passed. */
export class ConnectionError extends ServiceError {
  /** True if no part of the request has left this machine. */
  readonly neverConnected = this.code === 'connection_failed';
  /** The service may hang or fail because of what a single participant looks up. */
  override readonly failureScope = this.neverConnected ? 'any-request' : 'uncertain';
  override readonly failuresToTrip =
    FAILURES_TO_TRIP[this.neverConnected ? 'unreachable' : 'trouble'];
  override readonly isTransient = true;

  protected override get lastAttemptHadNoEffect(): boolean {
    return this.neverConnected;
  }
}
/** A response arrived that does not match the API spec. */
export class InvalidResponseError extends ServiceError {
  override readonly failureScope: FailureScope;
  override readonly isTransient = true;
  /** True if a retry would get the same: the response is complete, or exceeds a bound of this client. */
  readonly isFinal: boolean = this.code === 'response_too_large';
  /** Oversize responses of many requests at once would fill the memory. */
  override readonly failuresToTrip =
    this.code === 'response_too_large' ? FAILURES_TO_TRIP.unreachable : undefined;

  /** @param init `affectsAnyRequest`: true if every other request would get the same response. */
  constructor(init: ErrorInit & { affectsAnyRequest?: boolean }) {
    super(init);
    this.failureScope = init.affectsAnyRequest === true ? 'any-request' : 'uncertain';
  }
}

/**
 * Returns whether a request may have failed because it was too large. The code can be missing (API spec:
 * "the common error shape … not shown"), so every rejection of the contents counts unless its code is
 * known to mean something else.
 */
export function isPossiblyTooLarge(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const isOfContents = [400, 413, 422].includes(error.status ?? 0);
  const isKnown = ['invalid_tech_key', 'invalid_domain'].includes(error.code);
  return error instanceof BatchTooLargeError || (isOfContents && !isKnown);
}

/** Hint for a response that does not come from the service. */
export const NOT_THE_SERVICE_HINT =
  'Check the Base URL in the credential. A proxy or login page may have responded.';

/** Creates the error for a response with an unexpected shape. */
export function createInvalidResponseError(
  message: string,
  hint = 'Check the Base URL in the credential. If it is correct, the service has changed its responses.',
): InvalidResponseError {
  return new InvalidResponseError({ code: 'invalid_response', message, hint });
}

/** A request with a lasting effect was sent, and its outcome is unknown. */
export class UnknownOutcomeError extends ServiceError {
  /** The request must not be repeated for any participant. */
  override readonly failureScope = 'any-request';

  protected override get lastAttemptHadNoEffect(): boolean {
    return false;
  }
}
/** First sentence of the hint. */
export const NOT_RETRIED_NOTICE = "The node didn't retry, to avoid doing it twice.";

/** Creates the error for a request, if known, that must not be repeated and may have been processed. */
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

/** The execution was stopped. */
export class CancelledError extends ServiceError {
  constructor() {
    super({
      code: 'cancelled',
      message: 'The execution was stopped before this request finished',
      hint: 'Run the workflow again to get the remaining rows.',
    });
  }
}
/** The node deliberately did not send the request. */
export class NotAttemptedError extends ServiceError {
  override readonly failureScope = 'any-request';
  override readonly isTransient = true;

  protected override get lastAttemptHadNoEffect(): boolean {
    return true;
  }
}
