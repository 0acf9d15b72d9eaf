import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import type { Timing } from '../client/settings';
import { Brake } from '../run/brake';
import { CreditGuard } from '../run/credit-guard';
import { Run } from '../run/run';
import { onErrorOf } from './failures';
import { hint } from './hint';
import { openClient } from './open-client';
import { cancelSignalOf } from './run-options';

/** What holds for a run beside its credential. */
interface RunSettings {
  /** Limits of this run that differ from the usual. */
  readonly timing?: Partial<Timing>;
  readonly credits?: CreditGuard;
}

/**
 * Begins the run of one node execution: Stop and timeouts end it, Max Credits bounds it, and with On
 * Error: Stop its first failure does. The credential's Max Credits per Run bounds it too; a node can
 * only lower it.
 *
 * @throws {NodeOperationError} when the credential cannot be used.
 */
export async function openRun(
  context: IExecuteFunctions,
  { timing, credits }: RunSettings = {},
): Promise<Run> {
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, timing);
  return new Run(client, maxBatchSize, {
    signal: cancelSignalOf(context),
    brake: new Brake(onErrorOf(context) === 'stop'),
    tell: (message) => {
      context.addExecutionHints(hint(message, 'warning'));
    },
    credits: boundBy(maxCreditsPerRun, credits),
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
  { timing, credits }: RunSettings = {},
): Promise<{ readonly run: Run; readonly keyId: string }> {
  const { client, maxBatchSize, maxCreditsPerRun } = await openClient(context, timing);
  const tell = (message: string) => {
    context.logger.warn(message);
  };
  const conditions = { tell, credits: boundBy(maxCreditsPerRun, credits) };
  return { run: new Run(client, maxBatchSize, conditions), keyId: client.keyId };
}

/** The node's own limit, or the credential's where that is lower. */
function boundBy(maxCreditsPerRun: number, credits = new CreditGuard()): CreditGuard {
  return credits.lowered(maxCreditsPerRun);
}
