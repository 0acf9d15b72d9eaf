import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
  Workflow,
  type ExecuteWorkflowOptions,
  type ExecutionError,
  type ICredentialsHelper,
  type IExecuteWorkflowInfo,
  type INodeExecutionData,
  type INodeType,
  type IRunExecutionData,
  type WorkflowExecuteMode,
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
  readonly parent?: { readonly resultData: object } | Promise<never> | undefined;
  readonly credentialsHelper?: ICredentialsHelper;
  /** n8n loses the execution that polls: with its last items, or in queue mode with an error. */
  readonly loses?: 'items' | 'error';
}

/** An execution of an inline workflow, which is stored as JSON between two runs, like in n8n's database. */
interface Execution {
  readonly workflow: Workflow;
  readonly hooks: ExecutionLifecycleHooks;
  stored: string;
  /** What n8n gives to the execution that waits, if this one is over, or lost. */
  items: INodeExecutionData[];
}

/**
 * Opens the workflow that a node asked n8n to run. The result runs it, and the one that polls for it, in n8n's
 * engine until they wait or end.
 */
export async function openInlineWorkflow(
  info: IExecuteWorkflowInfo,
  { inputData, executionMode: mode = 'trigger' }: ExecuteWorkflowOptions,
  credentials: CredentialsByType,
) {
  const helper = await createCredentialsHelper(credentials);
  const waiting = await createExecution(info, inputData, mode);
  const polling: Execution[] = [];

  async function run(execution: Execution, { credentialsHelper = helper, ...given }: Surroundings) {
    const parent = 'parent' in given ? given.parent : { resultData: {} };
    const additionalData = createAdditionalData({
      credentialsHelper,
      hooks: execution.hooks,
      executionId: 'inline',
      getRunExecutionData: async () => await Promise.resolve(parent as IRunExecutionData),
      executeWorkflow: async (child, _additionalData, options) => {
        const started = await createExecution(child, options.inputData, mode);
        polling.push(started);
        const { items, waitTill } = await run(started, { credentialsHelper, ...given });
        return { executionId: 'polling', data: [items], waitTill };
      },
    });
    const data = JSON.parse(execution.stored) as IRunExecutionData;
    const engine = new WorkflowExecute(additionalData, mode, data);
    const {
      status,
      waitTill,
      data: after,
    } = await engine.processRunExecutionData(execution.workflow);
    execution.stored = JSON.stringify(after);
    const { lastNodeExecuted = '', runData, error } = after.resultData;
    execution.items = runData[lastNodeExecuted]?.at(-1)?.data?.['main']?.[0] ?? [];
    return { status, waitTill, error, items: execution.items };
  }

  return async (given: Surroundings = {}) => {
    const polled = polling.at(-1);
    if (polled !== undefined) {
      if (given.loses === undefined) {
        const polls = await run(polled, given);
        if (polls.waitTill !== undefined) return { ...polls, items: waiting.items };
      }
      const data = JSON.parse(waiting.stored) as IRunExecutionData;
      const [entry] = data.executionData!.nodeExecutionStack;
      entry!.data = { main: [polled.items] };
      const resumeError = { message: 'job stalled more than maxStalledCount' } as ExecutionError;
      if (given.loses === 'error') entry!.metadata = { ...entry!.metadata, resumeError };
      waiting.stored = JSON.stringify(data);
    }
    return await run(waiting, given);
  };
}

async function createExecution(
  { code }: IExecuteWorkflowInfo,
  inputData: INodeExecutionData[] = [],
  mode: WorkflowExecuteMode,
): Promise<Execution> {
  if (code?.nodes[0] === undefined) throw new Error('The node runs no inline workflow.');
  const [begin] = code.nodes;
  const nodeTypes = await loadNodeTypes(
    code.nodes.map(({ type }) => type),
    CORE_NODES,
  );
  const stored = JSON.stringify({
    resultData: { runData: {} },
    executionData: {
      contextData: {},
      nodeExecutionStack: [{ node: begin, data: { main: [inputData] }, source: null }],
      metadata: {},
      waitingExecution: {},
      waitingExecutionSource: {},
    },
  });
  const hooks = new ExecutionLifecycleHooks(mode, 'inline', code);
  return { workflow: new Workflow({ ...code, nodeTypes }), hooks, stored, items: [] };
}
