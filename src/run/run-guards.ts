import { InvalidResponseError, NotAttemptedError, ServiceError } from '../client/errors';

/** Conditions for everything that one node execution sends. */
export interface RunGuards {
  /** Fires when the execution is stopped or times out. */
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditBudget;
  readonly breaker: CircuitBreaker;
  /** Receives warnings for the user; the run continues. */
  readonly warn: (message: string) => void;
}

/**
 * Circuit breaker of a run or a part of it. Breakers nest: opening the run's breaker stops all its lists;
 * a list's breaker stops only that list.
 */
export class CircuitBreaker {
  private reason: NotAttemptedError | undefined;
  private failuresInARow = 0;
  private oversizeResponses = 0;

  /**
   * @param stopsAtFirstFailure True if one failure makes the whole run worthless, as with On Error: Stop.
   * @param around Breaker of the run that this one is a part of.
   */
  constructor(
    private readonly stopsAtFirstFailure = false,
    private readonly around?: CircuitBreaker,
  ) {}

  /** Error for requests that are no longer sent; undefined while the breaker is closed. */
  get tripError(): NotAttemptedError | undefined {
    return this.reason ?? this.around?.tripError;
  }

  /** Throws {@link tripError} if it is set. Call it immediately before each attempt. */
  readonly assertClosed = (): void => {
    const { tripError } = this;
    if (tripError !== undefined) throw tripError;
  };

  /** Opens the breaker, so that nothing more is sent. The first cause is the one reported. */
  trip(cause: unknown): void {
    this.reason ??= createNotAttemptedError(cause);
  }

  /** Records a failed request and ends the run if all other requests would fail in the same way. */
  recordFailure(error: unknown): void {
    if (!(error instanceof ServiceError)) return;
    const { failuresToTrip, status } = error;
    if (failuresToTrip === undefined) {
      // Only this request was rejected, so the service is reachable and accepts the key.
      if (status !== undefined) this.recordSuccess();
      return;
    }
    // What succeeds in between does not free the memory that an oversize response took.
    const failures =
      error instanceof InvalidResponseError
        ? (this.oversizeResponses += 1)
        : (this.failuresInARow += 1);
    if (failures >= failuresToTrip) this.trip(error);
    this.around?.recordFailure(error);
  }

  /** Records a successful request. */
  recordSuccess(): void {
    this.failuresInARow = 0;
    this.around?.recordSuccess();
  }

  /** Records that an item, or a batch of items, has finally failed. */
  recordItemFailure(error: unknown): void {
    if (error instanceof SkippedError) return;
    const isCertain = error instanceof ServiceError && error.endsRun;
    if (this.stopsAtFirstFailure || isCertain) this.trip(error);
    this.around?.recordItemFailure(error);
  }
}

/** Creates the error for requests that are not sent after `cause`. */
function createNotAttemptedError(cause: unknown): NotAttemptedError {
  if (cause instanceof NotAttemptedError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NotAttemptedError({
    code: 'not_attempted',
    message: `Not sent because an earlier request failed: ${reason}`,
    hint: 'Nothing was sent or charged for this row. Fix the cause, then run it again.',
    ...(cause instanceof ServiceError ? { details: { cause: cause.code } } : {}),
  });
}

/** The `reason` of rows with the status `skipped`. */
export const SKIPPED_REASON = 'max_credits';

/**
 * Says that Max Credits does not cover an item. Such an item is no failure: it becomes a row with the status
 * `skipped`, whatever On Error says.
 */
export class SkippedError extends NotAttemptedError {}

/** Names of the fields that limit the credits of a run, for messages. */
export const MAX_CREDITS_LABEL = 'Max Credits (in the node, or per run in the credential)';

/**
 * Keeps a run below its credit limit. Credits are reserved before a request, as if every company were
 * charged, and settled when the response shows the maximum cost. A client cannot see which companies the
 * 30-day window makes free (API spec: Credits), so a run can stop too early but never overspends.
 */
export class CreditBudget {
  private reserved = 0;
  private spent = 0;
  /** Failures of requests that may have been charged. Several companies can share one. */
  private readonly lost = new Set<unknown>();
  /** Wakes the calls that wait until a reservation is settled. */
  private waiting: Array<() => void> = [];

  /** @param limit Credits that the run may spend; undefined for no limit. */
  constructor(
    readonly limit?: number,
    private readonly setIn: 'node' | 'credential' = 'node',
  ) {}

  /** Credits that are neither spent nor reserved. */
  get available(): number {
    return this.limit === undefined ? Infinity : Math.max(0, this.limit - this.maxSpent);
  }

  /** Maximum credits spent, including reservations of requests in flight. */
  get maxSpent(): number {
    return this.spent + this.reserved;
  }

  /** Number of requests without a response that may have been charged. */
  get unconfirmed(): number {
    return this.lost.size;
  }

  /** Reserves credits, whether they are available or not. */
  reserve(credits: number): void {
    this.reserved += credits;
  }

  /** Replaces a reservation by the maximum that was spent. */
  settle(reserved: number, spent: number): void {
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

  /** @throws {SkippedError} If fewer credits are available. */
  check(credits: number): void {
    if (credits > this.available) throw this.limitError(credits);
  }

  /**
   * Sends a request that costs credits, if the run may still spend them. It waits for requests in flight
   * that may cost less than reserved.
   *
   * @param atMost Maximum cost in credits.
   * @param creditsOf Returns the maximum cost of a response in credits.
   * @throws {SkippedError} If the credits do not cover the request.
   */
  async sendWithinBudget<T>(
    atMost: number,
    send: () => Promise<T>,
    creditsOf: (response: T) => number,
  ): Promise<T> {
    await this.waitFor(atMost);
    this.check(atMost);
    this.reserve(atMost);
    return await this.sendReserved(atMost, send, creditsOf);
  }

  /** Sends a request whose credits are reserved, and settles them. */
  async sendReserved<T>(
    reserved: number,
    send: () => Promise<T>,
    creditsOf: (response: T) => number,
  ): Promise<T> {
    try {
      const response = await send();
      this.settle(reserved, creditsOf(response));
      return response;
    } catch (error) {
      this.settleFailed(reserved, error);
      throw error;
    }
  }

  /**
   * Reserves as many credits as are available, up to `most`. If there are none, it waits for requests in
   * flight that may cost less than reserved.
   *
   * @returns The number of reserved credits; 0 if none are left.
   */
  async reserveUpTo(most: number): Promise<number> {
    await this.waitFor(1);
    const credits = Math.min(most, this.available);
    this.reserve(credits);
    return credits;
  }

  /** Waits until so many credits are available, or no reservation is left that may free some. */
  private async waitFor(credits: number): Promise<void> {
    while (credits > this.available && this.reserved > 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** @param needed Credits that the item can cost. */
  limitError(needed = 1): SkippedError {
    const { limit = 0, setIn } = this;
    const name = setIn === 'node' ? 'Max Credits' : 'Max Credits per Run';
    const place = setIn === 'node' ? 'this node' : 'the credential';
    const cost = needed > limit ? `. This item can cost up to ${String(needed)} credits` : '';
    return new SkippedError({
      code: SKIPPED_REASON,
      message: `Not looked up: ${name} (${String(limit)}) of ${place} was reached${cost}`,
      hint: `Nothing was charged for this. Raise ${name}, or run again later.`,
    });
  }
}

/** Returns whether a failed request may have been charged: it was sent, and its response was lost. */
function isPossiblyCharged(error: unknown): boolean {
  return !(error instanceof ServiceError && error.hadNoEffect);
}
