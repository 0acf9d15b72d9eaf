const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/** Wall clock time at the origin of `performance.now()`. */
const CLOCK_ORIGIN_MS = Date.now() - performance.now();

/**
 * Returns Unix time in milliseconds that advances evenly from the start of this process. It never jumps,
 * even if the system clock is changed.
 */
export function monotonicNow(): number {
  return CLOCK_ORIGIN_MS + performance.now();
}

/**
 * Daily quota: counts the requests of the last 24 hours, in steps of a minute. The service does not say
 * when its day starts (API spec: Rate limits), and a rolling day respects the limit whenever it starts.
 */
export class DailyQuota {
  /** Requests per minute since the epoch, oldest first. */
  private minutes = new Map<number, number>();
  private total = 0;
  /** Requests not yet reported to other workers, by minute. */
  private unreported = new Map<number, number>();

  constructor(private readonly limit: () => number) {}

  /**
   * Returns the number of requests sent in the 24 hours before `now`.
   *
   * @param now Unix milliseconds from {@link monotonicNow}; the same applies to all methods below.
   */
  used(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES_PER_DAY;
    for (const [minute, count] of this.minutes) {
      // A minute that started a day ago still contains requests of the last 24 hours.
      if (minute >= oldest) break;
      this.minutes.delete(minute);
      this.unreported.delete(minute);
      this.total -= count;
    }
    return this.total;
  }

  record(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + 1);
    this.unreported.set(minute, (this.unreported.get(minute) ?? 0) + 1);
    this.total += 1;
  }

  /** Removes a request that was counted at that moment but was not sent after all. */
  refund(moment: number): void {
    const minute = Math.floor(moment / MINUTE_MS);
    const counted = this.minutes.get(minute);
    if (counted === undefined) return;
    this.minutes.set(minute, counted - 1);
    // The request may have been reported to other workers already; then -1 is reported.
    const unreported = (this.unreported.get(minute) ?? 0) - 1;
    if (unreported === 0) this.unreported.delete(minute);
    else this.unreported.set(minute, unreported);
    this.total -= 1;
  }

  /** Returns when the next request is within the limit, in Unix milliseconds; `now` if it already is. */
  opensAt(now: number): number {
    let excess = this.used(now) - this.limit() + 1;
    if (excess <= 0) return now;
    for (const [minute, count] of this.minutes) {
      excess -= count;
      if (excess <= 0) return (minute + MINUTES_PER_DAY + 1) * MINUTE_MS;
    }
    return now + MINUTES_PER_DAY * MINUTE_MS;
  }

  /** Returns the unreported requests by minute and marks them as reported. */
  takeUnreportedCounts(): ReadonlyMap<number, number> {
    const { unreported } = this;
    this.unreported = new Map();
    return unreported;
  }

  /**
   * Merges the counts of all workers, including this one. Counts that are known already are never lowered,
   * because Redis may have lost its data.
   */
  merge(sent: ReadonlyMap<number, number>): void {
    for (const [minute, count] of sent) {
      const all = count + (this.unreported.get(minute) ?? 0);
      this.minutes.set(minute, Math.max(all, this.minutes.get(minute) ?? 0));
    }
    this.minutes = new Map([...this.minutes].sort(([one], [other]) => one - other));
    this.total = [...this.minutes.values()].reduce((sum, count) => sum + count, 0);
  }
}
