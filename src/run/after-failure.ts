import {
  BatchTooLargeError,
  CreditExhaustedError,
  mayBeTooLarge,
  ServiceError,
} from '../client/errors';

/** What is done after a request for several domains has failed. */
export type Next =
  /** Nothing: each of its slices would fail alike, or there is only one. */
  | { readonly is: 'fail' }
  /**
   * Its slices are asked for again, in requests of at most so many: `smaller` where it may have been too
   * large, `parts` to find the slice that fails.
   */
  | { readonly is: 'smaller' | 'parts'; readonly size: number }
  /** Credits are short: those of its slices that they cover are asked for again together. */
  | ({ readonly is: 'covered' } & Covered);

/** What credits that are short still pay for. */
export interface Covered {
  readonly refusal: CreditExhaustedError;
  /** Slices by their index; fewer than there were. */
  readonly covered: readonly number[];
  /** Credits that each slice needs. */
  readonly prices: readonly number[];
  /** Credits that remain for the slices that are not covered. */
  readonly left: number;
}

/** What else decides. */
export interface Known {
  /** The most domains of a request of this kind that was answered. */
  readonly taken: number;
  /** Credits that each domain is taken to need at least. */
  readonly leastPrice: number;
  /** The request was part of one that failed. */
  readonly isPart?: boolean;
}

/** So few slices of a request that met trouble are asked for one by one. */
const FEW = 4;

/**
 * The rule for a request that carried several domains and has failed, whether one run asked for them
 * or many. Each of its requests is for fewer domains than the one that failed, so that it ends.
 *
 * A refusal comes at once, and halves find its cause with the fewest requests. Trouble comes late, so
 * that two steps find it.
 *
 * @param sizes domains of each slice, which only goes as a whole: a domain of a run, or all that one
 * of several runs asked for.
 */
export function afterFailure(error: ServiceError, sizes: readonly number[], known: Known): Next {
  if (error.matter === 'everybodys') return { is: 'fail' };
  if (error instanceof CreditExhaustedError)
    return { is: 'covered', ...coveredBy(error, sizes, known) };
  const slices = sizes.length;
  // Of an answer that is too large for a few, each row is.
  if (slices <= 1 || (error.code === 'response_too_large' && slices <= FEW)) return { is: 'fail' };
  const domains = sum(sizes);
  if (mayBeTooLarge(error) && (error instanceof BatchTooLargeError || domains > known.taken)) {
    return { is: 'smaller', size: Math.floor(slices / 2) };
  }
  if (error.matter === 'somebodys') return { is: 'parts', size: Math.ceil(slices / 2) };
  const isLastStep = slices <= FEW || known.isPart === true;
  return { is: 'parts', size: isLastStep ? 1 : Math.ceil(slices / Math.ceil(Math.sqrt(slices))) };
}

/** Where the refusal does not say how much is missing, all of it is. */
function coveredBy(
  refusal: CreditExhaustedError,
  sizes: readonly number[],
  { leastPrice }: Known,
): Covered {
  const { requested, shortfall } = refusal;
  const domains = sum(sizes);
  const price = Math.max(leastPrice, (requested ?? domains) / domains);
  const prices = sizes.map((size) => size * price);
  // Of what was refused something is missing, whatever the figure says.
  const missing = Math.max(1, shortfall ?? Infinity);
  let left = requested === undefined ? 0 : Math.max(0, requested - missing);
  const covered: number[] = [];
  prices.forEach((needed, slice) => {
    // A figure may be so large that 1 less makes no difference.
    if (needed > left || covered.length === sizes.length - 1) return;
    left -= needed;
    covered.push(slice);
  });
  return { refusal, covered, prices, left };
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}

// --- Asking again in parts -----------------------------------------------------------------------

/** Slices that are refused, each alone and with nothing answered, after which all are taken to be. */
const REFUSED_ALONE = 10;

/** What has come so far of a request that is asked for again in parts. */
export interface Progress {
  answered: boolean;
  /** Slices that were refused alone. */
  refusedAlone: number;
}

/** Whether the service is taken to refuse all slices. */
export function refusesAll({ answered, refusedAlone }: Progress): boolean {
  return !answered && refusedAlone >= REFUSED_ALONE;
}

/** How parts are asked for, and what is done with what comes. */
interface Parts<S, R> {
  /** The most slices that a request may hold, as it is known now. */
  readonly most?: () => number;
  /** Asks for some slices in one request. Never rejects. */
  readonly send: (part: readonly S[]) => Promise<R>;
  /** Gives the slices of a request what came of it; in parts again, where it failed. */
  readonly settle: (request: R) => Promise<void>;
  /** All requests were answered: what failed before may have failed for its size. */
  readonly allAnswered: (requests: readonly R[]) => void;
  /** All requests have met trouble, and nothing was answered: it is everybody's. */
  readonly allTroubled: (requests: readonly R[]) => Promise<void>;
  /** There may be one request at a time only. */
  readonly isOneByOne?: boolean;
  /** Slices that are not asked for any more, because all others were refused. */
  readonly giveUp: (rest: readonly S[]) => void;
}

/**
 * Asks again for the slices of a request that failed, in parts, until each has its outcome.
 *
 * After a refusal one part follows the other until something is answered, and when many are refused
 * alone before that, the rest is given up. After trouble all parts go at once, because nobody should
 * wait for them one by one, and when all meet it again, nothing is taken apart any further.
 */
export async function askApart<S, R extends { readonly failure?: unknown }>(
  slices: readonly S[],
  { error, size }: { readonly error: ServiceError; readonly size: number },
  progress: Progress,
  { most = () => Infinity, isOneByOne = false, ...parts }: Parts<S, R>,
): Promise<void> {
  const requests: R[] = [];
  const ask = async (part: readonly S[]) => {
    const request = await parts.send(part);
    requests.push(request);
    if (request.failure === undefined) progress.answered = true;
    else if (part.length === 1 && !isTrouble(request.failure)) progress.refusedAlone += 1;
    return request;
  };
  if (isTrouble(error)) {
    await Promise.all(inBatches(slices, size).map(ask));
    const isOver = !progress.answered && requests.every(({ failure }) => isTrouble(failure));
    if (isOver) await parts.allTroubled(requests);
    else await Promise.all(requests.map(parts.settle));
  } else {
    const underWay: Array<Promise<void>> = [];
    for (let rest = slices, part = rest; rest.length > 0; rest = rest.slice(part.length)) {
      if (refusesAll(progress)) {
        parts.giveUp(rest);
        break;
      }
      part = rest.slice(0, Math.min(size, most()));
      const settled = ask(part).then(parts.settle);
      underWay.push(settled);
      if (!progress.answered || isOneByOne) await settled;
    }
    await Promise.all(underWay);
  }
  const isAll = requests.every(({ failure }) => failure === undefined);
  if (progress.answered && isAll) parts.allAnswered(requests);
}

/** The service broke or hung, perhaps over one of several domains. */
export function isTrouble(failure: unknown): boolean {
  return failure instanceof ServiceError && failure.matter === 'perhaps-somebodys';
}

/** Cuts a list into lists of at most so many. */
export function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_unused, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
