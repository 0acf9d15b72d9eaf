import { CreditExhaustedError } from '../client/errors';
import type { Declared } from './parameters/declare';

/**
 * Adds to a refusal for lack of credits how this operation asks for less, with what it offers for that;
 * any other failure stays what it is.
 */
export function advised(failure: Error, parameters: Declared): Error {
  if ('wanted' in parameters) return withAdvice(failure, 'Ask for fewer rows with Limit.');
  if ('maxNodes' in parameters) {
    return withAdvice(failure, 'Ask for a smaller network with Max Nodes.');
  }
  return failure;
}

/** The same for a row of Bulk Enrich. */
export function advisedInBulk(
  failure: Error,
  { spendRemainingCredits }: { readonly spendRemainingCredits: boolean },
): Error {
  const advice = spendRemainingCredits
    ? 'Send fewer rows, or set Only First Companies.'
    : 'Send fewer rows, set Only First Companies, or use up what is left with Spend Remaining Credits.';
  return withAdvice(failure, advice);
}

function withAdvice(failure: Error, advice: string): Error {
  if (!(failure instanceof CreditExhaustedError)) return failure;
  return failure.retold({ hint: `${failure.hint} ${advice}` });
}
