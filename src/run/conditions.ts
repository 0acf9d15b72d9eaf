import type { Brake } from './brake';
import type { CreditGuard } from './credit-guard';

/** Counts what a run sends. */
export interface Tally {
  /** Requests that were answered, or of which it is not known; each counts once, however often it was sent. */
  requests: number;
}

/** What holds for everything that one node execution sends. */
export interface Conditions {
  /** Stop, and the execution's timeout. */
  readonly signal: AbortSignal | undefined;
  readonly credits: CreditGuard;
  readonly brake: Brake;
  /** Gets what the user should know although the run goes on. */
  readonly tell: (message: string) => void;
  readonly tally?: Tally;
}
