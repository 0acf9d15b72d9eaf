import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { asError, nodeError } from './failures';
import { openClient } from './open-client';

/** Asks the service for the entries of a dropdown, which shows what goes wrong. */
export async function forDropdown<T>(
  context: ILoadOptionsFunctions,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    const { client } = await openClient(context);
    return await ask(client);
  } catch (error) {
    throw nodeError(context.getNode(), asError(error), 0);
  }
}
