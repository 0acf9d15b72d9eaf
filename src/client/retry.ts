import type { Timing } from './settings';

/** Why an exchange did not give a result. */
export type Failure =
  /** 429. `waitMs` is what the answer asks for, undefined when it says nothing. */
  | { readonly kind: 'throttled'; readonly waitMs: number | undefined }
  /** 5xx or 408. */
  | { readonly kind: 'server'; readonly waitMs: number | undefined }
  /** Nothing was sent: the connection was never made. */
  | { readonly kind: 'not-sent' }
  /** Sent, but no whole answer came back. */
  | { readonly kind: 'no-answer' }
  /** A success status with a body that is not what the interface promises. */
  | { readonly kind: 'unreadable' }
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
  | { readonly action: 'pause'; readonly delayMs: number }
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
    // "Now" was not enough a moment ago; without a wait of its own it could go on for ever.
    const asked = failure.waitMs ?? 0;
    const delayMs = asked > 0 ? asked : backoff(standing.throttles, timing, random);
    return standing.throttledMs + delayMs > timing.maxRateLimitWaitMs
      ? { action: 'wait-too-long', delayMs }
      : { action: 'pause', delayMs };
  }
  if (!standing.repeatable && failure.kind !== 'not-sent') return { action: 'outcome-unknown' };
  const asked = failure.kind === 'server' ? failure.waitMs : undefined;
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
