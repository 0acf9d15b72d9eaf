import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Run } from '../run/run';
import { asError, nodeError } from './failures';
import { openRunForEditor } from './open-run';

/** Asks the service for the entries of a dropdown, which shows what goes wrong. */
export async function forDropdown<T>(
  context: ILoadOptionsFunctions,
  ask: (run: Run) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await openRunForEditor(context));
  } catch (error) {
    throw nodeError(context.getNode(), asError(error), 0);
  }
}
