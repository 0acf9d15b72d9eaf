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

/** A thing to be removed. */
interface Removal extends Pick<Call<unknown>, 'path' | 'errorTexts'> {
  /** Checks whether the list that contains the thing still contains it. */
  readonly isThere: () => Promise<boolean>;
}

/**
 * Deletes a thing. The request can be retried, because a thing can only be deleted once. If a retry
 * returns 404, the first attempt may have deleted the thing, or a system between n8n and the service
 * sent the 404. The list that contained the thing shows which one is true.
 *
 * @throws {NotFoundError} when the thing does not exist on the first attempt.
 * @throws {UnknownOutcomeError} when the responses contradict each other.
 */
export async function removeOnce(run: Run, { isThere, ...thing }: Removal): Promise<void> {
  const outcome = await run.request({
    ...thing,
    method: 'DELETE',
    repeatable: true,
    whenMissing: () => 'gone',
    read: () => 'deleted',
  });
  if (outcome === 'deleted' || !(await isThere())) return;
  throw new UnknownOutcomeError({
    code: 'unknown_outcome',
    message: 'The service reports nothing to delete, but still lists the entry',
    hint: 'Check whether the entry still exists before you run this again.',
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
