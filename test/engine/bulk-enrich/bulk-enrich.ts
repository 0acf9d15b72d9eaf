import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { node, type NodeOptions, type NodeSpec } from '../harness';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Bulk Enrich';

/** Every On Error setting of n8n. */
export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

/** A service whose rate limit is no part of the test. */
export async function startUnlimitedSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({
    companies: 3000,
    keyLimits: { requestsPerMinute: 1_000_000, requestsPerDay: 1_000_000 },
    ...options,
  });
}

/** What a user would have typed into the credential of one of the service's keys. */
export function userCredential(
  sandbox: Sandbox,
  key: keyof Sandbox['keys'] = 'user',
  fields: IDataObject = {},
) {
  return {
    companyIntelligenceUserApi: {
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys[key],
      requestsPerMinute: 100_000,
      requestsPerDay: 1_000_000,
      maxBatchSize: 100,
      ...fields,
    },
  };
}

/** The node as it comes out of the node panel, reading each item's `company`. */
export function bulkEnrich(
  parameters: INodeParameters = {},
  settings: Pick<NodeOptions, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'> = {},
): NodeSpec {
  return node('n8n-nodes-company-intelligence.bulkEnrich', {
    name: NAME,
    parameters: { domain: '={{ $json.company }}', include: [], ...parameters },
    ...settings,
  });
}

/** `count` rows, each with its own number, naming the given domains over and over. */
export function leads(domains: readonly string[], count = domains.length): IDataObject[] {
  return Array.from({ length: count }, (_unused, id) => ({
    id,
    company: domains[id % domains.length] ?? '',
  }));
}

/** Domains of companies the service tracks. */
export function trackedDomains(sandbox: Sandbox, count: number): string[] {
  return sandbox.world.companies.slice(0, count).map((company) => company.primaryDomain);
}

/** The result that Bulk Enrich put into an item. */
export function enrichmentOf(json: IDataObject): IDataObject {
  return json['enrichment'] as IDataObject;
}
