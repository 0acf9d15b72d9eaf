import type { Brake } from './brake';
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
