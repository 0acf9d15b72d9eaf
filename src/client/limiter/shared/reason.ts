import { isRecord } from '../../is-record';

/** What an error says, whatever kind of error it is. */
export function reasonOf(error: unknown): string {
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'unknown';
}
