import { NotAttemptedError, ServiceError } from '../client/errors';
import type { CreditBudget } from './credit-budget';

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
    this.failuresInARow += 1;
    if (this.failuresInARow >= failuresToTrip) this.trip(error);
    this.around?.recordFailure(error);
  }

  /** Records a successful request. */
  recordSuccess(): void {
    this.failuresInARow = 0;
    this.around?.recordSuccess();
  }

  /** Records that an item, or a batch of items, has finally failed. */
  recordItemFailure(error: unknown): void {
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
    message: `Skipped because an earlier request failed: ${reason}`,
    hint: 'Nothing was sent or charged for this row. Fix the cause, then run it again.',
    ...(cause instanceof ServiceError ? { details: { cause: cause.code } } : {}),
  });
}
