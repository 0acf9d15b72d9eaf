import { BatchTooLargeError, ServiceError } from '../client/errors';
import { isInterfaceCode } from '../client/meaning';

/** Statuses with which services refuse what is asked for. */
const OF_CONTENTS = [400, 422];

/**
 * Whether a refusal may be about how much is asked for at once, or from where on. The code may be
 * missing, or stand where nobody finds it (interface: "the common error shape … not shown"), so that
 * every refusal of the contents counts that is not known to mean something else.
 *
 * @param others statuses beside 400 and 422 that refuse contents here.
 */
export function mayBeAboutExtent(error: unknown, ...others: number[]): boolean {
  if (!(error instanceof ServiceError)) return false;
  if (error instanceof BatchTooLargeError) return true;
  return [...OF_CONTENTS, ...others].includes(error.status ?? 0) && !isInterfaceCode(error.code);
}
