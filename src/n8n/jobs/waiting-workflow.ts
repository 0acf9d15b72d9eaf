import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

import { createInlineWorkflow } from '../n8n-versions';

/*
 * A node cannot poll, wait and poll again across restarts, because n8n resumes an execution after the
 * node that waits. So the node starts an inline workflow that waits for it; when that ends, its last
 * items become the node's output. n8n stores all of them in its database while they wait.
 *
 *     Begin → Rounds → Done? ─ yes → Results
 *               ↑        └─ no ┐
 *               └──────────────┘
 *
 * This workflow does not poll itself. If a process dies while it polls, n8n turns its execution into one
 * error and one item. So polling is another inline workflow, which Rounds waits for. If the output of
 * Rounds is not done, polling has died and starts again.
 *
 *     Begin → Poll → Over? ─ yes → Read
 *               ↑      └─ no → Wait ┐
 *               └───────────────────┘
 */

/** Name of the step whose items are the input of the node. */
export const BEGIN_NODE = 'Begin';

/** Values of `operation` that only the inline workflows use. */
export const STEPS = {
  rounds: 'durableWaitRounds',
  poll: 'durableWaitPoll',
  read: 'durableWaitRead',
  results: 'durableWaitResults',
} as const;

/**
 * Returns the inline workflow that waits for the node.
 *
 * @param own The waiting node; the steps use its type, version and credential.
 * @param workflowId ID of the node's workflow, because n8n only resumes workflows it has saved.
 * @param settings Settings of that workflow.
 */
export function createWaitingWorkflow(
  own: INode,
  workflowId: string,
  settings: IWorkflowSettings,
): IWorkflowBase {
  return createWorkflow(own, workflowId, 'wait', settings, {
    steps: [
      { ...createStep(own, 1, 'Rounds', STEPS.rounds), onError: 'continueRegularOutput' },
      createIfNode(own, DONE_NODE, 'done'),
      createStep(own, 3, 'Results', STEPS.results),
    ],
    connections: {
      [BEGIN_NODE]: { main: [[connectTo('Rounds')]] },
      Rounds: { main: [[connectTo(DONE_NODE)]] },
      [DONE_NODE]: { main: [[connectTo('Results')], [connectTo('Rounds')]] },
    },
  });
}

/** Returns the inline workflow that polls; for its parameters, see {@link createWaitingWorkflow}. */
export function createPollingWorkflow(
  own: INode,
  workflowId: string,
  settings: IWorkflowSettings,
): IWorkflowBase {
  return createWorkflow(own, workflowId, 'polling', settings, {
    steps: [
      createStep(own, 1, 'Poll', STEPS.poll),
      createIfNode(own, OVER_NODE, 'over'),
      createStep(own, 3, 'Read', STEPS.read),
      createCoreNode(own, 4, 'Wait', 'wait', 1.1, {
        resume: 'timeInterval',
        amount: '={{ $json.wait_seconds }}',
        unit: 'seconds',
      }),
    ],
    connections: {
      [BEGIN_NODE]: { main: [[connectTo('Poll')]] },
      Poll: { main: [[connectTo(OVER_NODE)]] },
      [OVER_NODE]: { main: [[connectTo('Read')], [connectTo('Wait')]] },
      Wait: { main: [[connectTo('Poll')]] },
    },
  });
}

function createWorkflow(
  own: INode,
  workflowId: string,
  purpose: string,
  { executionTimeout, timezone }: IWorkflowSettings,
  { steps, connections }: { steps: INode[]; connections: IConnections },
): IWorkflowBase {
  const begin = createCoreNode(own, 0, BEGIN_NODE, 'executeWorkflowTrigger', 1.1, {
    inputSource: 'passthrough',
  });
  return createInlineWorkflow(own, workflowId, purpose, {
    nodes: [begin, ...steps],
    connections,
    settings: {
      executionOrder: 'v1',
      callerPolicy: 'workflowsFromSameOwner',
      saveDataSuccessExecution: 'all',
      saveDataErrorExecution: 'all',
      ...(executionTimeout === undefined ? {} : { executionTimeout }),
      ...(timezone === undefined ? {} : { timezone }),
    },
  });
}

function createStep(own: INode, index: number, name: string, operation: string): INode {
  return {
    id: `${own.id}-${operation}`,
    name,
    type: own.type,
    typeVersion: own.typeVersion,
    position: toPosition(index),
    parameters: { authentication: own.parameters.authentication ?? 'userKey', operation },
    ...(own.credentials === undefined ? {} : { credentials: own.credentials }),
  };
}

function createCoreNode(
  own: INode,
  index: number,
  name: string,
  type: string,
  typeVersion: number,
  parameters: INode['parameters'],
): INode {
  return {
    id: `${own.id}-${name}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion,
    position: toPosition(index),
    parameters,
  };
}

function toPosition(index: number): [number, number] {
  return [index * 220, 0];
}

const OVER_NODE = 'Over?';
const DONE_NODE = 'Done?';

/** Returns an IF node. All items take the branch of the first item. */
function createIfNode(own: INode, name: string, field: 'over' | 'done'): INode {
  const condition = {
    id: field,
    leftValue: `={{ $input.first().json.${field} === true }}`,
    rightValue: '',
    operator: { type: 'boolean', operation: 'true', singleValue: true },
  };
  const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
  return createCoreNode(own, 2, name, 'if', 2.2, {
    conditions: { options, combinator: 'and', conditions: [condition] },
  });
}

function connectTo(node: string) {
  return { node, type: 'main', index: 0 } as const;
}
