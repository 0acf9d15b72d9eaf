import {
  NodeHelpers,
  Workflow,
  type IDataObject,
  type INode,
  type INodeType,
  type IWorkflowSettings,
} from 'n8n-workflow';
import { HarnessCredentialsHelper, type CredentialsByType } from './credentials';
import { loadCredentialTypes, loadNodeTypes, type HarnessNodeTypes } from './node-types';
import {
  buildConnections,
  buildNodes,
  chain,
  editFields,
  type NodeSpec,
  type Wire,
} from './workflow-description';

/** A workflow as a test describes it. */
export interface WorkflowDescription {
  /** The first node is the start node. */
  nodes: NodeSpec[];
  /** Replaces the default: a chain in the order of `nodes`, first output to first input. */
  wires?: Wire[];
  /** Credential data by credential type. Each node gets the types that its description declares. */
  credentials?: CredentialsByType;
  /** The workflow's static data, kept by reference, so that a test sees the nodes' changes. */
  staticData?: IDataObject;
  settings?: IWorkflowSettings;
  /**
   * Adds a node that evaluates `expression` behind every output of `node`: see WorkflowRun.traced.
   */
  trace?: { node: string; expression: string };
}

/** A workflow in n8n's form, with the objects that it needs to run. */
export interface BuiltWorkflow {
  workflow: Workflow;
  nodes: INode[];
  nodeTypes: HarnessNodeTypes;
  credentialsHelper: HarnessCredentialsHelper;
  /** Names of the trace nodes, by output of the traced node. */
  traceNodes: string[];
}

/**
 * Converts the description to n8n's form.
 *
 * @throws {Error} if the description contradicts itself
 */
export async function buildWorkflow(options: WorkflowDescription): Promise<BuiltWorkflow> {
  const specs = [...options.nodes];
  const own = new Map<string, INodeType>();
  for (const { type, implementation } of specs) {
    if (implementation !== undefined) own.set(type, implementation);
  }
  const nodeTypes = await loadNodeTypes(
    specs.map(({ type }) => type),
    own,
  );
  const { credentials = {} } = options;
  const credentialsHelper = new HarnessCredentialsHelper(await loadCredentialTypes(), credentials);
  const build = (list: NodeSpec[]) => buildNodes(list, nodeTypes, credentials);

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
  return { workflow, nodes, nodeTypes, credentialsHelper, traceNodes };
}

/** Counts the node's main outputs, including its error output. */
function countOutputs(nodes: INode[], name: string, nodeTypes: HarnessNodeTypes): number {
  const found = nodes.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`The traced node "${name}" is not in the workflow.`);
  const { description } = nodeTypes.getByNameAndVersion(found.type, found.typeVersion);
  const workflow = new Workflow({ nodes: [found], connections: {}, active: false, nodeTypes });
  return NodeHelpers.getNodeOutputs(workflow, found, description).length;
}
