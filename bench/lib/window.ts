import type { Report } from '../../sandbox';
import type { Row } from '../table';

/** Requests per minute that the API spec allows a key. */
export const LIMIT = 600;

export const MINUTE_MS = 60_000;

/** Some minutes of a measurement, and the part of the limit that it must reach in them. */
interface Span {
  readonly from: number;
  readonly minutes: number;
  readonly target: number;
}

/** Compares the requests of a time with the limit. None of the whole report may be refused. */
export function rateRow(
  what: string,
  { recent, byStatus }: Report,
  { from, minutes, target }: Span,
): Row {
  const to = from + minutes * MINUTE_MS;
  const sent = recent.filter(({ at }) => at >= from && at < to).length;
  const limit = minutes * LIMIT;
  const throttled = byStatus['429'] ?? 0;
  return {
    what,
    ours: `${String(sent)}, ${String(throttled)} refused`,
    against: `the limit: ${String(limit)}`,
    ratio: sent / limit,
    target: `≥ ${String(target)}, none refused`,
    met: sent / limit >= target && throttled === 0,
  };
}
