import { InvalidResponseError, type ServiceError } from '../../client/errors';
import { MAX_CREDITS_LABEL } from '../run-guards';

/** Error code of a list that did not arrive completely although only the whole list is usable. */
export const INCOMPLETE = 'list_incomplete';

/**
 * Creates the error for a list that arrived only in part, or changed while it was read. Such a list is
 * unusable for a trigger, because missing rows would be treated as removed.
 *
 * @param hasChanged Whether rows came twice or the total changed. Reading it again helps then.
 */
export function createIncompleteError(
  figures: ListFigures,
  hasChanged: boolean,
): InvalidResponseError {
  const { taken: read, repeated } = figures;
  const totals = [...figures.totals];
  const counts = [
    ...(totals.length === 0 ? [] : [`total ${totals.map(formatNumber).join(', then ')}`]),
    `${formatNumber(read)} rows read`,
    ...(repeated === 0 ? [] : [`${formatNumber(repeated)} of them twice`]),
  ];
  const what = hasChanged
    ? 'The list changed while the trigger read it'
    : 'The list could not be read completely';
  return new InvalidResponseError({
    code: INCOMPLETE,
    message: `${what} (${counts.join(', ')})`,
    hint: 'The trigger emitted nothing and kept its previous state. The next poll compares again.',
    details: { read, totals, repeated },
  });
}

/**
 * Returns whether very few rows are missing. Then the total may be one too high, or a row arrived twice,
 * and refusing such a list would refuse it each time it is read.
 */
export function isNearlyComplete(read: number, total = 0): boolean {
  return read >= total || (read > 0 && total - read <= Math.max(1, total / 100));
}

// --- Missing rows --------------------------------------------------------------------------------

/** Missing rows of a list, counted from 1. Without `last`, the number of rows is unknown. */
export interface Gap {
  readonly first: number;
  readonly last?: number;
}

/** Adds the rows from index `from` to before index `end`, which can be Infinity, to the gaps. */
export function addGap(gaps: Gap[], from: number, end: number): void {
  if (end <= from) return;
  const before = gaps.at(-1)?.last === from ? gaps.pop() : undefined;
  const first = before?.first ?? from + 1;
  gaps.push(end === Infinity ? { first } : { first, last: end });
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
      ? `rows from ${formatNumber(first)}`
      : `rows ${formatNumber(first)} to ${formatNumber(last)}`,
  );
  return `missing: ${texts.join(', ')}`;
}

function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

// --- Warnings ------------------------------------------------------------------------------------

/** Formats the warning about a list of which Max Credits covers a part. */
export function formatCut(taken: number, total: number | undefined): string {
  const rows =
    total === undefined
      ? `only the first ${formatNumber(taken)} rows; the list may have more`
      : `${formatNumber(taken)} of ${formatNumber(total)} rows`;
  return `The credits covered ${rows}. To read the rest, raise ${MAX_CREDITS_LABEL}, or skip these rows with Offset in a later run.`;
}

/** Figures about a list that was read. */
export interface ListFigures {
  readonly taken: number;
  /** Number of rows that arrived twice. */
  readonly repeated: number;
  /** Totals that the service stated, the latest one last. */
  readonly totals: ReadonlySet<number>;
  /** Number of rows that should have arrived; undefined if the service did not say. */
  readonly expected: number | undefined;
}

/** Formats the warning about a list with fewer rows than the service reported, or one that changed. */
export function formatShortfall({ taken, repeated, totals, expected }: ListFigures): string {
  const said = [...totals].map(String).join(', then ');
  const again =
    repeated === 0
      ? ''
      : ` Rows that arrived twice and were skipped the second time: ${String(repeated)}.`;
  if (expected === undefined) {
    return repeated === 0
      ? `The list may have more than these ${String(taken)} rows, but the service returned no others.`
      : `The list changed while the node read it, so some rows may be missing.${again}`;
  }
  return taken < expected
    ? `The service reported ${said} rows in the list, but returned ${String(taken)}.${again}`
    : `The service reported ${said} rows in the list and returned ${String(taken)}. The list changed while the node read it, so some rows may be missing.${again}`;
}
