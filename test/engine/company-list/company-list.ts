import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { json, TestService, type Answering } from '../../src/client/support/service';
import { ask, running, type Change } from '../shared/nodes';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Company List';
export const TYPE = 'n8n-nodes-company-intelligence.companyList';

/** Lists that are there from the start and belong to the user; the first is open to everyone. */
export const SHARED = 'lst_000001';
export const OWN = 'lst_000002';
/** A list of another organization. */
export const INVISIBLE = 'lst_000003';

export const companyList = running('companyList', NAME);

/** Runs operations that have some parameters in common. */
export const operationsOf =
  (sandbox: Sandbox, usual: INodeParameters) =>
  async (
    operation: string,
    parameters: INodeParameters = {},
    items: readonly IDataObject[] = [{}],
    change: Change = {},
  ) =>
    await companyList(sandbox, { ...usual, operation, ...parameters }, items, change);

/** A service with a catalog of filter fields, and answers of the test's own to everything else. */
export async function catalogAnd(
  answering: Answering,
  catalog: unknown = { registry_version: 'r7', fields: [] },
): Promise<TestService> {
  return await TestService.start((request, response) => {
    const answer = request.url.endsWith('filter-fields') ? json(catalog) : answering;
    answer(request, response);
  });
}

/** Names of the lists that a user sees. */
export async function namesOfLists(
  sandbox: Sandbox,
  key: keyof Sandbox['keys'] = 'user',
): Promise<string[]> {
  const { lists } = await ask(sandbox, 'GET', 'lists', undefined, key);
  return (lists as Array<{ name: string }>).map(({ name }) => name);
}
