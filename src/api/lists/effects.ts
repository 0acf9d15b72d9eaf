import type { Call, CallOptions, Client } from '../../client/client';
import { isRow, type Row } from '../rows';
import { rowAnywhere } from '../rows-anywhere';
import { howToCheck } from './how-to-check';

/** A change that must not be made twice. */
export interface Effect<T> extends Pick<Call<T>, 'path' | 'read' | 'notFound'> {
  readonly body: Row;
  /** How to find out whether it was made, when nobody knows; see {@link howToCheck}. */
  readonly check: string;
}

/**
 * Posts a change that must not be made twice: it is sent again only when it surely was not processed.
 *
 * @throws {UnknownOutcomeError} when it may or may not have been made.
 */
export async function postOnce<T>(
  client: Client,
  { check, ...effect }: Effect<T>,
  options: CallOptions,
): Promise<T> {
  return await howToCheck(
    check,
    async () => await client.request({ ...effect, method: 'POST', repeatable: false }, options),
  );
}

/**
 * Deletes something. It may be sent again: a thing can only be deleted once, and when it is gone after
 * an attempt without an answer, that attempt did it.
 *
 * @throws {NotFoundError} when it is not there to begin with.
 */
export async function remove(
  client: Client,
  thing: Pick<Call<void>, 'path' | 'notFound'>,
  options: CallOptions,
): Promise<void> {
  await client.request(
    {
      ...thing,
      method: 'DELETE',
      repeatable: true,
      whenGone: () => undefined,
      read: () => undefined,
    },
    options,
  );
}

/**
 * Reads the answer to a change of which the interface does not show the answer: the object it is
 * about, or nothing. The status has said already that the change was made.
 *
 * @param has fields of which the object has one.
 */
export function acknowledged(json: unknown, has: readonly string[]): Row {
  return isRow(json) ? rowAnywhere(json, has) : {};
}
