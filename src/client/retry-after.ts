/** Response headers with lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** What a throttled answer says about when, and how much, to send again. */
export interface ThrottleAdvice {
  /** Milliseconds to wait; undefined when the answer says nothing about it. */
  readonly waitMs: number | undefined;
  /** The per-minute ceiling the service applied, when it said so. */
  readonly limitPerMinute: number | undefined;
  /** True when the daily window, not the minute, is used up. */
  readonly daily: boolean;
}

/**
 * Reads `Retry-After` (seconds or an HTTP date).
 *
 * @returns milliseconds from `now`, never negative; undefined when absent or unreadable.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse makes a year of any stray number ("-5"), so a time of day has to be there as well.
  const date = /\d:\d\d/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Clocks that differ by more than this do not tell the same time. */
const SAME_TIME_MS = 60_000;

/**
 * What moments that an answer names are reckoned from: `now`, unless the service's own clock, by the
 * header `Date`, says something else. Then one of the two clocks was set wrong, and a wait until a
 * moment of the service is as long as the service's clock says.
 *
 * @param now Unix time in milliseconds by the clock of this machine.
 */
export function serversNow(headers: Headers, now: number): number {
  const there = Date.parse(headers.date ?? '');
  return Math.abs(there - now) > SAME_TIME_MS ? there : now;
}

/**
 * Reads a 429 (interface: Errors and Rate limits): `Retry-After`, else the body's
 * `retry_after_seconds`, else the reset headers (the daily one when the day is used up).
 *
 * @param fields the error body's fields.
 * @param now Unix time in milliseconds.
 */
export function readThrottleAdvice(
  headers: Headers,
  fields: Record<string, unknown>,
  now: number,
): ThrottleAdvice {
  const daily = headers['x-ratelimit-remaining-day']?.trim() === '0';
  const resetHeader = headers[daily ? 'x-ratelimit-reset-day' : 'x-ratelimit-reset'];
  const reset = positive(resetHeader);
  const bodySeconds = positive(fields.retry_after_seconds);
  const waitMs =
    readRetryAfter(headers['retry-after'], now) ??
    (bodySeconds === undefined ? undefined : bodySeconds * 1000) ??
    (reset === undefined ? undefined : Math.max(0, reset * 1000 - now));
  // Below one, no request would ever fit in.
  const limit = Math.floor(positive(headers['x-ratelimit-limit']) ?? 0);
  return { waitMs, limitPerMinute: limit >= 1 ? limit : undefined, daily };
}

function positive(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
