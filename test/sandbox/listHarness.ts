import { REGISTRY_VERSION } from '../../sandbox/lists/definition';
import * as schemas from '../../sandbox/schemas/lists';
import { type Harness, ok } from './harness';

export const condition = (field: string, operator: string, value: unknown) => ({
  field,
  operator,
  value,
});

/** Returns a definition with the current version of the filter catalog. */
export const stamped = (root: unknown) => ({ registry_version: REGISTRY_VERSION, root });

export const SOFTWARE = stamped(condition('industry', 'equals', 'Software'));

/** Creates a list of the main user and returns its ID. */
export async function createList(service: Harness, definition?: unknown): Promise<string> {
  const body = { name: 'Mine', ...(definition === undefined ? {} : { definition }) };
  return ok(await service.post('/v1/lists', body), schemas.listDetail, 201).list_id;
}

/** The response about a list that does not exist or that the user cannot see. */
export const NO_LIST = { status: 404, error: 'list_not_found', message: 'There is no such list.' };
