import type { CallOptions } from '../client/client';
import type { CreditGuard } from './credit-guard';

/** What holds for all calls of a run. */
export interface ApiOptions extends CallOptions {
  /** Keeps the run below a number of credits. */
  readonly guard?: CreditGuard | undefined;
}
