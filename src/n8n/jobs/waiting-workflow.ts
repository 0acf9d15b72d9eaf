import type { INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

/*
 * A node cannot poll, wait and poll again across restarts, because n8n resumes an execution after the
 * node that waits. So the node starts an inline workflow, which appears in no list, and waits for it. Its last
 * items become the node's output. n8n stores both executions in its database while they wait.
 *
 *     Begin → Over? ─ no → Round
 *               ↑            │
 *               └────────────┘
 *
 * Round polls, then suspends this workflow until the next poll; what it returns meanwhile becomes the node's
 * output if n8n's process dies before that poll has ended. Over? is before the first Round, because n8n invents
 * an item for each node that runs for the first time in a process that dies.
 */

export const BEGIN_NODE = 'Begin';
const OVER_NODE = 'Over?';
const ROUND_NODE = 'Round';

/** Only the inline workflow uses this operation. */
export const ROUND_OPERATION = 'durableWaitRound';

/** In spite of the instance's default. */
const NO_TIMEOUT = -1;

/**
 * @param own The node that waits.
 * @param workflowId Of the node's workflow, because n8n only resumes workflows it has saved.
 */
export function createWaitingWorkflow(
  own: INode,
  workflowId: string,
  { timezone }: IWorkflowSettings,
): IWorkflowBase {
  const now = new Date();
  const { authentication = 'userKey' } = own.parameters;
  const nodes = [
    createCoreNode(BEGIN_NODE, ['executeWorkflowTrigger', 1.1], { inputSource: 'passthrough' }),
    createCoreNode(OVER_NODE, ['if', 2.2], IS_OVER),
    {
      name: ROUND_NODE,
      type: own.type,
      typeVersion: own.typeVersion,
      parameters: { authentication, operation: ROUND_OPERATION },
      ...(own.credentials === undefined ? {} : { credentials: own.credentials }),
    },
  ];
  return {
    id: workflowId,
    name: `${own.name}: wait`,
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: now,
    updatedAt: now,
    nodes: nodes.map((node, index) => {
      return { ...node, id: `${own.id}-${node.name}`, position: [index * 220, 0] };
    }),
    connections: {
      [BEGIN_NODE]: { main: [[connectTo(OVER_NODE)]] },
      [OVER_NODE]: { main: [[], [connectTo(ROUND_NODE)]] },
      [ROUND_NODE]: { main: [[connectTo(OVER_NODE)]] },
    },
    settings: {
      executionOrder: 'v1',
      callerPolicy: 'workflowsFromSameOwner',
      saveDataSuccessExecution: 'all',
      saveDataErrorExecution: 'all',
      // If n8n cancels the workflow at the moment when it resumes, n8n finds neither items nor an error, and
      // never resumes the execution that waits for it.
      executionTimeout: NO_TIMEOUT,
      ...(timezone === undefined ? {} : { timezone }),
    },
  };
}

const IS_OVER = {
  conditions: {
    options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
    combinator: 'and',
    conditions: [
      {
        id: 'over',
        leftValue: `={{ $('${ROUND_NODE}').context.over === true }}`,
        rightValue: '',
        operator: { type: 'boolean', operation: 'true', singleValue: true },
      },
    ],
  },
};

function createCoreNode(
  name: string,
  [type, typeVersion]: readonly [type: string, version: number],
  parameters: INode['parameters'],
) {
  return { name, type: `n8n-nodes-base.${type}`, typeVersion, parameters };
}

function connectTo(node: string) {
  return { node, type: 'main', index: 0 } as const;
}
