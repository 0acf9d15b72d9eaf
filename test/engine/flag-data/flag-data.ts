import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runWorkflow, source, type CredentialsByType, type WorkflowRun } from '../harness';
import { packageNode, userCredential, type NodeSettings } from '../shared/service';

/** How a workflow that is tested refers to the node. */
export const NAME = 'Flag Data';

interface Change {
  readonly parameters?: INodeParameters;
  readonly settings?: NodeSettings;
  readonly credentials?: CredentialsByType;
  readonly executionId?: string;
}

/** Flags the `company` of each item, saying its `text`. */
export async function flag(
  sandbox: Sandbox,
  items: readonly IDataObject[],
  { parameters = {}, settings = {}, credentials, executionId }: Change = {},
): Promise<WorkflowRun> {
  return await runWorkflow({
    nodes: [
      source(items.map((item, id) => ({ ...item, id }))),
      packageNode(
        'flagData',
        { identifier: '={{ $json.company }}', description: '={{ $json.text }}', ...parameters },
        settings,
      ),
    ],
    credentials: credentials ?? userCredential(sandbox),
    trace: { node: NAME, expression: "={{ $('Source').item.json.id }}" },
    ...(executionId === undefined ? {} : { executionId }),
  });
}
