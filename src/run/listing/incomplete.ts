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

/**
 * Why a list is worth nothing of which not all rows came, or not all can be told from others.
 *
 * @param rows what they are: "members".
 * @param total what the service said; undefined where it said nothing.
 * @param unnamed how many came that nothing tells from others.
 */
export function incompleteList(
  rows: string,
  read: number,
  total: number | undefined,
  unnamed: number,
): InvalidResponseError {
  const why =
    unnamed > 0
      ? `${String(unnamed)} rows have nothing that tells them from others`
      : `of ${String(total)} ${rows} ${String(read)} came`;
  return incomplete('The list', why, {
    read,
    ...(total === undefined ? {} : { total }),
    unnamed,
  });
}
