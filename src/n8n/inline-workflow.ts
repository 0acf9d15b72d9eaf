import type { INode, IWorkflowBase } from 'n8n-workflow';

/**
 * A workflow that a node runs beside its own, and that nobody sees in a list.
 *
 * @param workflowId of the node's workflow: it counts as a part of that.
 * @param purpose in its name, behind the node's.
 */
export function inlineWorkflow(
  own: INode,
  workflowId: string,
  purpose: string,
  content: Pick<IWorkflowBase, 'nodes' | 'connections' | 'settings'>,
): IWorkflowBase {
  const now = new Date();
  return {
    id: workflowId,
    name: `${own.name}: ${purpose}`,
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: now,
    updatedAt: now,
    ...content,
  };
}
