import {
  BatchTooLargeError,
  CreditExhaustedError,
  isPossiblyTooLarge,
  ServiceError,
} from '../client/errors';

/** Next step after a request for several domains has failed. */
export type NextStep =
  /** Give up, because each slice would fail in the same way or there is only one. */
  | { readonly is: 'fail' }
  /**
   * Request the slices again, with up to `size` slices per request: `smaller` if the request may have been
   * too large, `parts` to find the slice that fails.
   */
  | { readonly is: 'smaller' | 'parts'; readonly size: number }
  /** Credits are short: request the slices that the credits cover again, together. */
  | ({ readonly is: 'covered' } & CoveredSlices);

/** The slices that the remaining credits cover. */
export interface CoveredSlices {
  readonly refusal: CreditExhaustedError;
  /** Indexes of the covered slices; always fewer than all. */
  readonly covered: readonly number[];
  /** Credits that each slice needs. */
  readonly prices: readonly number[];
  /** Credits that remain for the slices that are not covered. */
  readonly remaining: number;
}

/** Other facts that determine the next step. */
export interface FailureFacts {
  /** Largest number of domains in a successful request of this kind. */
  readonly taken: number;
  /** Assumed minimum credits per domain. */
  readonly leastPrice: number;
  /** True if the request was already a part of a failed one. */
  readonly isPart?: boolean;
}

/** After a server or connection failure, up to this many slices are requested one by one. */
const MAX_SENT_ONE_BY_ONE = 4;

/**
 * Decides the next step after a request for several domains has failed, whether one or several runs
 * requested them. Each new request has fewer domains than the failed one, so the procedure ends.
 *
 * A rejection arrives quickly, so halving finds its cause with the fewest requests. A server or connection
 * failure arrives late, so it is located in two steps.
 *
 * @param sizes Number of domains of each slice. A slice is never split: it is one domain of a run, or all
 * domains that one of several runs requested.
 */
export function afterFailure(
  error: ServiceError,
  sizes: readonly number[],
  known: FailureFacts,
): NextStep {
  if (error.failureScope === 'any-request') return { is: 'fail' };
  if (error instanceof CreditExhaustedError)
    return { is: 'covered', ...findCovered(error, sizes, known) };
  const slices = sizes.length;
  // If a response is too large for a few rows, each row is too large.
  if (slices <= 1 || (error.code === 'response_too_large' && slices <= MAX_SENT_ONE_BY_ONE))
    return { is: 'fail' };
  const domains = sumSizes(sizes);
  if (isPossiblyTooLarge(error) && (error instanceof BatchTooLargeError || domains > known.taken)) {
    return { is: 'smaller', size: Math.floor(slices / 2) };
  }
  if (error.failureScope === 'this-request') return { is: 'parts', size: Math.ceil(slices / 2) };
  const isLastStep = slices <= MAX_SENT_ONE_BY_ONE || known.isPart === true;
  return { is: 'parts', size: isLastStep ? 1 : Math.ceil(slices / Math.ceil(Math.sqrt(slices))) };
}

/** Determines the covered slices. If the rejection does not state the shortfall, nothing is covered. */
function findCovered(
  refusal: CreditExhaustedError,
  sizes: readonly number[],
  { leastPrice }: FailureFacts,
): CoveredSlices {
  const { requested, shortfall } = refusal;
  const domains = sumSizes(sizes);
  const price = Math.max(leastPrice, (requested ?? domains) / domains);
  const prices = sizes.map((size) => size * price);
  // At least 1 credit is missing for a rejected request, whatever figure it states.
  const missing = Math.max(1, shortfall ?? Infinity);
  let remaining = requested === undefined ? 0 : Math.max(0, requested - missing);
  const covered: number[] = [];
  prices.forEach((needed, slice) => {
    // The figure can be so large that subtracting 1 has no effect, so never cover all slices.
    if (needed > remaining || covered.length === sizes.length - 1) return;
    remaining -= needed;
    covered.push(slice);
  });
  return { refusal, covered, prices, remaining };
}

function sumSizes(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}

// --- Splitting a failed request ------------------------------------------------------------------

/** Number of slices rejected alone, without any success, after which all are treated as rejected. */
const REFUSED_ALONE = 10;

/** Progress of a failed request that is retried in parts. */
export interface SplitProgress {
  answered: boolean;
  /** Number of slices that were rejected alone. */
  refusedAlone: number;
}

/** Returns whether the service is treated as rejecting all slices. */
export function isRefusingAll({ answered, refusedAlone }: SplitProgress): boolean {
  return !answered && refusedAlone >= REFUSED_ALONE;
}

/** How parts are requested, and how their outcomes are handled. */
interface SplitRequest<S, R> {
  /** Returns the currently known maximum number of slices per request. */
  readonly most?: () => number;
  /** Requests some slices in one request. Never rejects. */
  readonly send: (part: readonly S[]) => Promise<R>;
  /** Assigns the outcome of a request to its slices; if it failed, splits it again. */
  readonly settle: (request: R) => Promise<void>;
  /** Called if all requests succeeded: the original request may have failed because of its size. */
  readonly allSucceeded: (requests: readonly R[]) => void;
  /** Called if all requests had server or connection failures and none succeeded: the failure concerns all slices. */
  readonly allFailed: (requests: readonly R[]) => Promise<void>;
  /** True to send only one request at a time. */
  readonly isOneByOne?: boolean;
  /** Called with the slices that are no longer requested, because all others were rejected. */
  readonly giveUp: (rest: readonly S[]) => void;
}

/**
 * Requests the slices of a failed request again in parts, until each slice has its outcome.
 *
 * After a rejection, the parts are sent one after another until one succeeds; if many slices are rejected
 * alone before that, the rest is given up. After a server or connection failure, all parts are sent at the
 * same time, because waiting for them one by one would take too long; if all of them fail again, nothing
 * is split further.
 */
export async function splitAndRetry<S, R extends { readonly failure?: unknown }>(
  slices: readonly S[],
  { error, size }: { readonly error: ServiceError; readonly size: number },
  progress: SplitProgress,
  { most = () => Infinity, isOneByOne = false, ...parts }: SplitRequest<S, R>,
): Promise<void> {
  const requests: R[] = [];
  const send = async (part: readonly S[]) => {
    const request = await parts.send(part);
    requests.push(request);
    if (request.failure === undefined) progress.answered = true;
    else if (part.length === 1 && !isServiceFault(request.failure)) progress.refusedAlone += 1;
    return request;
  };
  if (isServiceFault(error)) {
    await Promise.all(chunk(slices, size).map(send));
    const isOver = !progress.answered && requests.every(({ failure }) => isServiceFault(failure));
    if (isOver) await parts.allFailed(requests);
    else await Promise.all(requests.map(parts.settle));
  } else {
    const inFlight: Array<Promise<void>> = [];
    for (let rest = slices, part = rest; rest.length > 0; rest = rest.slice(part.length)) {
      if (isRefusingAll(progress)) {
        parts.giveUp(rest);
        break;
      }
      part = rest.slice(0, Math.min(size, most()));
      const settled = send(part).then(parts.settle);
      inFlight.push(settled);
      if (!progress.answered || isOneByOne) await settled;
    }
    await Promise.all(inFlight);
  }
  const isAll = requests.every(({ failure }) => failure === undefined);
  if (progress.answered && isAll) parts.allSucceeded(requests);
}

/** Returns whether the service failed or hung, possibly because of one of several domains. */
export function isServiceFault(failure: unknown): boolean {
  return failure instanceof ServiceError && failure.failureScope === 'uncertain';
}

/** Splits a list into batches of up to `size` entries. */
export function chunk<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_unused, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
