import {
  AuthenticationError,
  ConnectionError,
  CreditExhaustedError,
  ForbiddenError,
  NotAttemptedError,
  RateLimitError,
  RedirectRefusedError,
  ServerError,
  ServiceError,
} from '../client/errors';

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

/**
 * What keeps a run, or a part of it, from sending more. Parts nest: what stops a run stops its lists,
 * and a list that has come to its end stops nothing but itself.
 */
export class Brake {
  private reason: NotAttemptedError | undefined;
  private failuresInARow = 0;

  /**
   * @param stopsAtFirstFailure one failure makes the whole run worthless, as with On Error: Stop.
   * @param around the brake of what this is a part of.
   */
  constructor(
    private readonly stopsAtFirstFailure = false,
    private readonly around?: Brake,
  ) {}

  /** Why nothing more is sent; undefined while it is. */
  get stopped(): NotAttemptedError | undefined {
    return this.reason ?? this.around?.stopped;
  }

  /** To be called at the last moment before each sending; throws {@link stopped}. */
  readonly check = (): void => {
    const { stopped } = this;
    if (stopped !== undefined) throw stopped;
  };

  /** From now on nothing more is sent. The first cause is the one that is told. */
  stop(cause: unknown): void {
    this.reason ??= notAttempted(cause);
  }

  /** A request failed: ends the run when all others would meet the same. */
  met(error: unknown): void {
    const confirmations = confirmationsOf(error);
    if (confirmations === undefined) {
      // A refusal of this one thing: the service is there, and takes the key.
      if (error instanceof ServiceError && error.status !== undefined) this.answered();
      return;
    }
    this.failuresInARow += 1;
    if (this.failuresInARow >= confirmations) this.stop(error);
    this.around?.met(error);
  }

  /** A request was answered. */
  answered(): void {
    this.failuresInARow = 0;
    this.around?.answered();
  }

  /** An item, or a batch of them, has failed for good. */
  failed(error: unknown): void {
    if (this.stopsAtFirstFailure || confirmationsOf(error) === CONFIRMATIONS.certain) {
      this.stop(error);
    }
    this.around?.failed(error);
  }
}

/** Undefined for what says nothing about other requests. */
function confirmationsOf(error: unknown): number | undefined {
  if (
    error instanceof CreditExhaustedError ||
    error instanceof RateLimitError ||
    error instanceof AuthenticationError
  ) {
    return CONFIRMATIONS.certain;
  }
  if (error instanceof ForbiddenError) {
    return error.code === 'user_credential_required'
      ? CONFIRMATIONS.certain
      : CONFIRMATIONS.forbidden;
  }
  if (error instanceof RedirectRefusedError) return CONFIRMATIONS.unreachable;
  if (error instanceof ConnectionError) {
    return error.code === 'connection_failed' ? CONFIRMATIONS.unreachable : CONFIRMATIONS.trouble;
  }
  return error instanceof ServerError ? CONFIRMATIONS.trouble : undefined;
}

/** For what is not sent any more after `cause`. */
export function notAttempted(cause: unknown): NotAttemptedError {
  if (cause instanceof NotAttemptedError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NotAttemptedError({
    code: 'not_attempted',
    message: `Not attempted, because an earlier request failed: ${reason}`,
    hint: 'This row was not sent and cost nothing. Mend the cause and run it again.',
    ...(cause instanceof ServiceError ? { details: { cause: cause.code } } : {}),
  });
}
