/** Counts requests in one window of time. All times are milliseconds of the service's clock. */
export interface RateWindow {
  /** Returns how many more requests are allowed at `now`. */
  remaining(now: number): number;
  /** Returns when the next request is allowed (full window) or when the window restarts (otherwise). */
  resetsAt(now: number): number;
  /** Counts one request. */
  count(now: number): void;
}

export type WindowMode = 'fixed' | 'sliding';

/** Creates a window of `lengthMs` milliseconds that allows `limit` requests. */
export function createWindow(mode: WindowMode, lengthMs: number, limit: () => number): RateWindow {
  return mode === 'fixed' ? new FixedWindow(lengthMs, limit) : new SlidingWindow(lengthMs, limit);
}

/** A window that restarts at every multiple of its length, like "the minute 12:07". */
class FixedWindow implements RateWindow {
  private window = -1;
  private used = 0;

  constructor(
    private readonly lengthMs: number,
    private readonly limit: () => number,
  ) {}

  remaining(now: number): number {
    this.turn(now);
    return Math.max(0, this.limit() - this.used);
  }

  resetsAt(now: number): number {
    return (Math.floor(now / this.lengthMs) + 1) * this.lengthMs;
  }

  count(now: number): void {
    this.turn(now);
    this.used += 1;
  }

  private turn(now: number): void {
    const window = Math.floor(now / this.lengthMs);
    if (window !== this.window) {
      this.window = window;
      this.used = 0;
    }
  }
}

/**
 * A window that always covers the most recent `lengthMs`. No period of that length has more
 * requests than the limit.
 */
class SlidingWindow implements RateWindow {
  private moments: number[] = [];
  private oldest = 0;

  constructor(
    private readonly lengthMs: number,
    private readonly limit: () => number,
  ) {}

  remaining(now: number): number {
    this.forget(now);
    return Math.max(0, this.limit() - (this.moments.length - this.oldest));
  }

  resetsAt(now: number): number {
    this.forget(now);
    const excess = this.moments.length - this.oldest - this.limit();
    const moment = this.moments[this.oldest + Math.max(0, excess)];
    return (moment ?? now) + this.lengthMs;
  }

  count(now: number): void {
    this.moments.push(now);
  }

  private forget(now: number): void {
    while ((this.moments[this.oldest] ?? Infinity) <= now - this.lengthMs) this.oldest += 1;
    if (this.oldest > 10_000) {
      this.moments = this.moments.slice(this.oldest);
      this.oldest = 0;
    }
  }
}
