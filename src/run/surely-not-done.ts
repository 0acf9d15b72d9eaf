import {
  ConnectionError,
  CreditExhaustedError,
  NotAttemptedError,
  RateLimitError,
  ServiceError,
  UnknownOutcomeError,
} from '../client/errors';

/** 408: the service gave up waiting, perhaps in the middle of it. */
const REQUEST_TIMEOUT = 408;

/**
 * Whether a failure proves that the service did nothing and charged nothing: it was never sent, or
 * refused. Of everything else, also of what nobody thought of, it may have been done.
 */
export function surelyNotDone(error: unknown): boolean {
  // Had an earlier attempt been charged, the same companies would be free now.
  if (error instanceof CreditExhaustedError) return true;
  if (error instanceof ServiceError && error.maybeDone) return false;
  if (error instanceof NotAttemptedError) return true;
  if (!(error instanceof ServiceError) || error instanceof UnknownOutcomeError) return false;
  if (error instanceof ConnectionError) return error.code === 'connection_failed';
  const { status } = error;
  // The limiter refuses before anything is sent, without a status.
  if (status === undefined) return error instanceof RateLimitError;
  return status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
}
