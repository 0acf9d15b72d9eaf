import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

/*
 * Workflows that a node runs itself, and that appear in no list. They start with the step Begin, which
 * passes their input on.
 */

export const BEGIN_NODE = 'Begin';

/** The order of the steps decides their places. */
export type Step = Omit<INode, 'position'>;

interface Content {
  /** Begin leads to the first one. */
  readonly steps: readonly [Step, ...Step[]];
  /** Of the other steps. */
  readonly connections?: IConnections;
  readonly settings: IWorkflowSettings;
}

/**
 * @param own The node that runs it.
 * @param workflowId Of the node's workflow, which the inline workflow counts as part of.
 */
export function createInlineWorkflow(
  own: INode,
  workflowId: string,
  purpose: string,
  { steps, connections, settings }: Content,
): IWorkflowBase {
  const now = new Date();
  const begin = createCoreNode(own, BEGIN_NODE, ['executeWorkflowTrigger', 1.1], {
    inputSource: 'passthrough',
  });
  return {
    id: workflowId,
    name: `${own.name}: ${purpose}`,
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: now,
    updatedAt: now,
    nodes: [begin, ...steps].map((step, index) => ({ ...step, position: [index * 220, 0] })),
    connections: { [BEGIN_NODE]: { main: [[connectTo(steps[0].name)]] }, ...connections },
    settings: { executionOrder: 'v1', callerPolicy: 'workflowsFromSameOwner', ...settings },
  };
}

export function createCoreNode(
  own: INode,
  name: string,
  [type, typeVersion]: readonly [type: string, version: number],
  parameters: INode['parameters'],
): Step {
  return { id: `${own.id}-${name}`, name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

export function connectTo(node: string) {
  return { node, type: 'main', index: 0 } as const;
}
