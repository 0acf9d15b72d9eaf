import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { CredentialsByType, WorkflowRun } from '../harness';
import { ask, resultIn, running } from '../shared/nodes';
import {
  packageNode,
  sentTo,
  trackedDomains,
  useSandbox,
  type NodeSettings,
} from '../shared/service';

/** Name of the node in the tested workflows. */
export const NAME = 'Refresh and Wait';

/**
 * Starts a service whose minutes last one second, so that `Retry-After` is 1. Jobs are completed
 * immediately unless a test sets another duration.
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

const parametersOf = ({ operation = 'refreshAndWait', options = {} }: Change) => ({
  operation,
  // These expressions fail for an item that has neither field.
  domain: "={{ $json.company ?? $('Nowhere').first().json.company }}",
  jobId: "={{ $json.job ?? $('Nowhere').first().json.job }}",
  options,
});

/** Describes the node for items with the field `company` or `job`. */
export function refreshNode({ settings, ...change }: Change = {}) {
  return packageNode('refreshAndWait', parametersOf(change), settings);
}

/** Runs the node on items. Each item also gets its number as `id`. */
export async function refresh(
  sandbox: Sandbox,
  items: readonly IDataObject[],
  change: Change = {},
): Promise<WorkflowRun> {
  const { settings, credentials } = change;
  const own = { ...settings, ...(credentials && { credentials }) };
  return await running('refreshAndWait', NAME)(sandbox, parametersOf(change), items, own);
}

/** Returns the number of requests to start a job that the service received. */
export function startsAt(sandbox: Sandbox): number {
  return sentTo(sandbox).filter(({ method }) => method === 'POST').length;
}

/** Starts a job directly at the service, without the node. */
export async function startJob(sandbox: Sandbox, domains: readonly string[]): Promise<string> {
  const job = await ask(sandbox, 'POST', 'companies/refresh', { domains });
  return job['job_id'] as string;
}

/** Returns `count` items, each with its own company. */
export function companyItems(sandbox: Sandbox, count: number): IDataObject[] {
  return trackedDomains(sandbox, count).map((company) => ({ company }));
}

/** Returns the result that the node added to each item. */
export function resultsOf(run: WorkflowRun): IDataObject[] {
  return run.json(NAME).map((json) => resultIn(json, 'refresh_'));
}
