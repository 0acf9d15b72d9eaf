import { NotAttemptedError, ServiceError } from '../client/errors';
import type { CappedQuota } from '../client/limiter/credit-quota';

const RUN_LIMIT = 'Max Credits (in the node, or per run in the credential)';

/**
 * Keeps a run below its credit limit, and its key below the caps of the credential. Credits are reserved
 * before a request, as if every company were charged, and settled when the response shows the maximum cost.
 * A client cannot see which companies the 30-day window makes free (API spec: Credits), so a run can stop
 * too early but never overspends.
 */
export class CreditBudget {
  private reserved = 0;
  private spent = 0;
  /** Failures of requests that may have been charged. Several companies can share one. */
  private readonly lost = new Set<unknown>();
  /** Wakes the calls that wait until a reservation is settled. */
  private waiting: Array<() => void> = [];

  /**
   * @param ofRun Credits that this run may spend; undefined for no limit.
   * @param cap Credits that all runs with the key may spend together.
   */
  constructor(
    private readonly ofRun?: number,
    private readonly cap?: CappedQuota,
  ) {}

  /** Returns an unspent budget with the lower of two limits; 0 means no limit. */
  withLowerLimit(limit: number, cap?: CappedQuota): CreditBudget {
    return new CreditBudget(limit === 0 ? this.ofRun : Math.min(limit, this.ofRun ?? limit), cap);
  }

  /** Total credits that the run may spend, as currently known; undefined for no limit. */
  get limit(): number | undefined {
    const most = this.maxSpent + this.available;
    return most === Infinity ? undefined : most;
  }

  /** Names of the fields that limit the credits, for messages. */
  get limitNames(): string {
    const ofRun = this.ofRun === undefined ? [] : [RUN_LIMIT];
    return [...ofRun, ...(this.cap?.names ?? [])].join(' and ');
  }

  /** Credits that neither this run nor others that share a cap have spent or reserved. */
  get available(): number {
    return Math.min(this.availableOfRun, this.cap?.left ?? Infinity);
  }

  /** Credits left of the run's own limit. */
  get availableOfRun(): number {
    return this.ofRun === undefined
      ? Infinity
      : Math.max(0, this.ofRun - this.spent - this.reserved);
  }

  /** Maximum credits spent, including reservations of requests in flight. */
  get maxSpent(): number {
    return this.spent + this.reserved;
  }

  /** Number of requests without a response that may have been charged. */
  get unconfirmed(): number {
    return this.lost.size;
  }

  /**
   * Reserves credits: immediately for this run, and for the key when all workers have agreed.
   *
   * @returns False if a cap of the key has fewer credits left; nothing is reserved then.
   */
  async reserve(credits: number): Promise<boolean> {
    this.reserved += credits;
    if (credits === 0 || this.cap === undefined) return true;
    if (await this.cap.reserve(credits)) return true;
    this.record(credits, 0);
    return false;
  }

  /** Replaces a reservation by the maximum that was spent. */
  settle(reserved: number, spent: number): void {
    this.cap?.settle(reserved, spent);
    this.record(reserved, spent);
  }

  private record(reserved: number, spent: number): void {
    this.reserved -= reserved;
    this.spent += spent;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Settles the reservation of a failed request. A request whose response was lost may have been charged. */
  settleFailed(reserved: number, error: unknown): void {
    const charged = isPossiblyCharged(error);
    if (charged && reserved > 0) this.lost.add(error);
    this.settle(reserved, charged ? reserved : 0);
  }

  /** @throws {NotAttemptedError} If fewer credits are available. */
  check(credits: number): void {
    if (credits > this.available) throw this.limitError(credits);
  }

  /**
   * Sends a request that costs credits, if the run may still spend them. It waits for requests in flight
   * that may cost less than reserved.
   *
   * @param atMost Maximum cost in credits.
   * @param creditsOf Returns the maximum cost of a response in credits.
   * @param held Credits of `atMost` that are already reserved.
   * @throws {NotAttemptedError} If the request was not sent.
   */
  async sendWithinBudget<T>(
    atMost: number,
    send: () => Promise<T>,
    creditsOf: (answer: T) => number,
    held = 0,
  ): Promise<T> {
    try {
      await this.reserveWhenSettled(atMost, held);
    } catch (error) {
      this.settle(held, 0);
      throw error;
    }
    try {
      const answer = await send();
      this.settle(atMost, creditsOf(answer));
      return answer;
    } catch (error) {
      this.settleFailed(atMost, error);
      throw error;
    }
  }

  private async reserveWhenSettled(atMost: number, held = 0): Promise<void> {
    const more = atMost - held;
    do {
      while (more > this.available && this.reserved > held) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      this.check(more);
      // The caps of the key refused the reservation, so fewer credits are available than assumed.
    } while (!(await this.reserve(more)));
  }

  /**
   * Returns why credits were not spent; without an argument, why one more than available would not be. If
   * both the run and its key are too low, it names the lower one.
   */
  limitError(credits = this.available + 1): NotAttemptedError {
    const isCapLower = this.available < this.availableOfRun;
    const ofKey = isCapLower ? this.cap?.limitError(credits) : undefined;
    if (ofKey !== undefined) return ofKey;
    const { ofRun } = this;
    return new NotAttemptedError({
      code: 'max_credits_reached',
      message: `Skipped because it could exceed this run's limit of ${String(ofRun)} ${ofRun === 1 ? 'credit' : 'credits'}`,
      hint: `Nothing was sent or charged for this. Raise ${RUN_LIMIT}, or run the remaining rows later.`,
    });
  }
}

/** Returns whether a failed request may have been charged: it was sent, and its response was lost. */
function isPossiblyCharged(error: unknown): boolean {
  return !(error instanceof ServiceError && error.hadNoEffect);
}
