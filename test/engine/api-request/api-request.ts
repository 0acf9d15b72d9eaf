import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runWorkflow, source, type CredentialsByType, type WorkflowRun } from '../harness';
import { packageNode, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'API Request';

/** Runs the node on items. */
export async function apiRequest(
  credentials: CredentialsByType,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  settings: NodeSettings = {},
): Promise<WorkflowRun> {
  return await runWorkflow({
    nodes: [
      source(items.map((item, id) => ({ ...item, id }))),
      packageNode('apiRequest', parameters, settings),
    ],
    credentials,
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
  });
}
