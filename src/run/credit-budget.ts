import { NotAttemptedError, ServiceError } from '../client/errors';
import type { CappedQuota } from '../client/limiter/credit-quota';

/**
 * Keeps a run below a number of credits, and its key below the caps of the credential. Credits are reserved before companies are asked for, as if
 * each of them were charged, and settled when the answer shows how many there were at most: what the
 * 30-day window makes free (API spec: Credits) is not visible to a client, so the guard may stop
 * early but never late.
 */
export class CreditBudget {
  private reserved = 0;
  private spent = 0;
  private lost = 0;
  /** Those who wait for a reservation to be settled. */
  private waiting: Array<() => void> = [];

  /**
   * @param ofRun credits the run may spend; undefined for no limit.
   * @param cap what all runs with the key may spend together.
   */
  constructor(
    private readonly ofRun?: number,
    private readonly cap?: CappedQuota,
  ) {}

  /** A guard that has spent nothing, with the lower one of two limits; 0 means none. */
  withLowerLimit(limit: number, cap?: CappedQuota): CreditBudget {
    return new CreditBudget(limit === 0 ? this.ofRun : Math.min(limit, this.ofRun ?? limit), cap);
  }

  /** Credits the run may spend in all, as far as is known now; undefined for no limit. */
  get limit(): number | undefined {
    const most = this.maxSpent + this.available;
    return most === Infinity ? undefined : most;
  }

  /** Credits neither spent nor reserved, by this run and by others that share a cap. */
  get available(): number {
    return Math.min(this.availableOfRun, this.cap?.left ?? Infinity);
  }

  /** Credits that the run's own limit leaves. */
  get availableOfRun(): number {
    return this.ofRun === undefined
      ? Infinity
      : Math.max(0, this.ofRun - this.spent - this.reserved);
  }

  /** Credits spent at most, those for what is under way included. */
  get maxSpent(): number {
    return this.spent + this.reserved;
  }

  /** Answers that were lost although they may have been charged. */
  get unconfirmed(): number {
    return this.lost;
  }

  /**
   * Sets credits aside: at once for this run, and for the key when all workers have agreed.
   *
   * @returns false when a cap of the key has fewer left; then nothing was set aside.
   */
  async reserve(credits: number): Promise<boolean> {
    this.reserved += credits;
    if (credits === 0 || this.cap === undefined) return true;
    if (await this.cap.reserve(credits)) return true;
    this.record(credits, 0);
    return false;
  }

  /** Turns a reservation into what was spent at most. */
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

  /** Settles the reservation of something that failed: an answer that was lost may have been charged. */
  settleFailed(reserved: number, error: unknown): void {
    const charged = isPossiblyCharged(error);
    if (charged && reserved > 0) this.lost += 1;
    this.settle(reserved, charged ? reserved : 0);
  }

  /** @throws {NotAttemptedError} when so many credits are not available. */
  check(credits: number): void {
    if (credits > this.available) throw this.limitError(credits);
  }

  /**
   * Sends something that costs credits, if the run may still spend them. While others are under way
   * that may turn out to cost less, it waits for them.
   *
   * @param atMost credits it can cost.
   * @param creditsOf what an answer cost at most.
   * @param held credits of `atMost` that are reserved already.
   * @throws {NotAttemptedError} when it was not sent.
   */
  async spendOn<T>(
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

  /**
   * Sets credits aside for several calls, so that none of them is sent unless all of them may be.
   *
   * @param atMost credits they can cost together.
   * @param work sends them, and settles with the guard that it is given.
   * @throws {NotAttemptedError} when nothing was sent.
   */
  async reserveForAll<T>(atMost: number, work: (held: CreditBudget) => Promise<T>): Promise<T> {
    await this.reserveWhenSettled(atMost);
    const held = new CreditBudget(atMost);
    try {
      return await work(held);
    } finally {
      this.lost += held.lost;
      this.settle(atMost, held.maxSpent);
    }
  }

  private async reserveWhenSettled(atMost: number, held = 0): Promise<void> {
    const more = atMost - held;
    do {
      while (more > this.available && this.reserved > held) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
      }
      this.check(more);
      // A refusal of the key has shown that less is available.
    } while (!(await this.reserve(more)));
  }

  /** Why so many credits were not spent; if left out, more than are available. */
  limitError(credits = this.available + 1): NotAttemptedError {
    const ofKey = this.availableOfRun < credits ? undefined : this.cap?.limitError(credits);
    if (ofKey !== undefined) return ofKey;
    const { ofRun } = this;
    return new NotAttemptedError({
      code: 'max_credits_reached',
      message: `Skipped because it could exceed this run's limit of ${String(ofRun)} ${ofRun === 1 ? 'credit' : 'credits'}`,
      hint: 'Nothing was sent or charged for this. Raise Max Credits (in the node, or per run in the credential), or run the remaining rows later.',
    });
  }
}

/** What was refused or never sent was not charged; when an answer was lost, it may have been. */
function isPossiblyCharged(error: unknown): boolean {
  return !(error instanceof ServiceError && error.hadNoEffect);
}
