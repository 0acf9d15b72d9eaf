import { InvalidResponseError, ServiceError } from '../client/errors';
import { INCOMPLETE } from '../run/listing/incomplete';
import type { Row } from '../values/json';
import { formatNumber, joinFirst } from '../values/text';

export interface Change<E extends string = string> {
  readonly event: E;
  /** Within a poll, together with the event. */
  readonly id: string;
  readonly facts: Row;
}

export interface PreviousSnapshot {
  readonly table: readonly unknown[];
  /** Rows that the list was short of its total. */
  readonly missing?: number | undefined;
  /** In milliseconds since 1970. */
  readonly newestEvidence?: number | undefined;
}

export interface PollDiff<E extends string = string> extends PreviousSnapshot {
  /** Since an empty state at the first poll. */
  readonly changes: ReadonlyArray<Change<E>>;
  /** Empty at the first poll. */
  readonly losses: readonly Loss[];
  /** Which data could not be compared, for the output and the log. */
  readonly note?: string | undefined;
}

/** Entities that a poll no longer finds. */
interface Loss {
  /** Plural noun: "members of the list". */
  readonly what: string;
  readonly before: number;
  readonly ids: readonly string[];
}

/** Fewer can always be removed at once: short lists are often emptied by hand. */
const ALWAYS_PLAUSIBLE = 10;

/** Of a loss, a second poll must find so much again; some entities come and go in between. */
const SAME_SHARE = 0.9;

/** More than half of the entities are missing, which is more likely a service fault than a change. */
export class ImplausibleLossError extends InvalidResponseError {
  constructor(
    { before, ids, what }: Loss,
    readonly missing: ReadonlySet<string>,
  ) {
    super({
      code: 'implausible_change',
      message: `${formatNumber(ids.length)} of ${formatNumber(before)} ${what} would be removed since the last poll (${((ids.length / before) * 100).toFixed(1)}%); more than half at once can be a service fault`,
      hint: 'The trigger emitted nothing and kept its previous state. If the next poll that reads finds the same, it accepts the removal.',
      details: { before, removed: ids.length },
    });
  }
}

/** @param refused IDs of the entities whose removal the poll before refused; the same loss again is accepted. */
export function assertPlausible(losses: readonly Loss[], refused: ReadonlySet<unknown>): void {
  const large = losses.filter(
    ({ before, ids }) => ids.length >= ALWAYS_PLAUSIBLE && ids.length * 2 > before,
  );
  const [first] = large;
  const missing = new Set(large.flatMap(({ ids }) => ids));
  const again = [...missing].filter((id) => refused.has(id)).length;
  const isSame = again >= SAME_SHARE * Math.max(missing.size, refused.size);
  if (first !== undefined && !isSame) throw new ImplausibleLossError(first, missing);
}

/** A steady total with too few rows is a fault instead. */
export function isListChanged(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.code !== INCOMPLETE) return false;
  const { totals, repeated = 0 } = error.details;
  return repeated !== 0 || (Array.isArray(totals) && totals.length !== 1);
}

const NOT_COMPARABLE = 'not_comparable';

/** @param what Plural noun for the rows; `names` says which fields they lack. */
export function createNotComparableError(
  what: string,
  names: string,
  rows: readonly Row[],
): InvalidResponseError {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return new InvalidResponseError({
    code: NOT_COMPARABLE,
    message: `None of the ${formatNumber(rows.length)} ${what} has ${names}; their fields are ${joinFirst(fields, MAX_NAMED_FIELDS)}`,
    hint: 'The trigger needs it to compare them, so it cannot watch this list.',
  });
}

const MAX_NAMED_FIELDS = 20;

/** The poll read the data and treated it as a fault. */
export function isSuspectedOutage(error: unknown): boolean {
  return (
    error instanceof ServiceError &&
    ['implausible_change', INCOMPLETE, 'paging_ignored', NOT_COMPARABLE].includes(error.code)
  );
}
