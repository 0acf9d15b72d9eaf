import { randomUUID } from 'node:crypto';

import { NotAttemptedError } from '../errors';
import { formatMoment } from '../format-moment';
import type { CreditCaps } from '../settings';
import type { RedisScheduler } from './redis-scheduler';
import type { DistributedLimiter } from './distributed-limiter';

const DAY_MS = 24 * 60 * 60_000;

/** Periods with a cap, the longest last. A period is named by the start of a UTC time: `2026-11-26`, `2026-11`. */
const PERIODS = [
  {
    field: 'maxCreditsPerDay',
    title: 'Max Credits per Day',
    nameLength: 10,
    keptMs: 2 * DAY_MS,
    next: (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1),
  },
  {
    field: 'maxCreditsPerMonth',
    title: 'Max Credits per Month',
    nameLength: 7,
    keptMs: 32 * DAY_MS,
    next: (now: Date) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1),
  },
] as const;

/** Credits spent in one day or month. */
interface PeriodCount {
  /** Spent by this process. */
  spent: number;
  /** Spent and reserved by all other workers, as last reported by Redis. */
  others: number;
  /** Spent and reserved by this process, as last reported to Redis. */
  reported: number;
}

/**
 * Maximum credits that a key has spent in this UTC day and month: by this process or, with Redis, by all
 * workers. Reservations count in every period until they are settled, so a request in flight at midnight
 * counts on both days until its response shows the cost.
 */
export class CreditQuota {
  /** Identifies this worker to the others. */
  private readonly id = randomUUID();
  private reserved = 0;
  private readonly counts = new Map<string, PeriodCount>();
  /**
   * Settles when Redis has replied to the last reservation, because a rejected one must not count for the
   * next.
   */
  private queue: Promise<unknown> = Promise.resolve();

  /** @param shared Returns the connection to Redis; undefined if the credential names none. */
  constructor(private readonly shared: () => DistributedLimiter | undefined) {}

  /**
   * Returns the quota as limited by the caps of a credential.
   *
   * @param timeZone The time zone in which messages say when a cap resets.
   */
  withCaps(caps: CreditCaps, timeZone?: string): CappedQuota {
    return new CappedQuota(this, caps, timeZone);
  }

  /** True if nothing is spent or reserved, so that the quota can be forgotten. */
  get isIdle(): boolean {
    return this.reserved === 0 && this.periods().every(({ count }) => count.spent === 0);
  }

  /** True while Redis cannot be used and each worker may spend only its share. */
  get isWithoutRedis(): boolean {
    return (this.shared()?.share ?? 1) < 1;
  }

  /** Returns the caps of the current periods with the credits left of each. */
  left(caps: CreditCaps) {
    const share = this.shared()?.share ?? 1;
    return this.periods().map(({ count, ...period }) => {
      const limit = caps[period.field] ?? 0;
      const { others, reported } = count;
      const unreported = count.spent + this.reserved - reported;
      const remaining = Math.max(0, Math.floor((limit - others - reported) * share) - unreported);
      return { ...period, limit, left: limit === 0 ? Infinity : remaining };
    });
  }

  /**
   * Reserves credits unless a cap has fewer left.
   *
   * @returns False if nothing was reserved.
   */
  async reserve(credits: number, caps: CreditCaps): Promise<boolean> {
    const shared = isCapped(caps) ? this.shared() : undefined;
    if (shared === undefined) return this.reserveLocally(credits, caps);
    const reserving = this.queue.then(async () => {
      this.reserved += credits;
      const granted = await shared.useRedis(
        async (redis) => await this.exchange(redis, credits, caps),
      );
      if (granted === true) return true;
      this.reserved -= credits;
      if (granted === undefined) return this.reserveLocally(credits, caps);
      // A settlement may have reported this reservation to Redis in the meantime.
      void this.refresh();
      return false;
    });
    this.queue = reserving;
    return await reserving;
  }

  /** Replaces a reservation by the maximum that was spent, and reports it to other workers if there are caps. */
  settle(reserved: number, spent: number, caps: CreditCaps): void {
    this.reserved -= reserved;
    for (const { count } of this.periods()) count.spent += spent;
    if (isCapped(caps) && reserved !== spent) void this.refresh();
  }

  /** Reports this worker's spending to Redis and reads that of the others, if Redis can be used. Never rejects. */
  async refresh(): Promise<void> {
    await this.shared()?.useRedis(async (redis) => await this.exchange(redis));
  }

  /** Does the same with a connection, and reserves credits that `this.reserved` already contains. */
  async exchange(redis: RedisScheduler, credits = 0, caps: CreditCaps = {}): Promise<boolean> {
    const periods = this.periods();
    const own = periods.map(({ count }) => count.spent + this.reserved - credits);
    const { granted, others } = await redis.reserveCredits(
      this.id,
      credits,
      periods.map(({ name, field, keptMs }, index) => {
        return { name, keptMs, own: own[index] ?? 0, limit: caps[field] ?? 0 };
      }),
    );
    periods.forEach(({ count }, index) => {
      count.others = others[index] ?? 0;
      count.reported = (own[index] ?? 0) + (granted ? credits : 0);
    });
    return granted;
  }

  private reserveLocally(credits: number, caps: CreditCaps): boolean {
    if (this.left(caps).some(({ left }) => credits > left)) return false;
    this.reserved += credits;
    return true;
  }

  private periods() {
    const now = new Date();
    return PERIODS.map((period) => {
      const name = now.toISOString().slice(0, period.nameLength);
      const count = this.counts.get(name) ?? { spent: 0, others: 0, reported: 0 };
      this.counts.set(name, count);
      return { ...period, name, count, resetsAt: period.next(now) };
    });
  }
}

/** A key's quota as limited by the caps of one credential. */
export class CappedQuota {
  constructor(
    private readonly quota: CreditQuota,
    private readonly caps: CreditCaps,
    private readonly timeZone?: string,
  ) {}

  /** Names of the fields that limit the credits. */
  get names(): string[] {
    return PERIODS.filter(({ field }) => (this.caps[field] ?? 0) > 0).map(
      ({ title }) => `${title} in the credential`,
    );
  }

  /** Credits that can be reserved now, as known to this process; Infinity without caps. */
  get left(): number {
    return isCapped(this.caps)
      ? Math.min(...this.quota.left(this.caps).map(({ left }) => left))
      : Infinity;
  }

  /** See {@link CreditQuota.reserve}. */
  async reserve(credits: number): Promise<boolean> {
    return await this.quota.reserve(credits, this.caps);
  }

  /** See {@link CreditQuota.settle}. */
  settle(reserved: number, spent: number): void {
    this.quota.settle(reserved, spent, this.caps);
  }

  /** Reads what other workers have spent. Does nothing without caps. */
  async refresh(): Promise<void> {
    if (isCapped(this.caps)) await this.quota.refresh();
  }

  /** Returns why credits cannot be reserved. If both caps are reached, it names the one that resets later. */
  limitError(credits: number): NotAttemptedError | undefined {
    const cap = this.quota.left(this.caps).findLast(({ left }) => left < credits);
    if (cap === undefined) return undefined;
    const { title, limit, left, resetsAt } = cap;
    const share = this.quota.isWithoutRedis
      ? ' While Redis cannot be used, each worker may spend only its share of what was left.'
      : '';
    return new NotAttemptedError({
      code: 'max_credits_reached',
      message: `Skipped because ${title} in the credential leaves ${String(left)} of ${String(limit)} credits and resets ${formatMoment(resetsAt, this.timeZone)}`,
      hint: `Nothing was sent or charged for this. Run again after that time, or raise ${title} in the credential.${share}`,
      details: { resets_at: new Date(resetsAt).toISOString() },
    });
  }
}

function isCapped(caps: CreditCaps): boolean {
  return PERIODS.some(({ field }) => (caps[field] ?? 0) > 0);
}
