import { InvalidResponseError } from '../../client/errors';

/** The code of a list that did not come whole, where a part of it says nothing. */
export const INCOMPLETE = 'list_incomplete';

/**
 * Why a list that came only in part says nothing: what is missing would be taken for gone.
 *
 * @param what was read: "The list".
 * @param why in words, with the figures.
 */
export function incomplete(
  what: string,
  why: string,
  details: Readonly<Record<string, unknown>>,
): InvalidResponseError {
  return new InvalidResponseError({
    code: INCOMPLETE,
    message: `${what} could not be read whole: ${why}`,
    hint: 'Nothing was emitted, and what was remembered is kept; the next poll compares again.',
    details,
  });
}
