/** Number of allowed requests, and how they are spread. */
export interface WindowLimit {
  /** Maximum requests in any window. */
  readonly limit: number;
  /** Requests per window that are paced evenly, without bursts; undefined if bursts are allowed. */
  readonly pace: number | undefined;
}

/** Fraction of a window's requests that can go in one burst. The rest is spread evenly. */
const BURST = 0.9;

/** Maximum delay that evenly paced requests catch up with after the process was busy. */
const MAX_CATCH_UP_MS = 250;

/**
 * Sliding window: tracks which requests of a key still count against its limit, and when the next one can
 * go. Pure: times are arguments on the clock of `performance.now()`, so that changes of the system clock
 * have no effect.
 *
 * A request counts from its start until one window after its *response*. However the service counts its
 * minutes, it never receives more than the limit, and an idle key can still send its first requests in
 * one burst.
 *
 * The last tenth of a window is not part of the burst but is spread until earlier requests stop counting.
 * So a run that starts late can soon send something, and after one window all requests are paced evenly.
 */
export class SlidingWindow {
  /** Number of requests that have not ended. */
  private started = 0;
  /** Times at which ended requests stop counting, in order. */
  private readonly ends: number[] = [];
  /** Scheduled time of the last request, which can be slightly before it was sent. */
  private lastAt = -Infinity;
  /** Time since which requests are waiting; undefined if none are. */
  private awaitedSince: number | undefined;
  private isBurstOver = false;

  constructor(private readonly windowMs: number) {}

  get inFlight(): number {
    return this.started;
  }

  /** Returns the number of requests that count against the limit. */
  used(now: number): number {
    const counting = this.ends.findIndex((end) => end > now);
    this.ends.splice(0, counting === -1 ? this.ends.length : counting);
    return this.started + this.ends.length;
  }

  /** Records whether requests are waiting, because the end of a burst lasts only while some are. */
  recordWaiting(isAwaited: boolean, now: number): void {
    this.awaitedSince = isAwaited ? (this.awaitedSince ?? now) : undefined;
    if (!isAwaited) this.isBurstOver = false;
  }

  /** Returns when the next request can go: `now` or earlier means immediately, `Infinity` means after another has ended. */
  opensAt({ limit, pace }: WindowLimit, now: number): number {
    const used = this.used(now);
    if (used >= BURST * limit) this.isBurstOver = true;
    if (used >= limit) return this.ends[used - limit] ?? Infinity;
    // 1 ms more than the exact share prevents a 429 from both fixed and sliding windows.
    let gapMs = pace === undefined ? 0 : Math.ceil(this.windowMs / pace) + 1;
    if (this.isBurstOver) {
      const untilNextEnds = Math.max(0, (this.ends[0] ?? 0) - this.lastAt);
      gapMs = Math.max(gapMs, this.windowMs / limit, untilNextEnds / (limit - used));
    }
    return Math.max(this.awaitedSince ?? now, this.lastAt + gapMs, now - MAX_CATCH_UP_MS);
  }

  /** Starts up to `most` requests, as many as can go now, and returns their number; each must be ended. */
  start(most: number, allowance: WindowLimit, now: number): number {
    for (let count = 0; count < most; count += 1) {
      const dueAt = this.opensAt(allowance, now);
      if (dueAt > now) return count;
      this.lastAt = dueAt;
      this.started += 1;
    }
    return most;
  }

  /** @param wasSent False if nothing was sent; then the burst gets the permit back immediately. */
  end(wasSent: boolean, now: number): void {
    this.started -= 1;
    if (wasSent) {
      this.ends.push(now + this.windowMs);
      return;
    }
    this.isBurstOver = false;
    // Time spent waiting for something else, such as Redis, is not a delay to catch up with.
    if (this.awaitedSince !== undefined) this.awaitedSince = now;
  }
}
