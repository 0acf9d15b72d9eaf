import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runWorkflow, source } from '../harness';
import { packageNode, userCredential, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Tech Users';

/** A technology given by its key. */
export function byKey(value: string) {
  return { __rl: true, mode: 'id', value };
}

/** Runs the node on items. */
export async function techUsers(
  sandbox: Sandbox,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  settings: NodeSettings = {},
) {
  return await runWorkflow({
    nodes: [source(items), packageNode('techUsers', parameters, settings)],
    credentials: userCredential(sandbox),
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
  });
}
