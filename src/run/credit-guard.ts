import { NotAttemptedError, ServiceError } from '../client/errors';

/**
 * Keeps a run below a number of credits. Credits are reserved before companies are asked for, as if
 * each of them were charged, and settled when the answer shows how many there were at most: what the
 * 30-day window makes free (interface: Credits) is not visible to a client, so the guard may stop
 * early but never late.
 */
export class CreditGuard {
  private reserved = 0;
  private spent = 0;
  private lost = 0;
  /** Those who wait for a reservation to be settled. */
  private waiting: Array<() => void> = [];

  /** @param limit credits the run may spend; undefined for no limit. */
  constructor(readonly limit?: number) {}

  /** A guard that has spent nothing, with the lower one of two limits; 0 means none. */
  lowered(limit: number): CreditGuard {
    return new CreditGuard(limit === 0 ? this.limit : Math.min(limit, this.limit ?? limit));
  }

  /** Credits neither spent nor reserved. */
  get available(): number {
    return this.limit === undefined
      ? Infinity
      : Math.max(0, this.limit - this.spent - this.reserved);
  }

  /** Credits spent at most, those for what is under way included. */
  get atMost(): number {
    return this.spent + this.reserved;
  }

  /** Answers that were lost although they may have been charged. */
  get unanswered(): number {
    return this.lost;
  }

  reserve(credits: number): void {
    this.reserved += credits;
  }

  /** Turns a reservation into what was spent at most. */
  settle(reserved: number, spent: number): void {
    this.reserved -= reserved;
    this.spent += spent;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  /** Settles the reservation of something that failed: an answer that was lost may have been charged. */
  fail(reserved: number, error: unknown): void {
    const charged = mayHaveBeenCharged(error);
    if (charged && reserved > 0) this.lost += 1;
    this.settle(reserved, charged ? reserved : 0);
  }

  /** @throws {NotAttemptedError} when so many credits are not available. */
  check(credits: number): void {
    if (credits > this.available) throw this.reached();
  }

  /**
   * Sends something that costs credits, if the run may still spend them. While others are under way
   * that may turn out to cost less, it waits for them.
   *
   * @param atMost credits it can cost.
   * @param creditsOf what an answer cost at most.
   * @throws {NotAttemptedError} when it was not sent.
   */
  async spend<T>(
    atMost: number,
    send: () => Promise<T>,
    creditsOf: (answer: T) => number,
  ): Promise<T> {
    await this.reserveWhenSettled(atMost);
    try {
      const answer = await send();
      this.settle(atMost, creditsOf(answer));
      return answer;
    } catch (error) {
      this.fail(atMost, error);
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
  async hold<T>(atMost: number, work: (held: CreditGuard) => Promise<T>): Promise<T> {
    await this.reserveWhenSettled(atMost);
    const held = new CreditGuard(atMost);
    try {
      return await work(held);
    } finally {
      this.lost += held.lost;
      this.settle(atMost, held.atMost);
    }
  }

  private async reserveWhenSettled(atMost: number): Promise<void> {
    while (atMost > this.available && this.reserved > 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.check(atMost);
    this.reserve(atMost);
  }

  /** Why something was not sent. */
  reached(): NotAttemptedError {
    return new NotAttemptedError({
      code: 'max_credits_reached',
      message: `Not attempted, because this run may spend ${String(this.limit)} ${this.limit === 1 ? 'credit' : 'credits'} at most`,
      hint: 'This was not sent and cost nothing. Raise Max Credits (of the node, or per run in the credential), or run the remaining rows later.',
    });
  }
}

/** What was refused or never sent was not charged; when an answer was lost, it may have been. */
function mayHaveBeenCharged(error: unknown): boolean {
  return !(error instanceof ServiceError && error.surelyNotDone);
}
