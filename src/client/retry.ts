import type { Timing } from './settings';

export type AttemptFailure =
  | ({ readonly kind: 'throttled' } & Partial<ThrottleAdvice>)
  | { readonly kind: 'not-sent' }
  /** May have been processed: 5xx or 408, or an incomplete or unexpected response. */
  | { readonly kind: 'maybe-done'; readonly waitMs?: number | undefined }
  /** A retry would get the same response. */
  | { readonly kind: 'refused' };

export interface RetryState {
  /** Reads can be repeated: reading a company again within 30 days is free (API spec: Credits). */
  readonly repeatable: boolean;
  readonly attempts?: number;
  readonly failures: number;
  readonly throttles: number;
  readonly throttledMs: number;
}

type RetryDecision =
  | { readonly action: 'retry'; readonly delayMs: number }
  | {
      readonly action: 'pause';
      readonly delayMs: number;
      readonly limitPerMinute: number | undefined;
    }
  | { readonly action: 'fail' }
  | { readonly action: 'wait-too-long'; readonly delayMs: number }
  | { readonly action: 'outcome-unknown' };

const MAX_FAILURES = 4;

/**
 * A wait that the service requires is kept to the millisecond or refused: an early retry only gets the next 429
 * (API spec: Errors, last paragraph).
 */
export function decideRetry(
  failure: AttemptFailure,
  state: RetryState,
  timing: Timing,
  random: number,
): RetryDecision {
  if (failure.kind === 'refused') return { action: 'fail' };
  if (failure.kind === 'throttled') {
    // A wait of about 0 was too short a moment ago; with such waits alone, the loop could run forever.
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
  // An unreachable service, or a wait that it requires, concerns all requests.
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

/** Returns milliseconds. The upper half is random, so that failed requests do not retry in step. */
function getBackoff(attempt: number, timing: Timing, random: number): number {
  const ceiling = Math.min(timing.backoffMaxMs, timing.backoffBaseMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random / 2));
}

export type Headers = Readonly<Record<string, string>>;

interface ThrottleAdvice {
  readonly waitMs: number | undefined;
  readonly limitPerMinute: number | undefined;
  readonly daily: boolean;
}

const MAX_WAIT_MS = 31 * 24 * 60 * 60 * 1000;

/** Reads seconds or an HTTP date. Returns milliseconds, never negative and up to a month. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const seconds = parseSeconds(value);
  if (seconds !== undefined) return Math.min(seconds * 1000, MAX_WAIT_MS);
  // Date.parse reads any stray number ("-5") as a year, so the text must contain a time of day.
  return value !== undefined && /\d:\d\d/.test(value) ? msUntil(Date.parse(value), now) : undefined;
}

/** Returns the milliseconds of `Retry-After`, otherwise of `retry_after_seconds` in the body (API spec: Errors). */
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

function msUntil(moment: number, now: number): number | undefined {
  return Math.abs(moment - now) <= MAX_WAIT_MS ? Math.max(0, moment - now) : undefined;
}

const SAME_TIME_MS = 60_000;

/**
 * Returns `now`, unless the service's clock in the `Date` header differs: a wait until a moment that the
 * service names has to be measured with the service's clock.
 */
export function readServerTime(headers: Headers, now: number): number {
  const there = Date.parse(headers.date ?? '');
  return Math.abs(there - now) > SAME_TIME_MS ? there : now;
}

/**
 * Reads a 429 response (API spec: Errors and Rate limits): the requested wait, otherwise the reset header, or
 * the daily one if the daily limit is used up.
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
