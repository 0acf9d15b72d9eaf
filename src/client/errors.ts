import { isInterfaceCode } from './codes';
import { cut } from './values';

/** Facts about a failure that may be shown and stored: plain JSON, never a key or a header. */
export type ErrorDetails = Record<string, unknown>;

interface ErrorInit {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly status?: number;
  readonly details?: ErrorDetails;
}

/** Whose matter it is that a request fails which several askers share. */
export type Matter =
  /** Each of them alone would have met it. */
  | 'everybodys'
  /** What one of them asks for may be the cause, or that they are so many. */
  | 'somebodys'
  /** The same, but if fewer of them meet it too, it is everybody's. */
  | 'perhaps-somebodys';

/**
 * Failures in a row, with no success among them, after which every other request is taken to meet the
 * same. Each has been sent several times by then, where that may help.
 */
const CONFIRMATIONS = {
  /** The key is rejected, credits or requests are used up: asking again changes nothing. */
  certain: 1,
  /** Nobody is there, or something in the way sends every request elsewhere. */
  unreachable: 3,
  /** A right that is missing may be missing for one thing only. */
  forbidden: 5,
  /** A service in trouble may be in trouble with one row only. */
  trouble: 10,
} as const;

/** 408: the service gave up waiting, perhaps in the middle of it. */
const REQUEST_TIMEOUT = 408;

/** Statuses with which services refuse what is too large. */
const REFUSALS_OF_CONTENTS = [400, 413, 422];

/**
 * Base of everything that can go wrong with a request. It holds text and plain JSON only; the HTTP
 * library's own error is never attached, because it prints the request's headers.
 *
 * A failure knows what it means for others: whose matter it is, what it ends, whether it passes,
 * whether anything was done. Each class says where it differs.
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
  readonly matter: Matter = 'somebodys';
  /** So many of them in a row end the run; undefined for what says nothing about other requests. */
  readonly confirmations: number | undefined = undefined;
  /** A later request for the same may fare better, without anything being changed. */
  readonly mayPass: boolean = false;

  constructor(init: ErrorInit) {
    super(init.message);
    this.name = new.target.name;
    this.code = init.code;
    this.hint = init.hint;
    this.status = init.status;
    this.details = init.details ?? {};
  }

  /** One is enough: nothing that is asked for can succeed. */
  get isCertain(): boolean {
    return this.confirmations === CONFIRMATIONS.certain;
  }

  /**
   * It proves that the service did nothing and charged nothing: it was never sent, or refused. Of
   * everything else, also of what nobody thought of, it may have been done.
   */
  get surelyNotDone(): boolean {
    return !this.maybeDone && this.wasRefused;
  }

  /** The last attempt did nothing. */
  protected get wasRefused(): boolean {
    const { status = 0 } = this;
    return status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
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
export class AuthenticationError extends ServiceError {
  override readonly matter = 'everybodys';
  override readonly confirmations = CONFIRMATIONS.certain;
}
/** 402: the balance cannot cover the call. */
export class CreditExhaustedError extends ServiceError {
  override readonly confirmations = CONFIRMATIONS.certain;
  /** Credits the call needs, when the service said so. */
  readonly requested: number | undefined;
  /** Credits that are missing, when the service said so. */
  readonly shortfall: number | undefined;

  constructor(init: ErrorInit & { requested: number | undefined; shortfall: number | undefined }) {
    super(init);
    this.requested = init.requested;
    this.shortfall = init.shortfall;
  }

  /** Had an earlier attempt been charged, the same companies would be free now. */
  override get surelyNotDone(): boolean {
    return true;
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
export class ForbiddenError extends ServiceError {
  override readonly matter = 'everybodys';
  override readonly confirmations =
    CONFIRMATIONS[this.code === 'user_credential_required' ? 'certain' : 'forbidden'];
}
/** 404 of any kind. */
export class NotFoundError extends ServiceError {
  /** The service itself said it of what was asked for; else the address may be wrong. */
  readonly aboutAsked: boolean;
  override readonly matter: Matter;

  constructor(init: ErrorInit & { aboutAsked?: boolean }) {
    super(init);
    this.aboutAsked = init.aboutAsked ?? false;
    // Else whoever answers does not know the endpoint.
    this.matter = this.aboutAsked ? 'somebodys' : 'everybodys';
  }
}
/** 409: something was changed in the meantime. */
export class ConflictError extends ServiceError {
  override readonly matter = 'everybodys';
}
/** 422: the service cannot make sense of the contents. */
export class UnprocessableError extends ServiceError {}
/** The rate limit asks for a longer wait than the run allows, or the daily limit is used up. */
export class RateLimitError extends ServiceError {
  override readonly matter = 'everybodys';
  override readonly confirmations = CONFIRMATIONS.certain;
  override readonly mayPass = true;

  /** The limiter refuses before anything is sent, without a status. */
  protected override get wasRefused(): boolean {
    return this.status === undefined || super.wasRefused;
  }
}
/** 5xx. */
export class ServerError extends ServiceError {
  override readonly matter: Matter;
  override readonly confirmations = CONFIRMATIONS.trouble;
  override readonly mayPass = true;

  /** @param init `isPage`: a web page said it, of which a service sends none but that of its own crash. */
  constructor(init: ErrorInit & { isPage?: boolean }) {
    super(init);
    const isGateways = init.isPage === true && this.status !== 500;
    this.matter = isGateways ? 'everybodys' : 'perhaps-somebodys';
  }
}
/** 3xx: never followed, the key would go to another host. */
export class RedirectRefusedError extends ServiceError {
  override readonly matter = 'everybodys';
  override readonly confirmations = CONFIRMATIONS.unreachable;
}
/** No answer arrived: connection refused, reset, or the deadline passed. */
export class ConnectionError extends ServiceError {
  /** Nothing of the request has left this machine. */
  readonly reachedNobody = this.code === 'connection_failed';
  /** The service may hang, or break, over what one of several asks for. */
  override readonly matter = this.reachedNobody ? 'everybodys' : 'perhaps-somebodys';
  override readonly confirmations = CONFIRMATIONS[this.reachedNobody ? 'unreachable' : 'trouble'];
  override readonly mayPass = true;

  protected override get wasRefused(): boolean {
    return this.reachedNobody;
  }
}
/** An answer arrived that is not what the interface promises. */
export class InvalidResponseError extends ServiceError {
  override readonly matter: Matter;
  override readonly mayPass = true;

  /** @param init `isEverybodys`: whatever is asked for, the same would come. */
  constructor(init: ErrorInit & { isEverybodys?: boolean }) {
    super(init);
    this.matter = init.isEverybodys === true ? 'everybodys' : 'perhaps-somebodys';
  }
}

/**
 * Whether a failure may be about how much was asked for at once. The code may be missing, or be
 * where nobody finds it (interface: "the common error shape … not shown"), so that every refusal of the
 * contents counts that is not known to mean something else.
 */
export function mayBeTooLarge(error: unknown): error is ServiceError {
  if (error instanceof BatchTooLargeError) return true;
  if (!(error instanceof ServiceError) || isInterfaceCode(error.code)) return false;
  return REFUSALS_OF_CONTENTS.includes(error.status ?? 0);
}

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
export class UnknownOutcomeError extends ServiceError {
  /** For none of them it may be sent again. */
  override readonly matter = 'everybodys';

  protected override get wasRefused(): boolean {
    return false;
  }
}
/** What is repeated of a path, which may hold whatever the user gave. */
const MAX_PATH_LENGTH = 200;

/** How the advice begins for what may have been done already. */
export const NOT_SENT_AGAIN = 'It was not sent again, so that nothing happens twice.';

/**
 * For what must not be done twice and may have been done.
 *
 * @param cause why nobody knows.
 * @param call what was sent, where that is known.
 */
export function outcomeUnknown(
  { message, status }: { readonly message: string; readonly status?: number | undefined },
  call?: { readonly method: string; readonly path: string },
): UnknownOutcomeError {
  const sent = call === undefined ? '' : ` (${call.method} ${cut(call.path, MAX_PATH_LENGTH)})`;
  return new UnknownOutcomeError({
    code: 'unknown_outcome',
    message: `The service may or may not have done this${sent}: ${message}`,
    hint: `${NOT_SENT_AGAIN} Check in the service whether it was done before you run this again.`,
    ...(status === undefined ? {} : { status }),
  });
}

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
export class NotAttemptedError extends ServiceError {
  override readonly matter = 'everybodys';
  override readonly mayPass = true;

  protected override get wasRefused(): boolean {
    return true;
  }
}
