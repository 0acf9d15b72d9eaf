import { NotAttemptedError, ServiceError } from '../client/errors';
import type { CreditGuard } from './credit-guard';

/** What holds for everything that one node execution sends. */
export interface Conditions {
  /** Stop, and the execution's timeout. */
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditGuard;
  readonly brake: Brake;
  /** Gets what the user should know although the run goes on. */
  readonly tell: (message: string) => void;
}

/**
 * What keeps a run, or a part of it, from sending more. Parts nest: what stops a run stops its lists,
 * and a list that has come to its end stops nothing but itself.
 */
export class Brake {
  private reason: NotAttemptedError | undefined;
  private failuresInARow = 0;

  /**
   * @param stopsAtFirstFailure one failure makes the whole run worthless, as with On Error: Stop.
   * @param around the brake of what this is a part of.
   */
  constructor(
    private readonly stopsAtFirstFailure = false,
    private readonly around?: Brake,
  ) {}

  /** Why nothing more is sent; undefined while it is. */
  get stopped(): NotAttemptedError | undefined {
    return this.reason ?? this.around?.stopped;
  }

  /** To be called at the last moment before each sending; throws {@link stopped}. */
  readonly check = (): void => {
    const { stopped } = this;
    if (stopped !== undefined) throw stopped;
  };

  /** From now on nothing more is sent. The first cause is the one that is told. */
  stop(cause: unknown): void {
    this.reason ??= notAttempted(cause);
  }

  /** A request failed: ends the run when all others would meet the same. */
  met(error: unknown): void {
    if (!(error instanceof ServiceError)) return;
    const { confirmations, status } = error;
    if (confirmations === undefined) {
      // A refusal of this one thing: the service is there, and takes the key.
      if (status !== undefined) this.answered();
      return;
    }
    this.failuresInARow += 1;
    if (this.failuresInARow >= confirmations) this.stop(error);
    this.around?.met(error);
  }

  /** A request was answered. */
  answered(): void {
    this.failuresInARow = 0;
    this.around?.answered();
  }

  /** An item, or a batch of them, has failed for good. */
  failed(error: unknown): void {
    const isCertain = error instanceof ServiceError && error.isCertain;
    if (this.stopsAtFirstFailure || isCertain) this.stop(error);
    this.around?.failed(error);
  }
}

/** For what is not sent any more after `cause`. */
function notAttempted(cause: unknown): NotAttemptedError {
  if (cause instanceof NotAttemptedError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new NotAttemptedError({
    code: 'not_attempted',
    message: `Not attempted, because an earlier request failed: ${reason}`,
    hint: 'This row was not sent and cost nothing. Fix the cause and run it again.',
    ...(cause instanceof ServiceError ? { details: { cause: cause.code } } : {}),
  });
}
