import { setMaxListeners } from 'node:events';

import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';

import { quote } from '../api/quote';
import { REAL_TIME, type Timing } from '../client/settings';
import { isRow } from '../run/answers/rows';
import { CreditGuard } from '../run/credit-guard';

/**
 * A number option. What an expression leaves empty is refused: it must not mean "no limit".
 *
 * @param name what the user sees of it.
 */
export function numberOption(name: string, min: number, max: number, fallback: number) {
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
      context.addIssue(`${name} must be a number ${range}, not ${quote(value)}`);
      return z.NEVER;
    });
}

/** An option of a few words; see {@link numberOption}. */
export function choiceOption<T extends string>(
  name: string,
  allowed: readonly [T, ...T[]],
  fallback: T,
) {
  return z
    .unknown()
    .default(fallback)
    .transform((value, context): T => {
      const found = allowed.find((word) => word === value);
      if (found !== undefined) return found;
      context.addIssue(`${name} must be one of ${allowed.join(', ')}, not ${quote(value)}`);
      return z.NEVER;
    });
}

/** An option that is on or off, off if left out; as text too. See {@link numberOption}. */
export function switchOption(name: string) {
  return z
    .unknown()
    .default(false)
    .transform((value, context): boolean => {
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      context.addIssue(`${name} must be true or false, not ${quote(value)}`);
      return z.NEVER;
    });
}

export const A_WEEK_IN_MINUTES = 7 * 24 * 60;
const AN_HOUR_IN_SECONDS = 60 * 60;

/** Options that every operation which sends requests has. They hold for the whole run. */
export const runOptionsShape = {
  maxCredits: numberOption('Max Credits', 0, Number.MAX_SAFE_INTEGER, 0).refine(
    Number.isInteger,
    'Max Credits must be a whole number',
  ),
  maxRateLimitWaitMinutes: numberOption(
    'Max Rate Limit Wait (Minutes)',
    0,
    A_WEEK_IN_MINUTES,
    REAL_TIME.maxRateLimitWaitMs / 60_000,
  ),
  requestTimeoutSeconds: numberOption(
    'Request Timeout (Seconds)',
    1,
    AN_HOUR_IN_SECONDS,
    REAL_TIME.requestTimeoutMs / 1000,
  ),
};

const runOptions = z.object(runOptionsShape);

export type RunOptions = z.infer<typeof runOptions>;

/**
 * Reads the `options` collection, as the first item has it.
 *
 * @throws {NodeOperationError} that names the option which is wrong.
 */
export function readOptions<T>(context: IExecuteFunctions, shape: z.ZodType<T>): T {
  const given: unknown = context.getNodeParameter('options', 0, {});
  if (!isRow(given)) {
    throw new NodeOperationError(context.getNode(), `"Options" cannot be ${quote(given)}`, {
      description: 'Choose options from the list under Options of this node.',
    });
  }
  const parsed = shape.safeParse(given);
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
