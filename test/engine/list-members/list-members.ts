import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../../sandbox';
import { runWorkflow, source, type CredentialsByType, type WorkflowRun } from '../harness';
import { packageNode, userCredential, useSandbox, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'List Members';

/** A list given by its id. */
export function byId(value: string) {
  return { __rl: true, mode: 'id', value };
}

/** A member as the local service has them. */
export interface Member extends IDataObject {
  company_id: number;
  slug: string | null;
  name: string;
  primary_domain: string;
  tier: string;
}

/** A service with lists of every size. */
export function useLists(options: SandboxOptions = {}): Sandbox {
  return useSandbox({ validateResponses: true, ...options });
}

/** Asks the local service without any code of the nodes. */
export async function ask(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<IDataObject> {
  const answer = await fetch(`${sandbox.baseUrl}${path}`, {
    method,
    headers: { 'X-API-Key': sandbox.keys.user, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as IDataObject;
}

/** Creates a list of the companies with at least so many technologies; 0 for all there are. */
export async function createList(sandbox: Sandbox, technologies?: number): Promise<string> {
  const { registry_version } = await ask(sandbox, 'GET', '/v1/lists/filter-fields');
  const root = { field: 'tech_count', operator: 'gte', value: technologies };
  const list = await ask(sandbox, 'POST', '/v1/lists', {
    name: 'A list',
    ...(technologies === undefined ? {} : { definition: { registry_version, root } }),
  });
  return list['list_id'] as string;
}

/** All members of a list, read by its offset. */
export async function membersOf(sandbox: Sandbox, listId: string, query = ''): Promise<Member[]> {
  const members: Member[] = [];
  for (;;) {
    const at = `limit=1000&offset=${String(members.length)}`;
    const page = await ask(sandbox, 'GET', `/v1/lists/${listId}/members?${at}${query}`);
    const rows = page['members'] as Member[];
    if (rows.length === 0) return members;
    members.push(...rows);
  }
}

interface Change {
  readonly settings?: NodeSettings;
  readonly credentials?: CredentialsByType;
  readonly executionId?: string;
}

/** Runs the node on items of which each gets its number as `id`. */
export async function listMembers(
  sandbox: Sandbox,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  { settings, credentials, ...options }: Change = {},
): Promise<WorkflowRun> {
  return await runWorkflow({
    nodes: [
      source(items.map((item, id) => ({ ...item, id }))),
      packageNode('listMembers', parameters, settings),
    ],
    credentials: credentials ?? userCredential(sandbox),
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
    ...options,
  });
}

/** The text of the file that an item carries. */
export function fileOf(run: WorkflowRun, index = 0, output = 0): string {
  const data = run.output(NAME, output)[index]?.binary?.['data'];
  if (data === undefined) throw new Error('The item carries no file.');
  return Buffer.from(data.data, 'base64').toString();
}
