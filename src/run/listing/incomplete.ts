import { InvalidResponseError, NotAttemptedError, type ServiceError } from '../../client/errors';
import type { DistinctRows } from './distinct-rows';
import type { FetchedPage } from './paging';

/** Error code of a list that did not arrive completely although only the whole list is usable. */
export const INCOMPLETE = 'list_incomplete';

/**
 * Creates the error for a list that arrived only in part. Such a list is unusable, because missing rows
 * would be treated as removed.
 *
 * @param why Reason in words, with the figures.
 */
export function createIncompleteError(
  why: string,
  details: Readonly<Record<string, unknown>>,
): InvalidResponseError {
  return new InvalidResponseError({
    code: INCOMPLETE,
    message: `The list could not be read completely: ${why}`,
    hint: 'The trigger emitted nothing and kept its previous state. The next poll compares again.',
    details,
  });
}

/**
 * Returns whether very few rows are missing. Then the total may be one too high, or a row arrived twice,
 * and refusing such a list would refuse it each time it is read.
 */
export function isNearlyComplete(read: number, total = 0): boolean {
  return read >= total || (read > 0 && total - read <= Math.max(1, total / 100));
}

/**
 * Creates the error for a list of which not all rows arrived.
 *
 * @param rows Name of the rows: "members".
 * @param total Total that the service stated; undefined if it stated none.
 */
export function createIncompleteListError(
  rows: string,
  read: number,
  total: number | undefined,
): InvalidResponseError {
  return createIncompleteError(`only ${String(read)} of ${String(total)} ${rows} arrived`, {
    read,
    ...(total === undefined ? {} : { total }),
  });
}

/** Creates the error for a list that repeats its rows and has no end. */
export function createRepeatedPageError(code: string): InvalidResponseError {
  return new InvalidResponseError({
    code,
    message: 'The service returned the same rows again instead of the next ones',
    hint: 'The node could not read the list to its end. Set a Limit that one page covers.',
  });
}

/** Creates the error for a list that is not read a second time. */
export function createTooManyRequestsError(): NotAttemptedError {
  return new NotAttemptedError({
    code: 'too_many_requests_for_list',
    message: 'it would take more than 2 requests per page of the list',
    hint: 'Read the list again when it changes less often.',
  });
}

// --- Missing rows --------------------------------------------------------------------------------

/** Missing rows of a list, counted from 1. Without `last`, the number of rows is unknown. */
export interface Gap {
  readonly first: number;
  readonly last?: number;
}

/** Finds the gaps between pages that arrive in order. */
export class GapFinder {
  private readonly gaps: Gap[] = [];

  /** @param read Number of rows before the first gap. */
  constructor(private read: number) {}

  /** Records a page. */
  record({ slice, page }: FetchedPage): void {
    if (slice.from > this.read) this.gaps.push({ first: this.read + 1, last: slice.from });
    this.read = Math.max(this.read, slice.from + page.rows.length);
  }

  /** Returns all gaps of a list that ends at row `end`; Infinity if that is unknown. */
  listGaps(end: number): readonly Gap[] {
    if (this.read >= end) return this.gaps;
    const first = this.read + 1;
    return [...this.gaps, end === Infinity ? { first } : { first, last: end }];
  }
}

/** Returns the failure with the rows that are missing because of it. */
export function withGaps(failure: ServiceError, gaps: readonly Gap[]): ServiceError {
  return failure.copyWith({ details: { ...failure.details, missing_rows: gaps } });
}

/** Returns the gaps that {@link withGaps} noted. */
export function getGaps({ details }: ServiceError): readonly Gap[] {
  return Array.isArray(details.missing_rows) ? (details.missing_rows as Gap[]) : [];
}

/** Formats gaps for a message: `missing: rows 101 to 200, rows from 801`. */
export function formatGaps(gaps: readonly Gap[]): string {
  const texts = gaps.map(({ first, last }) =>
    last === undefined
      ? `rows from ${formatRow(first)}`
      : `rows ${formatRow(first)} to ${formatRow(last)}`,
  );
  return `missing: ${texts.join(', ')}`;
}

function formatRow(row: number): string {
  return row.toLocaleString('en-US');
}

// --- Warnings ------------------------------------------------------------------------------------

export const LIST_GREW =
  'The list grew while the node read it. It may now have more rows than Max Credits allowed for at the start.';
export const NO_LIST_IN_RESPONSE =
  'The service responded without a list, which the node treated as an empty list.';

export function formatRefusedPage({ taken }: DistinctRows, { message }: ServiceError): string {
  return `after ${String(taken)} rows, the service responded: ${message}`;
}

export function formatNoOtherRows({ taken }: DistinctRows): string {
  return `The service reported more rows than these ${String(taken)}, but returned no others.`;
}

export function formatNoSecondScan({ taken }: DistinctRows, { message }: ServiceError): string {
  return `The list changed while the node read it. The node returned these ${String(taken)} rows but could not finish a second pass for missed rows: ${message}.`;
}

/**
 * Formats the warning about a list with fewer rows than the service reported, or one that changed.
 *
 * @param totals Totals that the service stated, the latest one last.
 * @param expected Number of rows that should have arrived.
 */
export function formatShortfall(
  { taken, repeated }: DistinctRows,
  totals: ReadonlySet<number>,
  expected: number,
): string {
  const said = `The service reported ${[...totals].map(String).join(', then ')} rows in the list`;
  const again =
    repeated === 0
      ? ''
      : ` Rows that arrived twice and were skipped the second time: ${String(repeated)}.`;
  return taken < expected
    ? `${said}, but returned ${String(taken)}.${again}`
    : `${said} and returned ${String(taken)}. The list changed while the node read it, so some rows may be missing.${again}`;
}
