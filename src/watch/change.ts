import type { Row } from '../run/answers/rows';
import { fingerprint } from './fingerprint';
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
}

/** What one poll saw. */
export interface Sight<E extends string = string> {
  /** What is to be remembered. */
  readonly now: Table;
  /** Against what was remembered; against nothing at a first poll. */
  readonly changes: ReadonlyArray<Change<E>>;
  /**
   * What became of the memory: `same`; `minor` where nothing is lost if the process dies before it is
   * saved, as no later change depends on it for a while; `changed`.
   */
  readonly memory: 'same' | 'minor' | 'changed';
}

/** From what on changes are counted. */
export interface Since {
  /** When the watch began, or started over. */
  readonly since: string;
  /** How often what is remembered has changed since. */
  readonly revision: number;
}

/**
 * The id of a change. A poll that repeats one of which the outcome was not remembered gives its
 * changes the same ids; the same thing happening once more gets another.
 *
 * @param watch what is watched, in whatever words tell it from other watches.
 */
export function changeIdOf(
  watch: unknown,
  { since, revision }: Since,
  { event, id }: Pick<Change, 'event' | 'id'>,
): string {
  return fingerprint([watch, since, revision, event, id], ID_LENGTH);
}

/** 132 bits: no two changes ever have the same. */
const ID_LENGTH = 22;
