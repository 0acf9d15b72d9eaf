import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../../sandbox';
import type { WorkflowRun } from '../harness';
import { ask, running, textOfFile } from '../shared/nodes';
import { useSandbox } from '../shared/service';

/** Name of the node in the tested workflows. */
export const NAME = 'List Members';

/** A member in the form in which the local service stores it. */
export interface Member extends IDataObject {
  company_id: number;
  slug: string | null;
  name: string;
  primary_domain: string;
  tier: string;
}

/** Starts a service that also validates its responses. */
export function useLists(options: SandboxOptions = {}): Sandbox {
  return useSandbox({ validateResponses: true, ...options });
}

/**
 * Creates a list of all companies with at least this number of technologies. 0 includes every
 * company. Without a number, the list has no definition and no members.
 */
export async function createList(sandbox: Sandbox, technologies?: number): Promise<string> {
  const { registry_version } = await ask(sandbox, 'GET', 'lists/filter-fields');
  const root = { field: 'tech_count', operator: 'gte', value: technologies };
  const list = await ask(sandbox, 'POST', 'lists', {
    name: 'A list',
    ...(technologies === undefined ? {} : { definition: { registry_version, root } }),
  });
  return list['list_id'] as string;
}

/** Reads up to 1,000 members of a list from the service, without the node. */
export async function membersOf(sandbox: Sandbox, listId: string): Promise<Member[]> {
  const { members } = await ask(sandbox, 'GET', `lists/${listId}/members?limit=1000`);
  return members as Member[];
}

export const listMembers = running('listMembers', NAME);

/** Returns the text of the file in an item. */
export function fileOf(run: WorkflowRun, index = 0): string {
  return textOfFile(run.output(NAME)[index]);
}
