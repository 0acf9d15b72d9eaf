import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { json, TestService, type Answering } from '../../src/client/support/service';
import { ask, running, type Change } from '../shared/nodes';

/** Name of the node in the tested workflows. */
export const NAME = 'Company List';
export const TYPE = 'n8n-nodes-company-intelligence.companyList';

/** Lists that exist from the start and belong to the user. Everyone can use the first one. */
export const SHARED = 'lst_000001';
export const OWN = 'lst_000002';
/** A list of another organization, which the user cannot see. */
export const INVISIBLE = 'lst_000003';

export const companyList = running('companyList', NAME);

/** Returns a function that runs operations which share some parameters. */
export const operationsOf =
  (sandbox: Sandbox, usual: INodeParameters) =>
  async (
    operation: string,
    parameters: INodeParameters = {},
    items: readonly IDataObject[] = [{}],
    change: Change = {},
  ) =>
    await companyList(sandbox, { ...usual, operation, ...parameters }, items, change);

/**
 * Starts a service that has a catalog of filter fields. The test defines the response to every
 * other request.
 */
export async function catalogAnd(
  answering: Answering,
  catalog: unknown = { registry_version: 'r7', fields: [] },
): Promise<TestService> {
  return await TestService.start((request, response) => {
    const answer = request.url.endsWith('filter-fields') ? json(catalog) : answering;
    answer(request, response);
  });
}

/** Returns the names of the lists that a user can see. */
export async function namesOfLists(
  sandbox: Sandbox,
  key: keyof Sandbox['keys'] = 'user',
): Promise<string[]> {
  const { lists } = await ask(sandbox, 'GET', 'lists', undefined, key);
  return (lists as Array<{ name: string }>).map(({ name }) => name);
}
