const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/** The clock when this process began to count. */
const BEGAN_AT = Date.now() - performance.now();

/**
 * Unix time in milliseconds as it was when this process began, and has gone on evenly since: whoever
 * sets the clock, it never jumps.
 */
export function steadyNow(): number {
  return BEGAN_AT + performance.now();
}

/**
 * Counts the requests of the last 24 hours, in steps of a minute. The service does not say when its
 * day begins (interface: Rate limits), and a rolling day keeps to the limit whenever that is.
 */
export class DayBudget {
  /** Requests per minute since the epoch, oldest first. */
  private minutes = new Map<number, number>();
  private total = 0;
  /** Requests that other workers have not been told of, by minute. */
  private news = new Map<number, number>();

  constructor(private readonly limit: () => number) {}

  /**
   * Requests sent in the 24 hours before `now`.
   *
   * @param now Unix milliseconds that never jump, as {@link steadyNow} gives them; here and below.
   */
  used(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES_PER_DAY;
    for (const [minute, count] of this.minutes) {
      // A minute that began a day ago still holds requests of the last 24 hours.
      if (minute >= oldest) break;
      this.minutes.delete(minute);
      this.news.delete(minute);
      this.total -= count;
    }
    return this.total;
  }

  count(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + 1);
    this.news.set(minute, (this.news.get(minute) ?? 0) + 1);
    this.total += 1;
  }

  /** What was counted at that moment was not sent after all. */
  takeBack(moment: number): void {
    const minute = Math.floor(moment / MINUTE_MS);
    const counted = this.minutes.get(minute);
    if (counted === undefined) return;
    this.minutes.set(minute, counted - 1);
    // Others may have been told of it already; then they are told of one less.
    const news = (this.news.get(minute) ?? 0) - 1;
    if (news === 0) this.news.delete(minute);
    else this.news.set(minute, news);
    this.total -= 1;
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

  /** True when there is something to tell other workers. */
  get hasNews(): boolean {
    return this.news.size > 0;
  }

  /** Requests by minute that other workers do not know of yet; from now on they are told. */
  tell(): ReadonlyMap<number, number> {
    const { news } = this;
    this.news = new Map();
    return news;
  }

  /**
   * Takes over what all workers together have sent, this one included. What is known already is
   * never forgotten for it: Redis may have lost its data.
   */
  learn(sent: ReadonlyMap<number, number>): void {
    for (const [minute, count] of sent) {
      const all = count + (this.news.get(minute) ?? 0);
      this.minutes.set(minute, Math.max(all, this.minutes.get(minute) ?? 0));
    }
    this.minutes = new Map([...this.minutes].sort(([one], [other]) => one - other));
    this.total = [...this.minutes.values()].reduce((sum, count) => sum + count, 0);
  }
}
