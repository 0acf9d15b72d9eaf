import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { node, type NodeSpec } from '../harness';
import type { NodeSettings } from '../shared/service';

export {
  ON_ERROR,
  startUnlimitedSandbox,
  trackedDomains,
  userCredential,
  useSandbox,
} from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Bulk Enrich';

/** The node as it comes out of the node panel, reading each item's `company`. */
export function bulkEnrich(
  parameters: INodeParameters = {},
  settings: NodeSettings = {},
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

/** The result that Bulk Enrich put into an item. */
export function enrichmentOf(json: IDataObject): IDataObject {
  return json['enrichment'] as IDataObject;
}
