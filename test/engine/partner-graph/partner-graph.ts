import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runWorkflow, source } from '../harness';
import { packageNode, userCredential, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Partner Graph';

/** Runs the node on items. */
export async function partnerGraph(
  sandbox: Sandbox,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  settings: NodeSettings = {},
) {
  return await runWorkflow({
    nodes: [source(items), packageNode('partnerGraph', parameters, settings)],
    credentials: userCredential(sandbox),
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
  });
}
