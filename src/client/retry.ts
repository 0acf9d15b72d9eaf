import type { Timing } from './settings';

/** Why an attempt did not return a result. */
export type AttemptFailure =
  /** 429. */
  | ({ readonly kind: 'throttled' } & Partial<ThrottleAdvice>)
  /** Nothing was sent, because the connection was never established. */
  | { readonly kind: 'not-sent' }
  /** The request may have been processed: 5xx or 408, or an incomplete or unexpected response. */
  | { readonly kind: 'maybe-done'; readonly waitMs?: number | undefined }
  /** Any other rejection; a retry would get the same response. */
  | { readonly kind: 'refused' };

/** State of a request after a failed attempt. */
export interface RetryState {
  /**
   * Whether the request can be repeated even if it may have been processed. Reads can: reading a
   * company again within 30 days is free (API spec: Credits).
   */
  readonly repeatable: boolean;
  /** Failed attempts after which the client gives up, if fewer than usual. */
  readonly attempts?: number;
  /** Failed attempts so far, without pauses for the rate limit; 1 after the first. */
  readonly failures: number;
  /** Number of 429 responses to this request; 1 after the first. */
  readonly throttles: number;
  /** Milliseconds this request has already waited because of 429. */
  readonly throttledMs: number;
}

export type RetryDecision =
  /** Retry after `delayMs`; this counts as a failed attempt. */
  | { readonly action: 'retry'; readonly delayMs: number }
  /** The whole key waits `delayMs`, then the request is retried; this does not count as an attempt. */
  | {
      readonly action: 'pause';
      readonly delayMs: number;
      readonly limitPerMinute: number | undefined;
    }
  | { readonly action: 'fail' }
  /** The service requires a longer wait than the run allows. */
  | { readonly action: 'wait-too-long'; readonly delayMs: number }
  /** The request may have been processed, and repeating it would do harm. */
  | { readonly action: 'outcome-unknown' };

const MAX_FAILURES = 4;

/**
 * Decides what happens after a failed attempt. Pure: time and randomness are arguments.
 *
 * A wait that the service requires is kept to the millisecond or refused, never shortened, because an
 * early retry only gets the next 429 (API spec: Errors, last paragraph).
 *
 * @param random Number from 0 (included) to 1 (excluded), for jitter.
 */
export function decideRetry(
  failure: AttemptFailure,
  state: RetryState,
  timing: Timing,
  random: number,
): RetryDecision {
  if (failure.kind === 'refused') return { action: 'fail' };
  if (failure.kind === 'throttled') {
    // A wait of about 0 was too short a moment ago. With such waits alone, the loop could run forever.
    const requestedMs = failure.waitMs ?? 0;
    const least =
      requestedMs < timing.backoffBaseMs
        ? getBackoff(state.throttles, timing, random)
        : requestedMs;
    const delayMs = Math.max(requestedMs, least);
    return state.throttledMs + delayMs > timing.maxRateLimitWaitMs
      ? { action: 'wait-too-long', delayMs }
      : { action: 'pause', delayMs, limitPerMinute: failure.limitPerMinute };
  }
  if (!state.repeatable && failure.kind !== 'not-sent') return { action: 'outcome-unknown' };
  const requestedMs = failure.kind === 'maybe-done' ? failure.waitMs : undefined;
  // An unreachable service, or a wait that it requires, concerns all requests, not only this one.
  const isGeneral = failure.kind === 'not-sent' || requestedMs !== undefined;
  const attempts = isGeneral ? MAX_FAILURES : Math.min(MAX_FAILURES, state.attempts ?? Infinity);
  if (state.failures >= attempts) return { action: 'fail' };
  if (requestedMs !== undefined && requestedMs > timing.maxRateLimitWaitMs) {
    return { action: 'wait-too-long', delayMs: requestedMs };
  }
  return {
    action: 'retry',
    delayMs: Math.max(requestedMs ?? 0, getBackoff(state.failures, timing, random)),
  };
}

/** Returns an exponential backoff in milliseconds. Its upper half is random, so that failed requests do not retry in step. */
function getBackoff(attempt: number, timing: Timing, random: number): number {
  const ceiling = Math.min(timing.backoffMaxMs, timing.backoffBaseMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random / 2));
}

/** Response headers with lowercase names. */
export type Headers = Readonly<Record<string, string>>;

/** What a 429 response says about when, and how many, requests can be sent again. */
export interface ThrottleAdvice {
  /** Milliseconds to wait; undefined if the response does not say. */
  readonly waitMs: number | undefined;
  /** Limit per minute that the service applied; undefined if the response does not say. */
  readonly limitPerMinute: number | undefined;
  /** True if the daily limit, not the limit per minute, is used up. */
  readonly daily: boolean;
}

/** Longest window that a limit can have. */
const MAX_WAIT_MS = 31 * 24 * 60 * 60 * 1000;

/**
 * Reads `Retry-After` (seconds or an HTTP date).
 *
 * @returns Milliseconds from `now`, never negative and up to a month; undefined if the header is absent
 * or unreadable.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = parseSeconds(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, MAX_WAIT_MS);
  // Date.parse reads any stray number ("-5") as a year, so the text must contain a time of day as well.
  return value !== undefined && /\d:\d\d/.test(value) ? msUntil(Date.parse(value), now) : undefined;
}

/**
 * Reads how long a response of any status requires to wait: `Retry-After`, otherwise
 * `retry_after_seconds` of its body (API spec: Errors).
 *
 * @param fields Fields of the error body.
 * @param now Unix time in milliseconds.
 * @returns Milliseconds; undefined if the response does not say.
 */
export function readRequestedWait(
  headers: Headers,
  fields: Readonly<Record<string, unknown>>,
  now: number,
): number | undefined {
  const said = readRetryAfter(headers['retry-after'], now);
  const seconds = parseSeconds(fields.retry_after_seconds) ?? 0;
  return said ?? (seconds > 0 ? Math.min(seconds * 1000, MAX_WAIT_MS) : undefined);
}

function parseSeconds(value: unknown): number | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return /^\d+(\.\d+)?(e\+\d+)?$/.test(text) ? Number(text) : undefined;
}

/** @returns Milliseconds from `now`; undefined if the moment is so far away that it must be misread or wrong. */
function msUntil(moment: number, now: number): number | undefined {
  return Math.abs(moment - now) <= MAX_WAIT_MS ? Math.max(0, moment - now) : undefined;
}

/** Two clocks that differ by more than this count as set differently. */
const SAME_TIME_MS = 60_000;

/**
 * Returns the current time for interpreting moments in a response: `now`, unless the service's clock in
 * the `Date` header differs. In that case one of the two clocks is wrong, and a wait until a moment
 * that the service names has to be measured with the service's clock.
 *
 * @param now Unix time in milliseconds by the clock of this machine.
 */
export function readServerTime(headers: Headers, now: number): number {
  const there = Date.parse(headers.date ?? '');
  return Math.abs(there - now) > SAME_TIME_MS ? there : now;
}

/**
 * Reads a 429 response (API spec: Errors and Rate limits): what {@link readRequestedWait} returns, otherwise the
 * reset header, or the daily reset header if the daily limit is used up.
 *
 * @param fields Fields of the error body.
 * @param now Unix time in milliseconds.
 */
export function readThrottleAdvice(
  headers: Headers,
  fields: Readonly<Record<string, unknown>>,
  now: number,
): ThrottleAdvice {
  const daily = headers['x-ratelimit-remaining-day']?.trim() === '0';
  const reset = parseSeconds(headers[daily ? 'x-ratelimit-reset-day' : 'x-ratelimit-reset']);
  const waitMs = readRequestedWait(headers, fields, now) ?? msUntil((reset ?? NaN) * 1000, now);
  const limit = Math.floor(Number(headers['x-ratelimit-limit']));
  // With a limit below 1, no request could ever be sent.
  const isUsable = Number.isFinite(limit) && limit >= 1;
  return { waitMs, limitPerMinute: isUsable ? limit : undefined, daily };
}
