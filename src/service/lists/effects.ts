import type { Call } from '../../client/client';
import { NOT_SENT_AGAIN, UnknownOutcomeError } from '../../client/errors';
import { isRow, findRow, type Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';

/** A change that must not be made twice. */
export interface Effect<T> extends Pick<Call<T>, 'path' | 'read' | 'words'> {
  readonly body: Row;
  /** How to find out whether it was made, when nobody knows; see {@link howToCheck}. */
  readonly check: string;
}

/**
 * Posts a change that must not be made twice: it is sent again only when it surely was not processed.
 *
 * @throws {UnknownOutcomeError} when it may or may not have been made.
 */
export async function postOnce<T>(run: Run, { check, ...effect }: Effect<T>): Promise<T> {
  return await howToCheck(
    check,
    async () => await run.request({ ...effect, method: 'POST', repeatable: false }),
  );
}

/** Something to be removed. */
interface Removal extends Pick<Call<unknown>, 'path' | 'words'> {
  /** Whether it is still there, by the list that it would be in. */
  readonly isThere: () => Promise<boolean>;
}

/**
 * Deletes something. It may be sent again: a thing can only be deleted once. When it is not found after
 * an attempt without an answer, that attempt may have deleted it, or something between n8n and the
 * service gave the answer; the list that it was in tells.
 *
 * @throws {NotFoundError} when it is not there to begin with.
 * @throws {UnknownOutcomeError} when the answers contradict each other.
 */
export async function remove(run: Run, { isThere, ...thing }: Removal): Promise<void> {
  const outcome = await run.request({
    ...thing,
    method: 'DELETE',
    repeatable: true,
    whenGone: () => 'gone',
    read: () => 'deleted',
  });
  if (outcome === 'deleted' || !(await isThere())) return;
  throw new UnknownOutcomeError({
    code: 'unknown_outcome',
    message: 'The service says that there is nothing to delete, but still lists it',
    hint: 'Look whether it is still there before you run this again.',
  });
}

/**
 * Reads the answer to a change of which the interface does not show the answer: the object it is
 * about, or nothing. The status has said already that the change was made.
 *
 * @param has fields of which the object has one.
 */
export function acknowledged(json: unknown, has: readonly string[]): Row {
  return isRow(json) ? findRow(json, has) : {};
}

/**
 * Says how to find out whether something was done, when nobody knows.
 *
 * @param hint in words for people.
 * @throws {UnknownOutcomeError} with that hint.
 */
export async function howToCheck<T>(hint: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) throw error;
    throw error.retold({ hint: `${NOT_SENT_AGAIN} ${hint}` });
  }
}
