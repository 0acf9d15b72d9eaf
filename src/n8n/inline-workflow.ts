import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

/*
 * Workflows that a node runs itself, and that appear in no list. They start with the step Begin, which
 * passes their input on.
 */

/** Name of the first step. */
export const BEGIN_NODE = 'Begin';

/** A step without its place, which is decided by its order. */
export type Step = Omit<INode, 'position'>;

/** What differs between inline workflows. */
interface Content {
  /** Begin leads to the first one. */
  readonly steps: readonly [Step, ...Step[]];
  /** Of the other steps. */
  readonly connections?: IConnections;
  readonly settings: IWorkflowSettings;
}

/**
 * Returns an inline workflow.
 *
 * @param own The node that runs it.
 * @param workflowId ID of the node's workflow, which the inline workflow counts as part of.
 * @param purpose Second part of its name, after the name of the node.
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

/** Returns a step that is one of n8n's own nodes. */
export function createCoreNode(
  own: INode,
  name: string,
  [type, typeVersion]: readonly [type: string, version: number],
  parameters: INode['parameters'],
): Step {
  return {
    id: `${own.id}-${name}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    parameters,
  };
}

/** Returns a connection to the only input of a step. */
export function connectTo(node: string) {
  return { node, type: 'main', index: 0 } as const;
}
