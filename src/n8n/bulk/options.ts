import type { RunLimits } from '../parameters/for-run';
import type { RowOutput } from './row-form';

/** How each row's domain is read. */
export interface DomainReading {
  readonly subdomains: 'strip' | 'keep';
  /** Whether hosts of free mail providers are no companies; see `NormalizeOptions`. */
  readonly rejectFreeMail: boolean | undefined;
}

/** Options of operations on all rows at once. They hold for the whole run. */
export interface RowOptions extends RowOutput, DomainReading, RunLimits {}
