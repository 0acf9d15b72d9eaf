import {
  BatchTooLargeError,
  CreditExhaustedError,
  mayBeTooLarge,
  type ServiceError,
} from '../client/errors';

/** What is done after a request for several domains has failed. */
export type Next =
  /** Nothing: each of its slices would fail alike, or there is only one. */
  | { readonly is: 'fail' }
  /** The same domains are asked for again, in requests of at most so many. */
  | { readonly is: 'smaller'; readonly size: number }
  /** Its slices are asked for again in so many requests, to find the one that fails. */
  | { readonly is: 'parts'; readonly count: number }
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
  if (sizes.length <= 1) return { is: 'fail' };
  const domains = sum(sizes);
  if (mayBeTooLarge(error) && (error instanceof BatchTooLargeError || domains > known.taken)) {
    return { is: 'smaller', size: Math.floor(domains / 2) };
  }
  return { is: 'parts', count: error.matter === 'perhaps-somebodys' ? stepsOf(sizes.length) : 2 };
}

/** So many parts that as many steps find one in them. */
function stepsOf(slices: number): number {
  return slices <= FEW ? slices : Math.ceil(Math.sqrt(slices));
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
