import type { INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

/*
 * A node cannot poll, wait and poll again across restarts, because n8n resumes an execution after the node
 * that waits. So the node starts an inline workflow, which appears in no list, and waits for it. Its last items
 * become the node's output.
 *
 *     Begin → Over? ─ yes → Results
 *               ↑  └─ no → Watch
 *               └────────────┘
 *
 * This workflow does not poll, because n8n ends an execution that was due while its process restarted. Watch waits
 * for a second inline workflow that polls, and starts it again if n8n lost it. Its step Round polls, then suspends
 * that workflow until the next poll. n8n stores all three executions in its database while they wait.
 *
 *     Begin → Over? ─ no → Round
 *               ↑            │
 *               └────────────┘
 *
 * Over? is before Watch and Round, because n8n invents an item for each node that runs for the first time in a
 * process that dies.
 */

export const BEGIN_NODE = 'Begin';
const OVER_NODE = 'Over?';

/** Operations of the steps. Only the inline workflows use them. */
export const STEPS = {
  Watch: 'durableWaitWatch',
  Results: 'durableWaitResults',
  Round: 'durableWaitRound',
} as const;

type Step = keyof typeof STEPS;

/**
 * @param own The node that waits.
 * @param workflowId Of the node's workflow, because n8n only resumes workflows it has saved.
 * @param steps The one that is repeated until the wait is over, and the one after it.
 */
export function createInlineWorkflow(
  own: INode,
  workflowId: string,
  { timezone }: IWorkflowSettings,
  steps: readonly [repeated: Step, last?: Step],
): IWorkflowBase {
  const now = new Date();
  const [repeated, last] = steps;
  const nodes = [
    createCoreNode(BEGIN_NODE, ['executeWorkflowTrigger', 1.1], { inputSource: 'passthrough' }),
    createCoreNode(OVER_NODE, ['if', 2.2], IS_OVER),
    ...steps.map((step = repeated) => createOwnNode(step, own)),
  ];
  return {
    id: workflowId,
    name: `${own.name}: ${repeated}`,
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
      [OVER_NODE]: { main: [last ? [connectTo(last)] : [], [connectTo(repeated)]] },
      [repeated]: { main: [[connectTo(OVER_NODE)]] },
    },
    settings: {
      executionOrder: 'v1',
      callerPolicy: 'workflowsFromSameOwner',
      saveDataSuccessExecution: 'all',
      saveDataErrorExecution: 'all',
      // No timeout, in spite of the instance's default. If n8n cancels the workflow at the moment when it resumes,
      // n8n finds neither items nor an error, and never resumes the execution that waits for it.
      executionTimeout: -1,
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
        leftValue: '={{ $json.over === true }}',
        rightValue: '',
        operator: { type: 'boolean', operation: 'true', singleValue: true },
      },
    ],
  },
};

function createOwnNode(
  name: Step,
  { type, typeVersion, credentials, parameters: { authentication = 'userKey' } }: INode,
) {
  return {
    ...{ name, type, typeVersion, parameters: { authentication, operation: STEPS[name] } },
    ...(credentials === undefined ? {} : { credentials }),
    // If polling fails as a whole, Watch outputs an error, and runs again.
    ...(name === 'Watch' ? { onError: 'continueRegularOutput' as const } : {}),
  };
}

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
