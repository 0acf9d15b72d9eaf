import { InvalidResponseError, ServiceError } from '../client/errors';
import type { Row } from '../run/answers/rows';
import { INCOMPLETE } from '../run/listing/incomplete';
import type { Table } from './table';

/** Something that is otherwise than it was remembered. */
export interface Change<E extends string = string> {
  readonly event: E;
  /** What changed: with the event, no two changes of a poll have the same. */
  readonly id: string;
  /** What comes out, beside the change's own fields. */
  readonly facts: Row;
}

/** What an earlier poll saw. */
export interface Earlier {
  readonly table: Table;
  /** When, in milliseconds since 1970. */
  readonly readAt: number;
  /** See {@link Sight}. */
  readonly odd?: number | undefined;
}

/** What one poll saw. */
export interface Sight<E extends string = string> {
  /** What is to be remembered. */
  readonly now: Table;
  /** Against what was remembered; against nothing at a first poll. */
  readonly changes: ReadonlyArray<Change<E>>;
  /**
   * That nothing is lost if the process dies before it is saved, as no later change depends on it for
   * a while.
   */
  readonly isMinor?: boolean;
  /** Rows that nothing tells from others, as far as they hide none of what was remembered. */
  readonly odd?: number;
  /** What could not be compared; told with the changes. */
  readonly note?: string | undefined;
}

/** What a poll saw is taken for a fault: too much of it is gone. */
const IMPLAUSIBLE = 'implausible_change';

/** Below it even all of them may go at once: short lists are often emptied by hand. */
const ALWAYS_PLAUSIBLE = 10;

/** What vanished, in figures and words. */
export interface Loss {
  readonly before: number;
  readonly gone: number;
  /** What is gone: "members of the list". */
  readonly what: string;
}

/**
 * Refuses a loss that is more likely a fault than a change: a list that became empty or unreadable.
 *
 * @param percent the largest share that may vanish from one poll to the next.
 * @throws {InvalidResponseError} `implausible_change`, with the figures.
 */
export function assertPlausible({ before, gone, what }: Loss, percent: number): void {
  if (isPlausible({ before, gone }, percent)) return;
  const count = (number: number) => number.toLocaleString('en-US');
  throw new InvalidResponseError({
    code: IMPLAUSIBLE,
    message: `Of ${count(before)} ${what} at the last poll ${count(gone)} would be gone (${shareOf({ before, gone }).toFixed(1)} %); more than ${String(percent)} % at once is taken for a fault`,
    hint: 'Nothing was emitted, and what was remembered is kept, so that the next poll compares again. If they are really gone, raise Max Gone at Once (%) under Options until the next poll has run.',
    details: { before, gone, percent },
  });
}

/** How much of it is gone, in percent. */
export function shareOf({ before, gone }: Omit<Loss, 'what'>): number {
  return before === 0 ? 0 : (gone / before) * 100;
}

/** Whether {@link assertPlausible} lets a loss pass. */
export function isPlausible(loss: Omit<Loss, 'what'>, percent: number): boolean {
  return loss.gone < ALWAYS_PLAUSIBLE || shareOf(loss) <= percent;
}

/** Whether the poll read what it wanted, and took it for a fault. */
export function isTakenForFault(error: unknown): boolean {
  return error instanceof ServiceError && [IMPLAUSIBLE, INCOMPLETE].includes(error.code);
}
