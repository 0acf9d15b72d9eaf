/** How many requests are allowed, and how they are spread. */
export interface Allowance {
  /** Requests in any window. */
  readonly limit: number;
  /** Requests per window that are let through evenly, without bursts; undefined: bursts are fine. */
  readonly pace: number | undefined;
}

/** Part of a window's requests that may go in one burst. The rest is spread evenly. */
const BURST = 0.9;

/** Requests that go evenly and are late for so long, because the process is busy, still go. */
const CATCH_UP_MS = 250;

/**
 * Which requests of a key still count against its limit, and when the next may go. Pure: moments come
 * in as `performance.now()` counts them, so that no change of the clock matters.
 *
 * A request counts from its start until one window after its *response*. Whatever way the service
 * counts its minutes, it never sees more than the limit, and an idle key may still send its first
 * requests in one burst.
 *
 * The last tenth of a window is not part of the burst but lasts until requests cease to count. So a run
 * that comes late can soon send something, and after a window all goes evenly.
 */
export class SlidingWindow {
  /** Requests that have not ended. */
  private started = 0;
  /** When those that have ended cease to count, in order. */
  private readonly ends: number[] = [];
  /** When the last request was to go, which may be a little before it did. */
  private lastAt = -Infinity;
  /** Since when somebody waits; undefined while nobody does. */
  private awaitedSince: number | undefined;
  private isBurstOver = false;

  constructor(private readonly windowMs: number) {}

  get underWay(): number {
    return this.started;
  }

  /** Requests that count against the limit. */
  used(now: number): number {
    const counting = this.ends.findIndex((end) => end > now);
    this.ends.splice(0, counting === -1 ? this.ends.length : counting);
    return this.started + this.ends.length;
  }

  /** Says whether requests wait: bursts end only for as long as some do. */
  setAwaited(isAwaited: boolean, now: number): void {
    this.awaitedSince = isAwaited ? (this.awaitedSince ?? now) : undefined;
    if (!isAwaited) this.isBurstOver = false;
  }

  /** When the next request may go: `now` or earlier, at once; `Infinity`, when another has ended. */
  opensAt({ limit, pace }: Allowance, now: number): number {
    const used = this.used(now);
    if (used >= BURST * limit) this.isBurstOver = true;
    if (used >= limit) return this.ends[used - limit] ?? Infinity;
    // One millisecond more than the exact share keeps a fixed and a sliding window from refusing.
    let gapMs = pace === undefined ? 0 : Math.ceil(this.windowMs / pace) + 1;
    if (this.isBurstOver) {
      const untilNextEnds = Math.max(0, (this.ends[0] ?? 0) - this.lastAt);
      gapMs = Math.max(gapMs, this.windowMs / limit, untilNextEnds / (limit - used));
    }
    return Math.max(this.awaitedSince ?? now, this.lastAt + gapMs, now - CATCH_UP_MS);
  }

  /** Starts up to `most` requests, as many as may go now; each must be ended. */
  start(most: number, allowance: Allowance, now: number): number {
    for (let count = 0; count < most; count += 1) {
      const dueAt = this.opensAt(allowance, now);
      if (dueAt > now) return count;
      this.lastAt = dueAt;
      this.started += 1;
    }
    return most;
  }

  /** @param wasSent false when nothing went; what it took of the burst may go at once again. */
  end(wasSent: boolean, now: number): void {
    this.started -= 1;
    if (wasSent) {
      this.ends.push(now + this.windowMs);
      return;
    }
    this.isBurstOver = false;
    // What it waited for, such as Redis, is no lateness to catch up with.
    if (this.awaitedSince !== undefined) this.awaitedSince = now;
  }
}
