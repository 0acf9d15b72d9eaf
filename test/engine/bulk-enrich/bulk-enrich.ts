import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeSpec } from '../harness';
import { resultIn, running } from '../shared/nodes';
import { packageNode, type NodeSettings } from '../shared/service';

export {
  ON_ERROR,
  trackedDomains,
  userCredential,
  useFreshSandbox,
  useSandbox,
} from '../shared/service';

export const NAME = 'Bulk Enrich';

const USUAL = { domain: '={{ $json.company }}', include: [] };

/**
 * Describes the node as the node panel adds it, with an expression that reads each item's
 * `company`.
 */
export function bulkEnrich(parameters: INodeParameters = {}, settings?: NodeSettings): NodeSpec {
  return packageNode('bulkEnrich', { ...USUAL, ...parameters }, settings);
}

export const enrich = running('bulkEnrich', NAME, USUAL);

/** Returns `count` rows, each with its own number, which repeat the given domains in order. */
export function leads(domains: readonly string[], count = domains.length): IDataObject[] {
  return Array.from({ length: count }, (_unused, id) => ({
    id,
    company: domains[id % domains.length] ?? '',
  }));
}

export function enrichmentOf(json: IDataObject): IDataObject {
  return resultIn(json, 'enriched_');
}
