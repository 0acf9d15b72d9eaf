import { BatchTooLargeError, ServiceError } from '../client/errors';
import { isInterfaceCode } from '../client/meaning';

/** Statuses with which services refuse what is too large. */
const REFUSALS_OF_CONTENTS = [400, 413, 422];

/**
 * Whether a refusal may be about how much was asked for at once. The code may be missing, or stand where
 * nobody finds it (interface: "the common error shape … not shown"), so that every refusal of the
 * contents counts that is not known to mean something else.
 */
export function mayBeTooLarge(error: unknown): boolean {
  if (error instanceof BatchTooLargeError) return true;
  if (!(error instanceof ServiceError) || isInterfaceCode(error.code)) return false;
  return REFUSALS_OF_CONTENTS.includes(error.status ?? 0);
}
