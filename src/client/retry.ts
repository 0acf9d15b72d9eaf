import type { Timing } from './settings';

/** Why sending did not give a result. */
export type Failure =
  /** 429. */
  | ({ readonly kind: 'throttled' } & Partial<ThrottleAdvice>)
  /** Nothing was sent: the connection was never made. */
  | { readonly kind: 'not-sent' }
  /** It may have been processed: 5xx or 408, no whole answer, or none that was promised. */
  | { readonly kind: 'maybe-done'; readonly waitMs?: number | undefined }
  /** Any other refusal; sending the same again gives the same. */
  | { readonly kind: 'refused' };

/** Where a request stands when it has just failed. */
export interface Standing {
  /**
   * May be sent again although it may have been processed. Reads may: a company read again within
   * 30 days is free (interface: Credits).
   */
  readonly repeatable: boolean;
  /** Failed exchanges after which it is given up, where those are fewer than usual. */
  readonly attempts?: number;
  /** Failed exchanges so far, pauses for the rate limit not counted; 1 after the first. */
  readonly failures: number;
  /** Times the service has said 429 to this request; 1 after the first. */
  readonly throttles: number;
  /** Milliseconds this request has already waited because of 429. */
  readonly throttledMs: number;
}

export type Verdict =
  /** Send again after `delayMs`; it counts as a failed attempt. */
  | { readonly action: 'retry'; readonly delayMs: number }
  /** The whole key waits `delayMs`, then the request is sent again; no attempt is lost. */
  | {
      readonly action: 'pause';
      readonly delayMs: number;
      readonly limitPerMinute: number | undefined;
    }
  | { readonly action: 'fail' }
  /** The wait the service asks for is longer than the run allows. */
  | { readonly action: 'wait-too-long'; readonly delayMs: number }
  /** It may have been done, and doing it twice would do harm. */
  | { readonly action: 'outcome-unknown' };

const MAX_FAILURES = 4;

/**
 * Decides what happens after a failed exchange. Pure: time and chance come in as arguments.
 *
 * A wait that the service asks for is kept to the millisecond or refused, never shortened: asking
 * too early only earns the next 429 (interface: Errors, last paragraph).
 *
 * @param random a number from 0 (included) to 1 (excluded), for jitter.
 */
export function decideRetry(
  failure: Failure,
  standing: Standing,
  timing: Timing,
  random: number,
): Verdict {
  if (failure.kind === 'refused') return { action: 'fail' };
  if (failure.kind === 'throttled') {
    // "Now" was not enough a moment ago; with such waits alone it could go on for ever.
    const asked = failure.waitMs ?? 0;
    const least =
      asked < timing.backoffBaseMs ? backoff(standing.throttles, timing, random) : asked;
    const delayMs = Math.max(asked, least);
    return standing.throttledMs + delayMs > timing.maxRateLimitWaitMs
      ? { action: 'wait-too-long', delayMs }
      : { action: 'pause', delayMs, limitPerMinute: failure.limitPerMinute };
  }
  if (!standing.repeatable && failure.kind !== 'not-sent') return { action: 'outcome-unknown' };
  const asked = failure.kind === 'maybe-done' ? failure.waitMs : undefined;
  // Nobody there, or a wait that is asked for, is nobody's matter alone.
  const isGeneral = failure.kind === 'not-sent' || asked !== undefined;
  const attempts = isGeneral ? MAX_FAILURES : Math.min(MAX_FAILURES, standing.attempts ?? Infinity);
  if (standing.failures >= attempts) return { action: 'fail' };
  if (asked !== undefined && asked > timing.maxRateLimitWaitMs) {
    return { action: 'wait-too-long', delayMs: asked };
  }
  return {
    action: 'retry',
    delayMs: Math.max(asked ?? 0, backoff(standing.failures, timing, random)),
  };
}

/** Exponential, with the upper half left to chance so that failed requests do not return in step. */
function backoff(attempt: number, timing: Timing, random: number): number {
  const ceiling = Math.min(timing.backoffMaxMs, timing.backoffBaseMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random / 2));
}

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

/** No window of a limit is longer. */
const LONGEST_WAIT_MS = 31 * 24 * 60 * 60 * 1000;

/**
 * Reads `Retry-After` (seconds or an HTTP date).
 *
 * @returns milliseconds from `now`, never negative and a month at most; undefined when absent or
 * unreadable.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = numberIn(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, LONGEST_WAIT_MS);
  // Date.parse makes a year of any stray number ("-5"), so a time of day has to be there as well.
  return value !== undefined && /\d:\d\d/.test(value)
    ? waitUntil(Date.parse(value), now)
    : undefined;
}

/**
 * How long an answer of any status asks to wait: `Retry-After`, else `retry_after_seconds` of its body
 * (interface: Errors).
 *
 * @param fields the error body's fields.
 * @param now Unix time in milliseconds.
 * @returns milliseconds; undefined when it says nothing.
 */
export function readWait(
  headers: Headers,
  fields: Readonly<Record<string, unknown>>,
  now: number,
): number | undefined {
  const said = readRetryAfter(headers['retry-after'], now);
  const seconds = numberIn(fields.retry_after_seconds) ?? 0;
  return said ?? (seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : undefined);
}

function numberIn(value: unknown): number | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return /^\d+(\.\d+)?(e\+\d+)?$/.test(text) ? Number(text) : undefined;
}

/** @returns undefined for a moment so far away that it is misread, or nonsense. */
function waitUntil(moment: number, now: number): number | undefined {
  return Math.abs(moment - now) <= LONGEST_WAIT_MS ? Math.max(0, moment - now) : undefined;
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
 * Reads a 429 (interface: Errors and Rate limits): what {@link readWait} reads, else the reset header,
 * the daily one when the day is used up.
 *
 * @param fields the error body's fields.
 * @param now Unix time in milliseconds.
 */
export function readThrottleAdvice(
  headers: Headers,
  fields: Readonly<Record<string, unknown>>,
  now: number,
): ThrottleAdvice {
  const daily = headers['x-ratelimit-remaining-day']?.trim() === '0';
  const reset = numberIn(headers[daily ? 'x-ratelimit-reset-day' : 'x-ratelimit-reset']);
  const waitMs = readWait(headers, fields, now) ?? waitUntil((reset ?? NaN) * 1000, now);
  // Below one, no request would ever fit in.
  const limit = Math.floor(positive(headers['x-ratelimit-limit']) ?? 0);
  return { waitMs, limitPerMinute: limit >= 1 ? limit : undefined, daily };
}

function positive(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : undefined;
}
