import type { Call } from '../../client/client';
import { NOT_RETRIED_NOTICE, UnknownOutcomeError } from '../../client/errors';
import { findObject } from '../../run/responses/rows';
import type { Run } from '../../run/run';
import { isJsonObject, type Row } from '../../values/json';

interface Effect<T> extends Pick<Call<T>, 'path' | 'read' | 'errorTexts'> {
  readonly body: Row;
  readonly check: string;
}

/** Posts a change that must not be made twice: retried only if it was certainly not processed. */
export async function postOnce<T>(run: Run, { check, ...effect }: Effect<T>): Promise<T> {
  return await withCheckHint(
    check,
    async () => await run.request({ ...effect, method: 'POST', repeatable: false }),
  );
}

/** Retried: if a retry returns 404, an earlier attempt has deleted the resource. */
export async function deleteResource(
  run: Run,
  resource: Pick<Call<unknown>, 'path' | 'errorTexts'>,
): Promise<void> {
  await run.request({
    ...resource,
    method: 'DELETE',
    repeatable: true,
    whenMissing: () => undefined,
    read: () => undefined,
  });
}

/** The API spec does not show the response to a confirmed change: the object, or nothing. */
export function readAcknowledgement(json: unknown, has: readonly string[]): Row {
  return isJsonObject(json) ? findObject(json, has) : {};
}

export async function withCheckHint<T>(hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw error.copyWith({ hint: `${NOT_RETRIED_NOTICE} ${hint}` });
  }
}
