import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeSpec } from '../harness';
import { running } from '../shared/nodes';
import { packageNode, type NodeSettings } from '../shared/service';

export {
  ON_ERROR,
  startUnlimitedSandbox,
  trackedDomains,
  userCredential,
  useFreshSandbox,
  useSandbox,
} from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Bulk Enrich';

const USUAL = { domain: '={{ $json.company }}', include: [] };

/** The node as it comes out of the node panel, reading each item's `company`. */
export function bulkEnrich(parameters: INodeParameters = {}, settings?: NodeSettings): NodeSpec {
  return packageNode('bulkEnrich', { ...USUAL, ...parameters }, settings);
}

/** Runs it by itself. */
export const enrich = running('bulkEnrich', NAME, USUAL);

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
