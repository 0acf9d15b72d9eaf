import { UnknownOutcomeError } from '../../client/errors';

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
    throw error.retold({
      hint: `It was not sent again, so that nothing happens twice. ${hint}`,
    });
  }
}
