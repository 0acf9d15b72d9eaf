import { InvalidResponseError, NotAttemptedError, ServiceError } from '../client/errors';
import { formatCount } from '../values/text';

export interface RunGuards {
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

  get tripError(): NotAttemptedError | undefined {
    return this.reason ?? this.around?.tripError;
  }

  readonly assertClosed = (): void => {
    const { tripError } = this;
    if (tripError !== undefined) throw tripError;
  };

  trip(cause: unknown): void {
    this.reason ??= createNotAttemptedError(cause);
  }

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

export const MAX_CREDITS_LABEL = 'Max Credits (in the node, or per run in the credential)';

export interface RunCost {
  /** Maximum credits spent, counted as if nothing were free. */
  readonly creditsAtMost: number;
  /** Requests that may have been charged although no response arrived. */
  readonly unconfirmed: number;
  /** Whether one of these may have cost more than was counted for it. */
  readonly isLowerBound: boolean;
}

interface WaitingCall {
  readonly most: number;
  readonly least: number;
  /** Gets the reserved credits; 0 if the run can no longer spend `least`. */
  readonly resolve: (credits: number) => void;
}

/**
 * Keeps a run below its credit limit. Credits are reserved before a request, as if every company were
 * charged, and settled when the response shows the maximum cost. A client cannot see which companies the
 * 30-day window makes free (API spec: Credits), so a run can stop too early but never overspends.
 */
export class CreditBudget {
  private reserved = 0;
  private spent = 0;
  /** Whether a response was lost whose price only that response would have shown. */
  private isLowerBound = false;
  /** Failures of requests that may have been charged. Several companies can share one. */
  private readonly lost = new Set<unknown>();
  /** In the order in which they came; none overtakes another. */
  private readonly waiting: WaitingCall[] = [];

  constructor(
    readonly limit?: number,
    private readonly setIn: 'node' | 'credential' = 'node',
  ) {}

  get available(): number {
    return Math.max(0, this.unspent - this.reserved);
  }

  private get unspent(): number {
    return Math.max(0, (this.limit ?? Infinity) - this.spent);
  }

  get maxSpent(): number {
    return this.spent + this.reserved;
  }

  get cost(): RunCost {
    const { maxSpent: creditsAtMost, lost, isLowerBound } = this;
    return { creditsAtMost, unconfirmed: lost.size, isLowerBound };
  }

  reserve(credits: number): void {
    this.reserved += credits;
  }

  settle(reserved: number, spent: number): void {
    this.reserved -= reserved;
    this.spent += spent;
    this.serveWaiting();
  }

  /** @param hasOpenPrice Whether the request may have cost more than the reservation. */
  settleFailed(reserved: number, error: unknown, hasOpenPrice = false): void {
    const charged = !(error instanceof ServiceError && error.hadNoEffect);
    if (charged && reserved > 0) {
      this.lost.add(error);
      this.isLowerBound ||= hasOpenPrice;
    }
    this.settle(reserved, charged ? reserved : 0);
  }

  /**
   * Sends a request that costs credits, if the run may still spend them. It waits for requests in flight
   * that may cost less than reserved.
   *
   * @param more What the request does with the item, for the error; whether it can cost more than `atMost`.
   * @throws {SkippedError} If the credits do not cover the request.
   */
  async sendWithinBudget<T>(
    atMost: number,
    send: () => Promise<T>,
    creditsOf: (response: T) => number,
    { action, hasOpenPrice }: { readonly action?: string; readonly hasOpenPrice?: boolean } = {},
  ): Promise<T> {
    if ((await this.reserveUpTo(atMost, atMost)) < atMost) throw this.limitError(atMost, action);
    return await this.sendReserved(atMost, send, creditsOf, hasOpenPrice);
  }

  async sendReserved<T>(
    reserved: number,
    send: () => Promise<T>,
    creditsOf: (response: T) => number,
    hasOpenPrice = false,
  ): Promise<T> {
    try {
      const response = await send();
      this.settle(reserved, creditsOf(response));
      return response;
    } catch (error) {
      this.settleFailed(reserved, error, hasOpenPrice);
      throw error;
    }
  }

  /** Waits for requests in flight that may cost less than reserved. @returns 0 if fewer than `least` are left. */
  async reserveUpTo(most: number, least = 1): Promise<number> {
    return await new Promise<number>((resolve) => {
      this.waiting.push({ most, least, resolve });
      this.serveWaiting();
    });
  }

  /** Returns whether {@link reserveUpTo} reserves so many credits without a wait. */
  covers(credits: number): boolean {
    return this.waiting.length === 0 && credits <= this.available;
  }

  /**
   * Serves the waiting calls in their order, so that a limit covers the first items, as if each call had
   * been sent after the one before. The first one waits while it depends on requests in flight what it gets.
   */
  private serveWaiting(): void {
    for (let [next] = this.waiting; next !== undefined; [next] = this.waiting) {
      const { most, least, resolve } = next;
      const isCovered = least <= this.unspent;
      if (isCovered && most > this.available && this.reserved > 0) return;
      const credits = isCovered ? Math.min(most, this.available) : 0;
      this.waiting.shift();
      this.reserve(credits);
      resolve(credits);
    }
  }

  limitError(needed = 1, action = 'looked up'): SkippedError {
    const { limit = 0, setIn, unspent } = this;
    const name = setIn === 'node' ? 'Max Credits' : 'Max Credits per Run';
    const bound = `${name} (${String(limit)}) of ${setIn === 'node' ? 'this node' : 'the credential'}`;
    const cost = formatCount(needed, 'credit');
    const left = `${String(unspent)} ${unspent === 1 ? 'is' : 'are'} left`;
    const unaffordable =
      unspent === limit
        ? `it can cost up to ${cost}, more than ${bound}`
        : `this item can cost up to ${cost}, ${left} of ${bound}`;
    const reason = unspent === 0 ? `${bound} was reached` : unaffordable;
    return new SkippedError({
      code: SKIPPED_REASON,
      message: `Not ${action}: ${reason}`,
      hint: `Nothing was charged for this. Raise ${name}, or run again later.`,
    });
  }
}
