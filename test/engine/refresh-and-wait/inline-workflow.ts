import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
  Workflow,
  type ExecuteWorkflowOptions,
  type ICredentialsHelper,
  type IExecuteWorkflowInfo,
  type INodeType,
  type IRunExecutionData,
} from 'n8n-workflow';

import { defineNode } from '../harness';
import { createAdditionalData } from '../harness/build-workflow';
import { createCredentialsHelper, type CredentialsByType } from '../harness/credentials';
import { loadNodeTypes } from '../harness/node-types';

/** What the inline workflow of a wait uses of n8n's own nodes. */
const CORE_NODES: ReadonlyMap<string, INodeType> = new Map([
  [
    'n8n-nodes-base.executeWorkflowTrigger',
    defineNode('Trigger', (context) => Promise.resolve([context.getInputData()])),
  ],
  [
    'n8n-nodes-base.if',
    defineNode(
      'If',
      (context) => {
        const outputs = [true, false].map((wanted) =>
          context.getInputData().filter((_item, index) => {
            const { conditions } = context.getNodeParameter('conditions', index) as {
              conditions: Array<{ leftValue: boolean }>;
            };
            return conditions[0]?.leftValue === wanted;
          }),
        );
        return Promise.resolve(outputs);
      },
      {
        outputs: ['main', 'main'],
        properties: [{ displayName: '', name: 'conditions', type: 'json', default: '' }],
      },
    ),
  ],
]);

interface Surroundings {
  /** What n8n has of the execution that waits; undefined if it was deleted. */
  readonly parent?: { readonly resultData: object } | undefined;
  readonly credentialsHelper?: ICredentialsHelper;
}

/**
 * Opens the workflow that a node asked n8n to run. The result runs it in n8n's engine until it waits or ends;
 * between two calls it is stored as JSON, like in n8n's database.
 */
export async function openInlineWorkflow(
  { code }: IExecuteWorkflowInfo,
  { inputData = [], executionMode: mode = 'trigger' }: ExecuteWorkflowOptions,
  credentials: CredentialsByType,
) {
  if (code?.nodes[0] === undefined) throw new Error('The node runs no inline workflow.');
  const [begin] = code.nodes;
  const nodeTypes = await loadNodeTypes(
    code.nodes.map(({ type }) => type),
    CORE_NODES,
  );
  const workflow = new Workflow({ ...code, nodeTypes });
  const helper = await createCredentialsHelper(credentials);
  let stored = JSON.stringify({
    resultData: { runData: {} },
    executionData: {
      contextData: {},
      nodeExecutionStack: [{ node: begin, data: { main: [inputData] }, source: null }],
      metadata: {},
      waitingExecution: {},
      waitingExecutionSource: {},
    },
  });
  return async ({ credentialsHelper = helper, ...given }: Surroundings = {}) => {
    const parent = 'parent' in given ? given.parent : { resultData: {} };
    const additionalData = createAdditionalData({
      credentialsHelper,
      hooks: new ExecutionLifecycleHooks(mode, 'inline', code),
      executionId: 'inline',
      getRunExecutionData: async () => await Promise.resolve(parent as IRunExecutionData),
    });
    const data = JSON.parse(stored) as IRunExecutionData;
    const engine = new WorkflowExecute(additionalData, mode, data);
    const { status, waitTill, data: after } = await engine.processRunExecutionData(workflow);
    stored = JSON.stringify(after);
    const { lastNodeExecuted = '', runData, error } = after.resultData;
    return {
      status,
      waitTill,
      error,
      /** Names of the nodes that have run. */
      ran: Object.keys(runData),
      /** What n8n gives to the execution that waits, if the inline workflow is over now, or lost. */
      items: runData[lastNodeExecuted]?.at(-1)?.data?.['main']?.[0] ?? [],
    };
  };
}
