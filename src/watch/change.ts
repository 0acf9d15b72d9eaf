import { InvalidResponseError, ServiceError } from '../client/errors';
import { INCOMPLETE } from '../run/listing/incomplete';
import type { Row } from '../run/responses/rows';

/** A difference from the previous state. */
export interface Change<E extends string = string> {
  readonly event: E;
  /** The id of the changed entity; together with the event, unique within a poll. */
  readonly id: string;
  /** The fields to output in addition to the change's own fields. */
  readonly facts: Row;
}

/** The state that the previous poll saved. */
export interface PreviousSnapshot {
  /** The saved entries, as JSON. */
  readonly table: readonly unknown[];
  /** The number of rows that the list was short of its total. */
  readonly missing?: number | undefined;
  /** The time of the newest evidence in milliseconds since 1970. */
  readonly newestEvidence?: number | undefined;
}

/** The result of one poll. */
export interface PollDiff<E extends string = string> extends PreviousSnapshot {
  /** The changes since the previous state; since an empty state at the first poll. */
  readonly changes: ReadonlyArray<Change<E>>;
  /** A note about data that could not be compared, for the output and the log. */
  readonly note?: string | undefined;
}

const IMPLAUSIBLE = 'implausible_change';

/** A smaller number can always be removed at once: short lists are often emptied by hand. */
const ALWAYS_PLAUSIBLE = 10;

/** The number of removed entities. */
interface RemovalCount {
  readonly before: number;
  readonly removed: number;
  /** A plural noun for the entities: "members of the list". */
  readonly what: string;
}

/**
 * Refuses a loss that is more likely a service fault than a change, such as a list that became empty or
 * unreadable.
 *
 * @param percent the largest share that can be removed between two polls.
 * @throws {InvalidResponseError} `implausible_change` with the numbers, when the loss is larger.
 */
export function assertPlausible({ before, removed, what }: RemovalCount, percent: number): void {
  const share = before === 0 ? 0 : (removed / before) * 100;
  if (removed < ALWAYS_PLAUSIBLE || share <= percent) return;
  const count = (number: number) => number.toLocaleString('en-US');
  throw new InvalidResponseError({
    code: IMPLAUSIBLE,
    message: `${count(removed)} of ${count(before)} ${what} would be removed since the last poll (${share.toFixed(1)}%); more than ${String(percent)}% at once is treated as a service fault`,
    hint: 'The trigger emitted nothing and kept its previous state, so the next poll compares again. If they are really removed, raise Max Removed per Poll (%) under Options until the next poll has run.',
    details: { before, removed, percent },
  });
}

/**
 * Returns whether an error means that the list changed while it was read: its total changed, or rows
 * came twice. A steady total with too few rows is a fault instead.
 */
export function isListChanged(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.code !== INCOMPLETE) return false;
  const { totals, repeated = 0 } = error.details;
  return repeated !== 0 || (Array.isArray(totals) && totals.length !== 1);
}

/** Returns whether an error means that the poll read the data and treated it as a service fault. */
export function isSuspectedOutage(error: unknown): boolean {
  return error instanceof ServiceError && [IMPLAUSIBLE, INCOMPLETE].includes(error.code);
}
