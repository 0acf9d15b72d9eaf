/** Facts about a failure that may be shown and stored: plain JSON, never a key or a header. */
export type ErrorDetails = Record<string, unknown>;

interface ErrorInit {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly status?: number;
  readonly details?: ErrorDetails;
}

/**
 * Base of everything that can go wrong with a request. It holds text and plain JSON only; the HTTP
 * library's own error is never attached, because it prints the request's headers.
 */
export class ServiceError extends Error {
  /** The interface's error code, or this client's own word when the service gave none. */
  readonly code: string;
  /** What the user can do about it, in a sentence or two. */
  readonly hint: string;
  /** HTTP status, when the service answered. */
  readonly status: number | undefined;
  readonly details: ErrorDetails;
  /** An earlier attempt of the same request got no answer, and may have been processed. */
  readonly maybeDone: boolean = false;

  constructor(init: ErrorInit) {
    super(init.message);
    this.name = new.target.name;
    this.code = init.code;
    this.hint = init.hint;
    this.status = init.status;
    this.details = init.details ?? {};
  }

  /** The same failure, of the same class, told with what else is known about it. */
  retold(words: Partial<Pick<ServiceError, 'message' | 'hint' | 'details' | 'maybeDone'>>): this {
    const copy = Object.create(
      Object.getPrototypeOf(this) as object,
      Object.getOwnPropertyDescriptors(this),
    ) as this;
    // The stack begins with the message.
    const stack = this.stack?.replace(this.message, () => words.message ?? this.message);
    return Object.assign(copy, words, { stack });
  }
}

/** 400: the service refused the request's contents. */
export class BadRequestError extends ServiceError {}
/** 400 `batch_too_large`: more domains than the endpoint, or this key, takes at once. */
export class BatchTooLargeError extends BadRequestError {}
/** 401: the key was not accepted. */
export class AuthenticationError extends ServiceError {}
/** 402: the balance cannot cover the call. */
export class CreditExhaustedError extends ServiceError {
  /** Credits the call needs, when the service said so. */
  readonly requested: number | undefined;
  /** Credits that are missing, when the service said so. */
  readonly shortfall: number | undefined;

  constructor(init: ErrorInit & { requested: number | undefined; shortfall: number | undefined }) {
    super(init);
    this.requested = init.requested;
    this.shortfall = init.shortfall;
  }

  /**
   * The same for one of several who shared the call.
   *
   * @param price credits that its part of the call needs.
   * @param left credits that the others leave to it.
   */
  forPart(price: number, left: number): CreditExhaustedError {
    const requested = Math.ceil(price);
    const shortfall = Math.max(1, Math.ceil(price - left));
    const { code, hint, status } = this;
    return new CreditExhaustedError({
      code,
      message: `Not enough credits: the call needs ${String(requested)} and ${String(shortfall)} are missing`,
      hint,
      ...(status === undefined ? {} : { status }),
      details: { ...structuredClone(this.details), requested, shortfall },
      requested,
      shortfall,
    });
  }
}
/** 403: the key may not do this. */
export class ForbiddenError extends ServiceError {}
/** 404 of any kind. */
export class NotFoundError extends ServiceError {
  /** The service itself said it of what was asked for; else the address may be wrong. */
  readonly aboutAsked: boolean;

  constructor(init: ErrorInit & { aboutAsked?: boolean }) {
    super(init);
    this.aboutAsked = init.aboutAsked ?? false;
  }
}
/** 409: something was changed in the meantime. */
export class ConflictError extends ServiceError {}
/** 422: the service cannot make sense of the contents. */
export class UnprocessableError extends ServiceError {}
/** The rate limit asks for a longer wait than the run allows, or the daily limit is used up. */
export class RateLimitError extends ServiceError {}
/** 5xx. */
export class ServerError extends ServiceError {}
/** 3xx: never followed, the key would go to another host. */
export class RedirectRefusedError extends ServiceError {}
/** No answer arrived: connection refused, reset, or the deadline passed. */
export class ConnectionError extends ServiceError {}
/** An answer arrived that is not what the interface promises. */
export class InvalidResponseError extends ServiceError {}

/** Advice where an answer is none of the service's. */
export const SOMETHING_ELSE_ANSWERED =
  'Check the Base URL in the credential; a proxy or a login page may have answered.';

/**
 * The error about an answer of another shape.
 *
 * @param hint where more is known about it.
 */
export function invalidResponse(
  message: string,
  hint = 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
): InvalidResponseError {
  return new InvalidResponseError({ code: 'invalid_response', message, hint });
}

/** Something with a lasting effect was sent and nobody knows whether it was done. */
export class UnknownOutcomeError extends ServiceError {}
/** The run was stopped. */
export class CancelledError extends ServiceError {
  constructor() {
    super({
      code: 'cancelled',
      message: 'The run was stopped before this request was finished',
      hint: 'Run the workflow again to get the remaining rows.',
    });
  }
}
/** The request was deliberately not sent. */
export class NotAttemptedError extends ServiceError {}
