import type { INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

import { connectTo, createCoreNode, createInlineWorkflow, type Step } from '../inline-workflow';

/*
 * A node cannot poll, wait and poll again across restarts, because n8n resumes an execution after the
 * node that waits. So the node starts an inline workflow that waits for it; when that ends, its last
 * items become the node's output. n8n stores all of them in its database while they wait.
 *
 *     Begin → Rounds → Over? ─ yes → Results
 *               ↑        └─ no ┐
 *               └──────────────┘
 *
 * This workflow does not poll itself. If a process dies while it polls, n8n turns its execution into one
 * error and one item. So polling is another inline workflow, which Rounds waits for. If the output of
 * Rounds is not over, polling has died and starts again.
 *
 *     Begin → Poll → Over? ─ yes → End
 *               ↑      └─ no → Wait ┐
 *               └───────────────────┘
 */

/** Only the inline workflows use these operations. */
export const STEPS = {
  rounds: 'durableWaitRounds',
  poll: 'durableWaitPoll',
  results: 'durableWaitResults',
} as const;

/** In spite of the instance's default. */
const NO_TIMEOUT = -1;

/** @param workflowId Of the node's workflow, because n8n only resumes workflows it has saved. */
export function createWaitingWorkflow(
  own: INode,
  workflowId: string,
  settings: IWorkflowSettings,
): IWorkflowBase {
  return createInlineWorkflow(own, workflowId, 'wait', {
    settings: toOwnSettings(settings),
    steps: [
      { ...createStep(own, 'Rounds', STEPS.rounds), onError: 'continueRegularOutput' },
      createOverNode(own),
      createStep(own, 'Results', STEPS.results),
    ],
    connections: {
      Rounds: { main: [[connectTo(OVER_NODE)]] },
      [OVER_NODE]: { main: [[connectTo('Results')], [connectTo('Rounds')]] },
    },
  });
}

export function createPollingWorkflow(
  own: INode,
  workflowId: string,
  settings: IWorkflowSettings,
): IWorkflowBase {
  return createInlineWorkflow(own, workflowId, 'polling', {
    settings: toOwnSettings(settings),
    steps: [
      createStep(own, 'Poll', STEPS.poll),
      createOverNode(own),
      createCoreNode(own, 'End', ['noOp', 1], {}),
      createCoreNode(own, 'Wait', ['wait', 1.1], {
        resume: 'timeInterval',
        amount: '={{ $json.wait_seconds }}',
        unit: 'seconds',
      }),
    ],
    connections: {
      Poll: { main: [[connectTo(OVER_NODE)]] },
      [OVER_NODE]: { main: [[connectTo('End')], [connectTo('Wait')]] },
      Wait: { main: [[connectTo('Poll')]] },
    },
  });
}

/**
 * If n8n cancels the workflow at the moment when it resumes, n8n finds neither items nor an error, and never
 * resumes the execution that waits for it.
 */
function toOwnSettings({ timezone }: IWorkflowSettings): IWorkflowSettings {
  return {
    saveDataSuccessExecution: 'all',
    saveDataErrorExecution: 'all',
    executionTimeout: NO_TIMEOUT,
    ...(timezone === undefined ? {} : { timezone }),
  };
}

function createStep(own: INode, name: string, operation: string): Step {
  return {
    id: `${own.id}-${operation}`,
    name,
    type: own.type,
    typeVersion: own.typeVersion,
    parameters: { authentication: own.parameters.authentication ?? 'userKey', operation },
    ...(own.credentials === undefined ? {} : { credentials: own.credentials }),
  };
}

const OVER_NODE = 'Over?';

/** All items take the branch of the first item. */
function createOverNode(own: INode): Step {
  const condition = {
    id: 'over',
    leftValue: '={{ $input.first().json.over === true }}',
    rightValue: '',
    operator: { type: 'boolean', operation: 'true', singleValue: true },
  };
  const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
  return createCoreNode(own, OVER_NODE, ['if', 2.2], {
    conditions: { options, combinator: 'and', conditions: [condition] },
  });
}
