import type { Call } from '../../client/client';
import { NOT_RETRIED_NOTICE, UnknownOutcomeError } from '../../client/errors';
import { isRow, findObject, type Row } from '../../run/responses/rows';
import type { Run } from '../../run/run';

/** A change that must not be made twice. */
export interface Effect<T> extends Pick<Call<T>, 'path' | 'read' | 'errorTexts'> {
  readonly body: Row;
  /** The hint how to check an unknown outcome; see {@link withCheckHint}. */
  readonly check: string;
}

/**
 * Posts a change that must not be made twice: it is retried only if it was certainly not processed.
 *
 * @throws {UnknownOutcomeError} when it is unknown whether the change was made.
 */
export async function postOnce<T>(run: Run, { check, ...effect }: Effect<T>): Promise<T> {
  return await withCheckHint(
    check,
    async () => await run.request({ ...effect, method: 'POST', repeatable: false }),
  );
}

/**
 * Deletes a thing. The request can be retried, because a thing can only be deleted once: if a retry
 * returns 404, an earlier attempt has deleted it.
 *
 * @throws {NotFoundError} when the thing does not exist on the first attempt.
 */
export async function remove(
  run: Run,
  thing: Pick<Call<unknown>, 'path' | 'errorTexts'>,
): Promise<void> {
  await run.request({
    ...thing,
    method: 'DELETE',
    repeatable: true,
    whenMissing: () => undefined,
    read: () => undefined,
  });
}

/**
 * Reads the response to a change, which the API spec does not show: the changed object, or nothing. The
 * status has already confirmed the change.
 *
 * @param has fields of the object; it has at least one of them.
 */
export function readAcknowledgement(json: unknown, has: readonly string[]): Row {
  return isRow(json) ? findObject(json, has) : {};
}

/**
 * Runs an action and, if its outcome is unknown, adds a hint how to check it.
 *
 * @param hint a sentence for users.
 * @throws {UnknownOutcomeError} with the hint, when the outcome is unknown.
 */
export async function withCheckHint<T>(hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw error.copyWith({ hint: `${NOT_RETRIED_NOTICE} ${hint}` });
  }
}
