import type { RowOptions } from '../bulk/options';
import type { RunLimits } from '../parameters/for-run';

/** Options of operations that wait. They hold for the whole run. */
export interface WaitOptions extends RunLimits {
  readonly maxWaitMinutes: number;
  readonly waitMode: 'durable' | 'inExecution';
  readonly ifStillRunning: 'item' | 'error';
}

/** The same of the operation that starts the jobs itself. */
export interface RefreshOptions extends WaitOptions, RowOptions {}
