import { CreditExhaustedError, NotAttemptedError } from '../../client/errors';
import { formatCount, formatNumber } from '../../values/text';
import type { Task } from './output-items';

/*
 * A 402 is about one request. Who adds only the credits that it misses fails again with the next request, so
 * the errors after it say what the whole rest of the run needs.
 */

/**
 * Adds to the errors after a 402 what the tasks without a result need.
 *
 * @param toCredits Returns the maximum credits of the tasks; undefined if nobody can know it.
 */
export function stateWholeNeed<Request>(
  tasks: ReadonlyArray<Task<Request>>,
  toCredits: (
    unread: ReadonlyArray<Task<Request>>,
    refusal: CreditExhaustedError,
  ) => number | undefined,
): void {
  const unread = tasks.filter(({ outcome }) => isOfShortage(outcome?.failure));
  const [refusal] = unread.flatMap(({ outcome }) =>
    outcome?.failure instanceof CreditExhaustedError ? [outcome.failure] : [],
  );
  if (refusal === undefined || unread.length === 1) return;
  const need = formatNeed(refusal, unread.length, toCredits(unread, refusal));
  for (const task of unread) {
    const { failure } = task.outcome ?? {};
    if (!isOfShortage(failure)) continue;
    const message = failure.message.replace(/Not enough credits.*/s, need);
    task.outcome = { outputs: [], ...task.outcome, failure: failure.copyWith({ message }) };
  }
}

function isOfShortage(
  failure: Error | undefined,
): failure is CreditExhaustedError | NotAttemptedError {
  return (
    failure instanceof CreditExhaustedError ||
    (failure instanceof NotAttemptedError && failure.details.cause === 'credit_exhausted')
  );
}

function formatNeed(
  { message, requested, shortfall }: CreditExhaustedError,
  unread: number,
  credits: number | undefined,
): string {
  if (credits === undefined) return `${message}. ${formatCount(unread - 1, 'more row')} not read`;
  const need = `the rest of this run needs up to ${formatCount(credits, 'credit')}`;
  if (requested === undefined || shortfall === undefined) return `${message}: ${need}`;
  const missing = Math.max(shortfall, credits - (requested - shortfall));
  return `Not enough credits: ${need}, ${formatNumber(missing)} more than you have`;
}
