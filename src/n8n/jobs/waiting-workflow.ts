import type { INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

import { inlineWorkflow } from '../n8n-versions';

/*
 * A node cannot poll, wait and poll again across restarts: n8n resumes an execution behind the node
 * that waits. So the node starts a small workflow of its own that does nothing but wait and poll,
 * and waits for that. n8n keeps both in its database while they wait. When the small workflow ends,
 * its last items become the node's output.
 *
 *     Begin → Poll → Over? ─ yes → Results
 *               ↑      └─ no → If Lost → Wait ┐
 *               └─────────────────────────────┘
 *
 * When a worker dies while the small workflow runs, n8n may take the items that it was parked with,
 * those of Wait, for its output, and no step runs any more. So what waits is what should come out then.
 */

/** The step whose items are what the node was given. */
export const BEGIN = 'Begin';
/** The step whose last items say where the wait stands. */
export const POLL = 'Poll';
/** The step whose items come out if the small workflow dies. */
export const IF_LOST = 'If Lost';

/** Values of `operation` that only the small workflow uses. */
export const STEPS = {
  poll: 'durableWaitPoll',
  ifLost: 'durableWaitIfLost',
  results: 'durableWaitResults',
} as const;

/**
 * The small workflow.
 *
 * @param own the node that waits; its type, version and credential are those of the steps.
 * @param workflowId n8n only goes on with workflows it has saved, so it borrows the id of that one.
 * @param settings of that workflow.
 */
export function waitingWorkflow(
  own: INode,
  workflowId: string,
  { executionTimeout, timezone }: IWorkflowSettings,
): IWorkflowBase {
  const place = (index: number): [number, number] => [index * 220, 0];
  const step = (index: number, name: string, operation: string): INode => ({
    id: `${own.id}-${operation}`,
    name,
    type: own.type,
    typeVersion: own.typeVersion,
    position: place(index),
    parameters: { authentication: own.parameters.authentication ?? 'userKey', operation },
    ...(own.credentials === undefined ? {} : { credentials: own.credentials }),
  });
  const core = (index: number, name: string, type: string, version: number): INode => ({
    id: `${own.id}-${name}`,
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion: version,
    position: place(index),
    parameters: {},
  });
  return inlineWorkflow(own, workflowId, 'wait', {
    nodes: [
      {
        ...core(0, BEGIN, 'executeWorkflowTrigger', 1.1),
        parameters: { inputSource: 'passthrough' },
      },
      step(1, POLL, STEPS.poll),
      { ...core(2, 'Over?', 'if', 2.2), parameters: { conditions: OVER } },
      step(3, 'Results', STEPS.results),
      step(4, IF_LOST, STEPS.ifLost),
      {
        ...core(5, 'Wait', 'wait', 1.1),
        parameters: {
          resume: 'timeInterval',
          amount: `={{ $items('${POLL}')[0].json.wait_seconds }}`,
          unit: 'seconds',
        },
      },
    ],
    connections: {
      [BEGIN]: { main: [[to(POLL)]] },
      [POLL]: { main: [[to('Over?')]] },
      'Over?': { main: [[to('Results')], [to(IF_LOST)]] },
      [IF_LOST]: { main: [[to('Wait')]] },
      Wait: { main: [[to(POLL)]] },
    },
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

/** The condition of n8n's IF node. */
const OVER = {
  options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
  combinator: 'and',
  conditions: [
    {
      id: 'over',
      leftValue: '={{ $json.over }}',
      rightValue: '',
      operator: { type: 'boolean', operation: 'true', singleValue: true },
    },
  ],
};

function to(node: string) {
  return { node, type: 'main', index: 0 } as const;
}
