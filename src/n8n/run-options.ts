import { setMaxListeners } from 'node:events';

import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { REAL_TIME, type Timing } from '../client/settings';
import { CreditGuard } from '../run/credit-guard';

/** A number option. What an expression leaves empty is refused: it must not mean "no limit". */
export function numberOption(min: number, max: number, fallback: number) {
  const range =
    max === Number.MAX_SAFE_INTEGER
      ? `${String(min)} or more`
      : `from ${String(min)} to ${String(max)}`;
  return z
    .unknown()
    .default(fallback)
    .transform((value, context) => {
      const text = typeof value === 'number' ? String(value) : value;
      const number = typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN;
      if (number >= min && number <= max) return number;
      context.addIssue(`it must be a number ${range}`);
      return z.NEVER;
    });
}

export const A_WEEK_IN_MINUTES = 7 * 24 * 60;
const AN_HOUR_IN_SECONDS = 60 * 60;

/** Options that every operation which sends requests has. They hold for the whole run. */
export const runOptionsShape = {
  maxCredits: numberOption(0, Number.MAX_SAFE_INTEGER, 0).refine(
    Number.isInteger,
    'it must be whole',
  ),
  maxRateLimitWaitMinutes: numberOption(
    0,
    A_WEEK_IN_MINUTES,
    REAL_TIME.maxRateLimitWaitMs / 60_000,
  ),
  requestTimeoutSeconds: numberOption(1, AN_HOUR_IN_SECONDS, REAL_TIME.requestTimeoutMs / 1000),
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
export function timingOf(
  options: Pick<RunOptions, 'maxRateLimitWaitMinutes' | 'requestTimeoutSeconds'>,
): Partial<Timing> {
  return {
    maxRateLimitWaitMs: options.maxRateLimitWaitMinutes * 60_000,
    requestTimeoutMs: options.requestTimeoutSeconds * 1000,
  };
}

/** The run's credit guard; 0 means no limit. */
export function guardOf(options: RunOptions): CreditGuard {
  return new CreditGuard(options.maxCredits === 0 ? undefined : options.maxCredits);
}

/** The signal of Stop and of the execution's timeout. */
export function cancelSignalOf(context: IExecuteFunctions): AbortSignal | undefined {
  const signal = context.getExecutionCancelSignal();
  // Every request under way listens to it; Node would take more than ten for a leak.
  if (signal !== undefined) setMaxListeners(0, signal);
  return signal;
}
