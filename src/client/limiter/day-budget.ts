const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/**
 * Counts the requests of the last 24 hours, in steps of a minute. The service does not say when its
 * day begins (interface: Rate limits), and a rolling day keeps to the limit whenever that is.
 */
export class DayBudget {
  /** Requests per minute since the epoch, oldest first. */
  private readonly minutes = new Map<number, number>();
  private total = 0;

  constructor(private readonly limit: () => number) {}

  /** Requests sent in the 24 hours before `now` (Unix milliseconds). */
  used(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES_PER_DAY;
    for (const [minute, count] of this.minutes) {
      // A minute that began a day ago still holds requests of the last 24 hours.
      if (minute >= oldest) break;
      this.minutes.delete(minute);
      this.total -= count;
    }
    return this.total;
  }

  count(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + 1);
    this.total += 1;
  }

  /** When the next request is within the limit (Unix milliseconds); `now` when it is already. */
  opensAt(now: number): number {
    let excess = this.used(now) - this.limit() + 1;
    if (excess <= 0) return now;
    for (const [minute, count] of this.minutes) {
      excess -= count;
      if (excess <= 0) return (minute + MINUTES_PER_DAY + 1) * MINUTE_MS;
    }
    return now + MINUTES_PER_DAY * MINUTE_MS;
  }
}
