import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { CredentialsByType, WorkflowRun } from '../harness';
import { ask, running } from '../shared/nodes';
import { packageNode, sentTo, useSandbox, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Refresh and Wait';

/**
 * A service whose minutes last a second, so that `Retry-After` is 1. Jobs are done at once, unless a
 * test chooses otherwise.
 */
export function useFastSandbox(): Sandbox {
  const sandbox = useSandbox({ timeScale: 60 });

  beforeEach(() => {
    sandbox.setChoices({ jobSeconds: { first: 0, last: 0 } });
  });
  return sandbox;
}

export interface Change {
  readonly operation?: string;
  readonly options?: INodeParameters;
  readonly settings?: NodeSettings;
  readonly credentials?: CredentialsByType;
}

/**
 * The node as it stands behind items with the fields `company` and `job`. For an item that has
 * neither, the expression fails.
 */
export function refreshNode({ settings, ...change }: Change = {}) {
  return packageNode('refreshAndWait', parametersOf(change), settings);
}

const parametersOf = ({ operation = 'refreshAndWait', options = {} }: Change) => ({
  operation,
  domain: "={{ $json.company ?? $('Nowhere').first().json.company }}",
  jobId: "={{ $json.job ?? $('Nowhere').first().json.job }}",
  options,
});

/** Runs the node on items of which each gets its number as `id`. */
export async function refresh(
  sandbox: Sandbox,
  items: readonly IDataObject[],
  { settings, operation, options, ...change }: Change = {},
): Promise<WorkflowRun> {
  const parameters = parametersOf({ ...(operation && { operation }), ...(options && { options }) });
  return await running('refreshAndWait', NAME)(sandbox, parameters, items, {
    ...settings,
    ...change,
  });
}

/** Jobs that were started, by how many domains each of them was sent. */
export function startsAt(sandbox: Sandbox): number {
  return sentTo(sandbox).filter(({ method }) => method === 'POST').length;
}

/** Starts a job at the service, without the node. */
export async function startJob(sandbox: Sandbox, domains: readonly string[]): Promise<string> {
  const job = await ask(sandbox, 'POST', 'companies/refresh', { domains });
  return job['job_id'] as string;
}
