import { CreditExhaustedError, NotAttemptedError, ServiceError } from '../client/errors';

/**
 * What can help after a request for several domains has failed: nothing, as each domain alone would fail
 * in the same way; fewer domains, because credits are short; halves, because the service rejected the size
 * or one of the domains; parts, because it failed or hung, possibly on one of the domains.
 */
export type Remedy = 'none' | 'fewer' | 'halves' | 'parts';

/** Returns what can help after a request for several domains, of one run or of several, has failed. */
export function findRemedy(error: unknown): Remedy {
  if (!(error instanceof ServiceError) || error.failureScope === 'any-request') return 'none';
  if (error instanceof CreditExhaustedError) return 'fewer';
  return error.failureScope === 'uncertain' ? 'parts' : 'halves';
}

/**
 * Reads from a 402 what the remaining credits cover.
 *
 * @param domains Number of domains in the refused request.
 * @param leastPrice Assumed minimum credits per domain.
 * @returns The price per domain and the remaining credits; none if the response does not state them.
 */
export function readRemainder(
  { requested, shortfall }: CreditExhaustedError,
  domains: number,
  leastPrice: number,
): { readonly price: number; readonly credits: number } {
  const price = Math.max(leastPrice, (requested ?? domains) / domains);
  // At least 1 credit is missing for a refused request, whatever figure it states.
  const missing = Math.max(1, shortfall ?? Infinity);
  return { price, credits: requested === undefined ? 0 : Math.max(0, requested - missing) };
}

/**
 * Returns the failure of a repeated request, marked if the one before may have been charged.
 *
 * @param before Failure of the request before.
 */
export function withEarlierFailure(failure: ServiceError, before: ServiceError): ServiceError {
  if (before.hadNoEffect) return failure;
  return failure instanceof NotAttemptedError
    ? before
    : failure.copyWith({ earlierAttemptUnconfirmed: true });
}
