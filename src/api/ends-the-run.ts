import {
  CreditExhaustedError,
  NotAttemptedError,
  RateLimitError,
  ServiceError,
} from '../client/errors';

/**
 * Whether a failure will meet every other request of the run as well: no credits (interface: Errors,
 * `credit_exhausted`), or a rate limit that resets later than the run may wait for.
 */
export function endsTheRun(error: unknown): boolean {
  return error instanceof CreditExhaustedError || error instanceof RateLimitError;
}

/** For what is not sent any more after `cause`. */
export function notAttempted(cause: unknown): NotAttemptedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NotAttemptedError({
    code: 'not_attempted',
    message: `Not attempted, because an earlier request failed: ${reason}`,
    hint: 'This row was not sent and cost nothing. Mend the cause and run it again.',
    ...(cause instanceof ServiceError ? { details: { cause: cause.code } } : {}),
  });
}
