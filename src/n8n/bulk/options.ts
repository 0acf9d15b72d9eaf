import type { RunLimits } from '../parameters/for-run';

/** How rows come out. */
export interface RowOutput {
  /** The row's own fields with the result among them, or the result alone. */
  readonly output: 'merge' | 'result';
  /** The field that holds the result among the row's own. */
  readonly resultField: string;
}

/** How each row's domain is read. */
export interface DomainReading {
  readonly subdomains: 'strip' | 'keep';
  /** Whether hosts of free mail providers are no companies; see `NormalizeOptions`. */
  readonly rejectFreeMail: boolean | undefined;
}

/** Options of operations on all rows at once. They hold for the whole run. */
export interface RowOptions extends RowOutput, DomainReading, RunLimits {}
