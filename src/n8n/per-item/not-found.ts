import type { IDataObject } from 'n8n-workflow';

import { NotFoundError } from '../../client/errors';
import type { Output } from './session';

/** What comes of something the service does not know: values of the option. */
export type IfNotFound = 'error' | 'item';

/**
 * Turns "the service does not know it" into an item with `found: false`, when the user wants that;
 * what is found then says `found: true`. A 404 that may come from a wrong address stays an error.
 *
 * @param asked what was asked for, to tell the items apart.
 */
export async function orNotFound(
  ifNotFound: IfNotFound,
  asked: IDataObject,
  ask: () => Promise<Output[]>,
): Promise<Output[]> {
  if (ifNotFound === 'error') return await ask();
  try {
    const outputs = await ask();
    return outputs.map((output) => ({ ...output, json: { found: true, ...output.json } }));
  } catch (error) {
    if (!(error instanceof NotFoundError) || !error.aboutAsked) throw error;
    return [{ json: { found: false, ...asked, reason: error.code, message: error.message } }];
  }
}
