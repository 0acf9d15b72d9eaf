import type { CompanySection } from '../../api/companies';
import type { RowOptions } from '../bulk/options';
import type { RunLimits } from '../parameters/for-run';

/** Options of operations that wait. They hold for the whole run. */
export interface WaitOptions extends RunLimits {
  readonly maxWaitMinutes: number;
  readonly waitMode: 'durable' | 'inExecution';
  readonly ifStillRunning: 'item' | 'error';
}

/** The same of the operation that starts the jobs itself. */
export interface RefreshOptions extends WaitOptions, RowOptions {
  /** Companies that were seen within so many days are left alone; 0 to refresh all. */
  readonly onlyIfOlderThanDays: number;
  /** What is read of the companies afterwards. */
  readonly enrichAfterwards: readonly CompanySection[];
}
