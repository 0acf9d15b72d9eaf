import { UnknownOutcomeError } from '../../client/errors';
import { NOT_SENT_AGAIN } from '../../client/unanswered';

/**
 * Says how to find out whether something was done, when nobody knows.
 *
 * @param hint in words for people.
 * @throws {UnknownOutcomeError} with that hint.
 */
export async function howToCheck<T>(hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw error.retold({ hint: `${NOT_SENT_AGAIN} ${hint}` });
  }
}
