import type { KeyLimits } from './accounts';
import { type Clock, waitSeconds } from './clock';
import { errors } from './errors';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A caller whose requests are counted together, with the allowed numbers. */
export interface Throttled extends KeyLimits {
  /** The API key, or the client's address for open endpoints. */
  readonly key: string;
}

/**
 * Kind of rate windows. A fixed window restarts at every multiple of its length, like "the minute
 * 12:07". A sliding window always covers the most recent time of its length.
 */
export type WindowMode = 'fixed' | 'sliding';

/** Counts requests in one window of time. All times are milliseconds of the service's clock. */
export class RateWindow {
  /** Times of the counted requests; those before `oldest` are outside the window. */
  private moments: number[] = [];
  private oldest = 0;

  constructor(
    private readonly mode: WindowMode,
    private readonly lengthMs: number,
    private readonly limit: () => number,
  ) {}

  /** Returns how many more requests are allowed at `now`. */
  remaining(now: number): number {
    const start = this.mode === 'fixed' ? this.startAt(now) : now - this.lengthMs + 1;
    while ((this.moments[this.oldest] ?? Infinity) < start) this.oldest += 1;
    if (this.oldest > 10_000) {
      this.moments = this.moments.slice(this.oldest);
      this.oldest = 0;
    }
    return Math.max(0, this.limit() - (this.moments.length - this.oldest));
  }

  /** Returns when the next request is allowed (full window) or when the window restarts (otherwise). */
  resetsAt(now: number): number {
    if (this.mode === 'fixed') return this.startAt(now) + this.lengthMs;
    const excess = this.moments.length - this.oldest - this.limit();
    return (this.moments[this.oldest + Math.max(0, excess)] ?? now) + this.lengthMs;
  }

  count(now: number): void {
    this.moments.push(now);
  }

  private startAt(now: number): number {
    return Math.floor(now / this.lengthMs) * this.lengthMs;
  }
}

/** Rate limits per key (Limits, Rate limits). Rejected requests are not counted. */
export class RateLimiter {
  private readonly windows = new Map<string, { minute: RateWindow; day: RateWindow }>();

  constructor(
    private readonly clock: Clock,
    private readonly mode: WindowMode,
  ) {}

  /**
   * Counts a request.
   *
   * @throws 429 `operational_rate_limit_exceeded` with all rate-limit headers if a window is full
   */
  admit(caller: Throttled): void {
    const now = this.clock.now();
    const { minute, day } = this.windowsOf(caller);
    const minuteLeft = minute.remaining(now);
    const dayLeft = day.remaining(now);
    if (minuteLeft > 0 && dayLeft > 0) {
      minute.count(now);
      day.count(now);
      return;
    }
    const minuteReset = minute.resetsAt(now);
    const dayReset = day.resetsAt(now);
    const freeAt = Math.max(minuteLeft > 0 ? now : minuteReset, dayLeft > 0 ? now : dayReset);
    throw errors.rateLimited(waitSeconds(freeAt - now), {
      'x-ratelimit-limit': String(caller.requestsPerMinute),
      'x-ratelimit-remaining': String(minuteLeft),
      'x-ratelimit-reset': this.unixSeconds(minuteReset),
      'x-ratelimit-limit-day': String(caller.requestsPerDay),
      'x-ratelimit-remaining-day': String(dayLeft),
      'x-ratelimit-reset-day': this.unixSeconds(dayReset),
    });
  }

  private unixSeconds(ms: number): string {
    return String(Math.ceil(this.clock.toReal(ms) / 1000));
  }

  private windowsOf(caller: Throttled): { minute: RateWindow; day: RateWindow } {
    let windows = this.windows.get(caller.key);
    if (windows === undefined) {
      const window = (ms: number, limit: () => number) =>
        new RateWindow(this.mode, this.clock.compressed(ms), limit);
      windows = {
        minute: window(MINUTE_MS, () => caller.requestsPerMinute),
        day: window(DAY_MS, () => caller.requestsPerDay),
      };
      this.windows.set(caller.key, windows);
    }
    return windows;
  }
}
