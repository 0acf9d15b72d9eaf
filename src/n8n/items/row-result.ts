import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { InvalidResponseError } from '../../client/errors';
import { SKIPPED_REASON, SkippedError } from '../../run/run-guards';

export interface Output {
  readonly json: IDataObject;
  readonly binary?: IBinaryKeyData;
  /** Columns that a flat row of this kind always has; undefined for other rows. */
  readonly columns?: readonly string[] | undefined;
}

/** The result of a row, which does not change after it was made. */
export interface Result {
  readonly outputs: readonly Output[];
  /** Why there is no output, or no further output. */
  readonly failure?: Error;
  readonly fields?: IDataObject;
  readonly binary?: IBinaryKeyData | undefined;
}

/** Reason of a row without the field that Domain names; an empty cell has another one. */
export const MISSING_FIELD = 'missing_field';

export function toSuccess(json: IDataObject): Result {
  return { outputs: [{ json }] };
}

/** Returns the result of a row that failed, or that Max Credits does not cover. */
export function toFailure(failure: Error, fields: IDataObject = {}): Result {
  if (!(failure instanceof SkippedError)) return { outputs: [], failure, fields };
  const { code: reason, message } = failure;
  return toSuccess({ ...fields, status: 'skipped', reason, message });
}

/** Returns whether a row was left for the next run, because Max Credits does not cover it. */
export function isSkipped({ status, reason }: IDataObject = {}): boolean {
  return status === 'skipped' && reason === SKIPPED_REASON;
}

export function createMissingEntryError(
  domain: string,
  where = 'The response of the service',
  more: Readonly<Record<string, unknown>> = {},
): InvalidResponseError {
  return new InvalidResponseError({
    code: 'no_result',
    message: `${where} has no entry for ${domain}`,
    hint: 'Run this row again. If it fails again, report the domain to the service.',
    details: { domain, ...more },
  });
}
