import { InvalidResponseError, type ServiceError } from '../../client/errors';
import { MAX_CREDITS_LABEL } from '../run-guards';
import { formatNumber } from '../../values/text';

/** Only the whole list is usable, and it did not arrive completely. */
export const INCOMPLETE = 'list_incomplete';

interface ListFigures {
  readonly taken: number;
  readonly repeated: number;
  readonly totals: readonly number[];
  /** A page had only rows of earlier pages, and nothing says that it was the last one. */
  readonly isPagingIgnored: boolean;
}

export function formatShortfall(figures: ListFigures, reader: 'node' | 'trigger'): string {
  const { taken, repeated, totals, isPagingIgnored } = figures;
  if (isPagingIgnored) {
    return `The list may have more than these ${String(taken)} rows, but the service returned the same rows again.`;
  }
  const [total = 0] = totals.slice(-1);
  const sentences = [
    totals.length > 0 &&
      `The service reported ${totals.join(', then ')} rows in the list${taken < total ? ', but' : ' and'} returned ${String(taken)}.`,
    (totals.length > 1 || repeated > 0) &&
      `The list changed while the ${reader} read it, so some rows may be missing.`,
    repeated > 0 &&
      `Rows that arrived twice and were skipped the second time: ${String(repeated)}.`,
  ].filter((sentence) => sentence !== false);
  return sentences.length > 0
    ? sentences.join(' ')
    : `The list may have more than these ${String(taken)} rows, but the service returned no others.`;
}

/**
 * A list that arrived only in part, or changed while it was read, is unusable for a trigger: missing rows would be
 * treated as removed.
 */
export function createIncompleteError(figures: ListFigures): InvalidResponseError {
  const { taken: read, totals, repeated, isPagingIgnored } = figures;
  const kept = 'The trigger emitted nothing and kept its previous state.';
  return new InvalidResponseError({
    code: isPagingIgnored ? 'paging_ignored' : INCOMPLETE,
    message: formatShortfall(figures, 'trigger').replace(/\.$/, ''),
    hint: isPagingIgnored
      ? `${kept} It can't watch this list. Split the list into smaller ones, or ask your service administrator.`
      : `${kept} The next poll compares again.`,
    details: { read, totals, repeated },
  });
}

export function formatCut(taken: number, total: number | undefined): string {
  const rows =
    total === undefined
      ? `only the first ${formatNumber(taken)} rows; the list may have more`
      : `${formatNumber(taken)} of ${formatNumber(total)} rows`;
  return `The credits covered ${rows}. To read the rest, raise ${MAX_CREDITS_LABEL}, or skip these rows with Offset in a later run.`;
}

/** Rows are counted from 1. Without `last`, their number is unknown. */
export interface Gap {
  readonly first: number;
  readonly last?: number;
}

export function addGap(gaps: Gap[], from: number, end: number): void {
  if (end <= from) return;
  const before = gaps.at(-1)?.last === from ? gaps.pop() : undefined;
  const first = before?.first ?? from + 1;
  gaps.push(end === Infinity ? { first } : { first, last: end });
}

export function getGaps({ details }: ServiceError): readonly Gap[] {
  return Array.isArray(details.missing_rows) ? (details.missing_rows as Gap[]) : [];
}

export function formatGaps(gaps: readonly Gap[]): string {
  const texts = gaps.map(({ first, last }) => {
    const from = formatNumber(first);
    return last === undefined ? `rows from ${from}` : `rows ${from} to ${formatNumber(last)}`;
  });
  return `missing: ${texts.join(', ')}`;
}
