import { setMaxListeners } from 'node:events';

import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import type { Timing } from '../client/settings';
import { Brake } from '../run/brake';
import { CreditGuard } from '../run/credit-guard';
import { Run } from '../run/run';
import { onErrorOf } from './failures';
import { hint } from './hint';
import { openClient } from './open-client';
import type { RunLimits } from './parameters/for-run';

/**
 * Begins the run of one node execution: Stop and timeouts end it, Max Credits bounds it, and with On
 * Error: Stop its first failure does. The credential's Max Credits per Run bounds it too; a node can
 * only lower it.
 *
 * @param credits if other than Max Credits bounds it.
 * @throws {NodeOperationError} when the credential cannot be used.
 */
export async function openRun(
  context: IExecuteFunctions,
  limits: RunLimits,
  credits = guardOf(limits),
): Promise<Run> {
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, timingOf(limits));
  return new Run(client, maxBatchSize, {
    signal: cancelSignalOf(context),
    brake: new Brake(onErrorOf(context) === 'stop'),
    tell: (message) => {
      context.addExecutionHints(hint(message, 'warning'));
    },
    // The node's own limit, or the credential's where that is lower.
    credits: credits.lowered(maxCreditsPerRun),
  });
}

/** The same for what the editor asks while a node is set up. */
export async function openRunForEditor(context: ILoadOptionsFunctions): Promise<Run> {
  const { client, maxBatchSize } = await openClient(context);
  return new Run(client, maxBatchSize);
}

/**
 * The same for one poll of a trigger: what the user should know goes to the log, the only place where
 * a poll can say it.
 *
 * @returns the run, and what stands for its key; see `KeyState`.
 * @throws {NodeOperationError} when the credential cannot be used.
 */
export async function openRunForPoll(
  context: IPollFunctions,
  limits: RunLimits,
): Promise<{ readonly run: Run; readonly keyId: string }> {
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, timingOf(limits));
  const tell = (message: string) => {
    context.logger.warn(message);
  };
  const conditions = { tell, credits: guardOf(limits).lowered(maxCreditsPerRun) };
  return { run: new Run(client, maxBatchSize, conditions), keyId: client.keyId };
}

/** How long requests of a run may take and wait; as usual where the user chose nothing. */
function timingOf({
  maxRateLimitWaitMinutes: waitMinutes,
  requestTimeoutSeconds: timeoutSeconds,
}: RunLimits): Partial<Timing> {
  return {
    ...(waitMinutes === undefined ? {} : { maxRateLimitWaitMs: waitMinutes * 60_000 }),
    ...(timeoutSeconds === undefined ? {} : { requestTimeoutMs: timeoutSeconds * 1000 }),
  };
}

/** The run's credit guard; 0 means no limit. */
function guardOf({ maxCredits = 0 }: RunLimits): CreditGuard {
  return new CreditGuard(maxCredits === 0 ? undefined : maxCredits);
}

/** The signal of Stop and of the execution's timeout. */
function cancelSignalOf(context: IExecuteFunctions): AbortSignal | undefined {
  const signal = context.getExecutionCancelSignal();
  // Every request under way listens to it; Node would take more than ten for a leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  return signal;
}
