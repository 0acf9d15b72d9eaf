import { InvalidResponseError, ServiceError } from '../client/errors';
import type { Row } from '../run/responses/rows';
import { INCOMPLETE } from '../run/listing/incomplete';
import type { Snapshot } from './snapshot';

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
  readonly table: Snapshot;
  /** The time of the poll in milliseconds since 1970. */
  readonly readAt: number;
  /** See {@link PollDiff}. */
  readonly odd?: number | undefined;
}

/** The result of one poll. */
export interface PollDiff<E extends string = string> {
  /** The state to save. */
  readonly now: Snapshot;
  /** The changes since the previous state; since an empty state at the first poll. */
  readonly changes: ReadonlyArray<Change<E>>;
  /**
   * Whether the state can stay unsaved for a while: if the process dies, no change is lost, because no
   * later change depends on the state.
   */
  readonly isMinor?: boolean;
  /** The number of rows without an id that hide no previously known entity. */
  readonly odd?: number;
  /** A note about data that could not be compared, for the output. */
  readonly note?: string | undefined;
}

/** The error code of a poll that lost too much, which is treated as a service fault. */
const IMPLAUSIBLE = 'implausible_change';

/** A smaller number can always disappear at once: short lists are often emptied by hand. */
const ALWAYS_PLAUSIBLE = 10;

/** The number of entities that disappeared. */
export interface RemovalCount {
  readonly before: number;
  readonly gone: number;
  /** A plural noun for the entities: "members of the list". */
  readonly what: string;
}

/**
 * Refuses a loss that is more likely a service fault than a change, such as a list that became empty or
 * unreadable.
 *
 * @param percent the largest share that can disappear between two polls.
 * @throws {InvalidResponseError} `implausible_change` with the numbers, when the loss is larger.
 */
export function assertPlausible({ before, gone, what }: RemovalCount, percent: number): void {
  if (isPlausible({ before, gone }, percent)) return;
  const count = (number: number) => number.toLocaleString('en-US');
  throw new InvalidResponseError({
    code: IMPLAUSIBLE,
    message: `${count(gone)} of ${count(before)} ${what} would be gone since the last poll (${removedShare({ before, gone }).toFixed(1)}%); more than ${String(percent)}% at once is treated as a service fault`,
    hint: 'The trigger emitted nothing and kept its previous state, so the next poll compares again. If the data is really gone, raise Max Gone at Once (%) under Options until the next poll has run.',
    details: { before, gone, percent },
  });
}

/** Returns the share that is gone, in percent. */
export function removedShare({ before, gone }: Omit<RemovalCount, 'what'>): number {
  return before === 0 ? 0 : (gone / before) * 100;
}

/** Returns whether {@link assertPlausible} accepts a loss. */
export function isPlausible(loss: Omit<RemovalCount, 'what'>, percent: number): boolean {
  return loss.gone < ALWAYS_PLAUSIBLE || removedShare(loss) <= percent;
}

/** Returns whether an error means that the poll read the data and treated it as a service fault. */
export function isSuspectedOutage(error: unknown): boolean {
  return error instanceof ServiceError && [IMPLAUSIBLE, INCOMPLETE].includes(error.code);
}
