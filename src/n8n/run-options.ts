import { setMaxListeners } from 'node:events';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { Timing } from '../client/settings';
import { CreditGuard } from '../run/credit-guard';
import type { RunLimits } from './parameters/for-run';

/** How long requests of a run may take and wait; as usual where the user chose nothing. */
export function timingOf({
  maxRateLimitWaitMinutes: waitMinutes,
  requestTimeoutSeconds: timeoutSeconds,
}: RunLimits): Partial<Timing> {
  return {
    ...(waitMinutes === undefined ? {} : { maxRateLimitWaitMs: waitMinutes * 60_000 }),
    ...(timeoutSeconds === undefined ? {} : { requestTimeoutMs: timeoutSeconds * 1000 }),
  };
}

/** The run's credit guard; 0 means no limit. */
export function guardOf({ maxCredits = 0 }: RunLimits): CreditGuard {
  return new CreditGuard(maxCredits === 0 ? undefined : maxCredits);
}

/** The signal of Stop and of the execution's timeout. */
export function cancelSignalOf(context: IExecuteFunctions): AbortSignal | undefined {
  const signal = context.getExecutionCancelSignal();
  // Every request under way listens to it; Node would take more than ten for a leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  return signal;
}
