import { randomUUID } from 'node:crypto';

import { NotAttemptedError } from '../errors';
import type { CreditCaps } from '../settings';
import type { RedisScheduler } from './redis-scheduler';
import type { DistributedLimiter } from './distributed-limiter';

const DAY_MS = 24 * 60 * 60_000;

/** The longer period last. Its name is the beginning of a UTC time: `2026-11-26`, `2026-11`. */
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

/** Credits of one day or month. */
interface PeriodCount {
  /** By this process. */
  spent: number;
  /** By all other workers, reservations included, as Redis said last. */
  others: number;
  /** What Redis was told last of this process: spent and reserved. */
  reported: number;
}

/**
 * Credits that a key has spent at most in this UTC day and month: by this process, and with Redis by
 * all workers. Reservations that are not settled count in each period, so that a request under way at
 * midnight counts on both days until its answer shows the cost.
 */
export class CreditQuota {
  /** Names this budget to other workers. */
  private readonly id = randomUUID();
  private reserved = 0;
  private readonly counts = new Map<string, PeriodCount>();
  /** Settles when Redis has answered the last reservation: a refused one must not count for the next. */
  private queue: Promise<unknown> = Promise.resolve();

  /** @param shared Redis, when the credential names one. */
  constructor(private readonly shared: () => DistributedLimiter | undefined) {}

  /** The budget as a credential with these caps may use it. */
  withCaps(caps: CreditCaps): CappedQuota {
    return new CappedQuota(this, caps);
  }

  /** True when nothing would be lost with it. */
  get isIdle(): boolean {
    return this.reserved === 0 && this.periods().every(({ count }) => count.spent === 0);
  }

  /** True while Redis cannot be used and each worker keeps to its share. */
  get isAlone(): boolean {
    return (this.shared()?.share ?? 1) < 1;
  }

  /** The caps of now, and the credits that are left of each. */
  left(caps: CreditCaps) {
    const share = this.shared()?.share ?? 1;
    return this.periods().map(({ count, ...period }) => {
      const limit = caps[period.field] ?? 0;
      const { others, reported: told } = count;
      const untold = count.spent + this.reserved - told;
      const left = Math.max(0, Math.floor((limit - others - told) * share) - untold);
      return { ...period, limit, left: limit === 0 ? Infinity : left };
    });
  }

  /**
   * Sets credits aside, unless a cap has fewer left.
   *
   * @returns false when nothing was set aside.
   */
  async reserve(credits: number, caps: CreditCaps): Promise<boolean> {
    const shared = isCapped(caps) ? this.shared() : undefined;
    if (shared === undefined) return this.reserveHere(credits, caps);
    const reserving = this.queue.then(async () => {
      this.reserved += credits;
      const granted = await shared.useRedis(
        async (redis) => await this.exchange(redis, credits, caps),
      );
      if (granted === true) return true;
      this.reserved -= credits;
      if (granted === undefined) return this.reserveHere(credits, caps);
      // Redis may have been told of it with something that was settled meanwhile.
      void this.refresh();
      return false;
    });
    this.queue = reserving;
    return await reserving;
  }

  /** Turns a reservation into what was spent at most; other workers hear of it if there are caps. */
  settle(reserved: number, spent: number, caps: CreditCaps): void {
    this.reserved -= reserved;
    for (const { count } of this.periods()) count.spent += spent;
    if (isCapped(caps) && reserved !== spent) void this.refresh();
  }

  /** Exchanges with Redis what all workers have spent, if Redis can be used. Never rejects. */
  async refresh(): Promise<void> {
    await this.shared()?.useRedis(async (redis) => await this.exchange(redis));
  }

  /** The same with a connection; reserves credits that `this.reserved` holds already. */
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

  private reserveHere(credits: number, caps: CreditCaps): boolean {
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
      return { ...period, name, count, opensAt: new Date(period.next(now)).toISOString() };
    });
  }
}

/** What the caps of one credential leave of a key's budget. */
export class CappedQuota {
  constructor(
    private readonly budget: CreditQuota,
    private readonly caps: CreditCaps,
  ) {}

  /** Credits that may be reserved now, as far as is known here; Infinity without caps. */
  get left(): number {
    return isCapped(this.caps)
      ? Math.min(...this.budget.left(this.caps).map(({ left }) => left))
      : Infinity;
  }

  /** See {@link CreditQuota.reserve}. */
  async reserve(credits: number): Promise<boolean> {
    return await this.budget.reserve(credits, this.caps);
  }

  /** See {@link CreditQuota.settle}. */
  settle(reserved: number, spent: number): void {
    this.budget.settle(reserved, spent, this.caps);
  }

  /** Learns what other workers have spent; nothing is asked without caps. */
  async refresh(): Promise<void> {
    if (isCapped(this.caps)) await this.budget.refresh();
  }

  /** Why so many credits cannot be reserved; of two caps the one that opens later. */
  limitError(credits: number): NotAttemptedError | undefined {
    const cap = this.budget.left(this.caps).findLast(({ left }) => left < credits);
    if (cap === undefined) return undefined;
    const { title, limit, left, opensAt } = cap;
    const share = this.budget.isAlone
      ? ' While Redis cannot be used, each worker may spend only its share of what was left.'
      : '';
    return new NotAttemptedError({
      code: 'max_credits_reached',
      message: `Skipped because ${title} in the credential leaves ${String(left)} of ${String(limit)} credits until ${opensAt}`,
      hint: `This was not sent and cost nothing. Run it after that time, or raise ${title} in the credential.${share}`,
      details: { resets_at: opensAt },
    });
  }
}

function isCapped({ maxCreditsPerDay = 0, maxCreditsPerMonth = 0 }: CreditCaps): boolean {
  return maxCreditsPerDay > 0 || maxCreditsPerMonth > 0;
}
