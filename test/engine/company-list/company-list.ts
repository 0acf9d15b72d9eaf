import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runWorkflow, source, type CredentialsByType, type WorkflowRun } from '../harness';
import { packageNode, userCredential, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Company List';
export const TYPE = 'n8n-nodes-company-intelligence.companyList';

/** Lists that are there from the start and belong to the user; the first is open to everyone. */
export const SHARED = 'lst_000001';
export const OWN = 'lst_000002';
/** A list of another organization. */
export const INVISIBLE = 'lst_000003';

/** A list given by its id. */
export function byId(value: string) {
  return { __rl: true, mode: 'id', value };
}

/** What a test changes about a run. */
export interface Change {
  readonly settings?: NodeSettings;
  readonly credentials?: CredentialsByType;
  readonly executionId?: string;
}

/** Runs the node on items of which each gets its number as `id`. */
export async function companyList(
  sandbox: Sandbox,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  { settings = {}, credentials, executionId }: Change = {},
): Promise<WorkflowRun> {
  return await runWorkflow({
    nodes: [
      source(items.map((item, id) => ({ ...item, id }))),
      packageNode('companyList', parameters, settings),
    ],
    credentials: credentials ?? userCredential(sandbox),
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
    ...(executionId === undefined ? {} : { executionId }),
  });
}

/** Asks the service itself, past the node. */
export async function ask(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  key: keyof Sandbox['keys'] = 'user',
): Promise<unknown> {
  const answer = await fetch(`${sandbox.baseUrl}/v1/${path}`, {
    method,
    headers: { 'X-API-Key': sandbox.keys[key], 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Names of the lists that a user sees. */
export async function namesOfLists(
  sandbox: Sandbox,
  key: keyof Sandbox['keys'] = 'user',
): Promise<string[]> {
  const { lists } = (await ask(sandbox, 'GET', 'lists', undefined, key)) as {
    lists: Array<{ name: string }>;
  };
  return lists.map(({ name }) => name);
}
