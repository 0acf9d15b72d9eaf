import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
  NodeHelpers,
  Workflow,
  type ICredentialType,
  type IDataObject,
  type INode,
  type INodeType,
  type IWorkflowSettings,
  type WorkflowExecuteMode,
} from 'n8n-workflow';
import { createAdditionalData, type Surroundings } from './additional-data';
import { CredentialStore, HarnessCredentialsHelper } from './credentials';
import { recordLogs } from './logging';
import { loadCredentialTypes, loadNodeTypes, type HarnessNodeTypes } from './node-types';
import {
  buildConnections,
  buildNodes,
  chain,
  editFields,
  type CredentialsByType,
  type NodeSpec,
  type Wire,
} from './workflow-description';
import { WorkflowRun } from './workflow-run';

/** A workflow and how to run it. */
export interface WorkflowOptions extends Pick<
  Surroundings,
  'executeWorkflow' | 'getRunExecutionData'
> {
  /** The first is the start node. */
  nodes: NodeSpec[];
  /** Replaces the default: a chain in the order of `nodes`, first output to first input. */
  wires?: Wire[];
  /** Data by credential type; each node gets those its type declares. */
  credentials?: CredentialsByType;
  /** Credential types of the test's own, beside the package's. */
  credentialTypes?: ICredentialType[];
  /** `manual` (default) is a run from the editor, `trigger` one in production. */
  mode?: WorkflowExecuteMode;
  /** The same id twice looks to nodes like one execution. A new one by default. */
  executionId?: string;
  /** The workflow's stored data, kept by reference: nodes' changes show in it. */
  staticData?: IDataObject;
  settings?: IWorkflowSettings;
  /** Puts a node behind every output of `node` that evaluates `expression`: see WorkflowRun.traced. */
  trace?: { node: string; expression: string };
}

/** A workflow on its way. */
export interface RunningWorkflow {
  /** Settles when n8n is about to run the node; rejects if the workflow ends before. */
  started(nodeName: string): Promise<void>;
  /** What Stop in the editor does: nodes' cancel signals fire, no further node is started. */
  cancel(): void;
  /** Settles when the running node has returned and the run is over, however it ended. */
  finished: Promise<WorkflowRun>;
}

let executions = 0;

/** Runs a workflow to its end. Failed runs do not reject: see `status` and `error` of the result. */
export async function runWorkflow(options: WorkflowOptions): Promise<WorkflowRun> {
  return await (
    await startWorkflow(options)
  ).finished;
}

/** Starts a workflow; rejects when the description itself is wrong. */
export async function startWorkflow(options: WorkflowOptions): Promise<RunningWorkflow> {
  const logs = recordLogs();
  const { workflow, nodes, helper, traceNodes } = await buildWorkflow(options);
  const mode = options.mode ?? 'manual';
  const executionId = options.executionId ?? `execution-${++executions}`;

  const hooks = new ExecutionLifecycleHooks(mode, executionId, {
    id: workflow.id,
    name: 'Harness workflow',
    active: false,
    activeVersionId: null,
    isArchived: false,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    nodes,
    connections: workflow.connectionsBySourceNode,
    settings: workflow.settings,
  });
  const begun = new Set<string>();
  const waiting: Array<{ nodeName: string; resolve: () => void; reject: (e: Error) => void }> = [];
  hooks.addHandler('nodeExecuteBefore', (nodeName) => {
    begun.add(nodeName);
    for (const one of waiting) if (one.nodeName === nodeName) one.resolve();
  });

  const uiMessages: unknown[] = [];
  const additionalData = createAdditionalData({
    ...options,
    credentialsHelper: helper,
    hooks,
    executionId,
    sendDataToUI: (type, data) => uiMessages.push({ type, data }),
  });
  const startNode = nodes[0];
  if (startNode === undefined) throw new Error('A workflow needs at least one node.');
  const execution = new WorkflowExecute(additionalData, mode).run({ workflow, startNode });

  const finished = Promise.resolve(execution).then((record) => {
    for (const { nodeName, reject } of waiting) {
      reject(new Error(`The workflow ended before the node "${nodeName}" started.`));
    }
    return new WorkflowRun(record, { logs: logs(), uiMessages, traceNodes });
  });
  return {
    started: (nodeName) =>
      begun.has(nodeName)
        ? Promise.resolve()
        : new Promise((resolve, reject) => waiting.push({ nodeName, resolve, reject })),
    cancel: () => {
      execution.cancel();
    },
    finished,
  };
}

async function buildWorkflow(options: WorkflowOptions) {
  const specs = [...options.nodes];
  const own = new Map<string, INodeType>();
  for (const { type, implementation } of specs) {
    if (implementation !== undefined) own.set(type, implementation);
  }
  const nodeTypes = await loadNodeTypes(
    specs.map(({ type }) => type),
    own,
  );
  const wantedCredentials = [
    options.credentials,
    ...specs.map((spec) => spec.options.credentials),
  ].flatMap((byType) => Object.keys(byType ?? {}));
  const store = new CredentialStore();
  const helper = new HarnessCredentialsHelper(
    await loadCredentialTypes(wantedCredentials, options.credentialTypes),
    store,
  );
  const build = (list: NodeSpec[]) => buildNodes(list, nodeTypes, options.credentials ?? {}, store);

  const described = build(specs);
  const wires = [...(options.wires ?? chain(described.map(({ name }) => name)))];
  const traceNodes: string[] = [];
  if (options.trace !== undefined) {
    const { node, expression } = options.trace;
    const outputs = countOutputs(described, node, nodeTypes);
    for (let output = 0; output < outputs; output++) {
      const name = `Trace of ${node}, output ${output}`;
      specs.push(editFields(name, { traced: expression }));
      wires.push({ from: node, to: name, output });
      traceNodes.push(name);
    }
  }

  const nodes = build(specs);
  const names = nodes.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw new Error(`Two nodes are named "${repeated}"; give one another \`name\`.`);
  }
  const workflow = new Workflow({
    id: 'harness-workflow',
    name: 'Harness workflow',
    nodes,
    connections: buildConnections(wires, names),
    active: false,
    nodeTypes,
    staticData: options.staticData ?? {},
    settings: { executionOrder: 'v1', ...options.settings },
  });
  return { workflow, nodes, helper, traceNodes };
}

/** How many main outputs the node has, its error output included. */
function countOutputs(nodes: INode[], name: string, nodeTypes: HarnessNodeTypes): number {
  const found = nodes.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`The traced node "${name}" is not in the workflow.`);
  const { description } = nodeTypes.getByNameAndVersion(found.type, found.typeVersion);
  const workflow = new Workflow({ nodes: [found], connections: {}, active: false, nodeTypes });
  return NodeHelpers.getNodeOutputs(workflow, found, description).length;
}
