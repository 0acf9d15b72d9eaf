import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { CreditGuard } from '../api/credit-guard';
import { REAL_TIME, type Timing } from '../client/settings';

/** Options that every operation which sends requests has. They hold for the whole run. */
export const runOptionsShape = {
  maxCredits: z.coerce.number().int().min(0).default(0),
  maxRateLimitWaitMinutes: z.coerce
    .number()
    .min(0)
    .default(REAL_TIME.maxRateLimitWaitMs / 60_000),
  requestTimeoutSeconds: z.coerce
    .number()
    .min(1)
    .default(REAL_TIME.requestTimeoutMs / 1000),
};

const runOptions = z.object(runOptionsShape);

export type RunOptions = z.infer<typeof runOptions>;

/**
 * Reads the `options` collection, as the first item has it.
 *
 * @throws {NodeOperationError} that names the option which is wrong.
 */
export function readOptions<T>(context: IExecuteFunctions, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(context.getNodeParameter('options', 0, {}));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new NodeOperationError(
    context.getNode(),
    `The option "${String(issue?.path.join('.'))}" cannot be used: ${String(issue?.message)}`,
    { description: 'Correct it under Options of this node.' },
  );
}

export function readRunOptions(context: IExecuteFunctions): RunOptions {
  return readOptions(context, runOptions);
}

/** How long requests of this run may take and wait. */
export function timingOf(options: RunOptions): Partial<Timing> {
  return {
    maxRateLimitWaitMs: options.maxRateLimitWaitMinutes * 60_000,
    requestTimeoutMs: options.requestTimeoutSeconds * 1000,
  };
}

/** The run's credit guard; 0 means no limit. */
export function guardOf(options: RunOptions): CreditGuard {
  return new CreditGuard(options.maxCredits === 0 ? undefined : options.maxCredits);
}
