import { ExternalSecretsProxy } from 'n8n-core';
import {
  NodeConnectionTypes,
  Workflow,
  type IConnections,
  type IDataObject,
  type INode,
  type INodeParameters,
  type INodeType,
  type IWorkflowExecuteAdditionalData,
  type IWorkflowSettings,
} from 'n8n-workflow';
import { createCredentialsHelper, type CredentialsByType } from './credentials';
import { loadNodeTypes } from './node-types';
import { createSourceNode } from './test-nodes';

/** Settings of one node that differ from n8n's defaults. */
export interface NodeOptions extends Pick<
  INode,
  'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'
> {
  /** Name on the canvas. The default is the default name of the node type. */
  name?: string;
  /** As in an exported workflow: expressions are strings that start with `=`. */
  parameters?: INodeParameters;
}

/** One node of a described workflow, created with `node` or `source`. */
export interface NodeSpec {
  type: string;
  implementation?: INodeType;
  options: NodeOptions;
}

/** A workflow as a test describes it. */
export interface WorkflowDescription {
  /** The first node is the start node. */
  nodes: NodeSpec[];
  /** By default, each node is wired to the next one. */
  wires?: Array<{ from: string; to: string; output?: number }>;
  /** Each node gets the credentials of the types that its description declares. */
  credentials?: CredentialsByType;
  /** The workflow's static data, kept by reference, so that a test sees the nodes' changes. */
  staticData?: IDataObject;
  settings?: IWorkflowSettings;
  /** Adds a node that evaluates `expression` behind both outputs of `node`: see `traced`. */
  trace?: { node: string; expression: string };
}

/**
 * Describes one node of the workflow.
 *
 * @param type a type name, such as `n8n-nodes-company-intelligence.bulkEnrich`
 */
export function node(type: string, options: NodeOptions = {}): NodeSpec {
  return { type, options };
}

/** Describes a start node named "Source" that emits one item per given JSON object. */
export function source(rows: readonly IDataObject[]): NodeSpec {
  return { type: 'harness.source', implementation: createSourceNode(rows), options: {} };
}

/** Converts the description to n8n's form, with the objects that the workflow needs to run. */
export async function buildWorkflow(described: WorkflowDescription) {
  const { nodes: given, credentials = {}, staticData = {}, settings } = described;
  const { node: traced = '', expression = '' } = described.trace ?? {};
  const traceNodes = described.trace
    ? [0, 1].map((output) => `Trace of ${traced}, output ${output}`)
    : [];
  const specs = [
    ...given,
    ...traceNodes.map((name) =>
      node('harness.editFields', { name, parameters: { fields: { traced: expression } } }),
    ),
  ];
  const own = specs.flatMap(({ type, implementation }) =>
    implementation === undefined ? [] : [[type, implementation] as const],
  );
  const nodeTypes = await loadNodeTypes(
    specs.map(({ type }) => type),
    new Map(own),
  );
  const nodes = specs.map((spec, index): INode => {
    const { description } = nodeTypes.getByNameAndVersion(spec.type);
    const { name, parameters = {}, ...nodeSettings } = spec.options;
    const chosen = (description.credentials ?? [])
      .filter((wanted) => credentials[wanted.name] !== undefined)
      .map((wanted) => [wanted.name, { id: wanted.name, name: wanted.name }]);
    return {
      ...nodeSettings,
      id: `node-${index}`,
      name: name ?? description.defaults.name ?? description.displayName,
      type: spec.type,
      // The version that the node panel adds.
      typeVersion: description.defaultVersion ?? Math.max(...[description.version].flat()),
      position: [index * 200, 0],
      parameters,
      ...(chosen.length > 0 && { credentials: Object.fromEntries(chosen) as INode['credentials'] }),
    };
  });
  const names = nodes.map(({ name }) => name);
  const chain = names.slice(1, given.length).map((to, index) => ({ from: names[index]!, to }));
  const traces = traceNodes.map((to, output) => ({ from: traced, to, output }));
  const workflow = new Workflow({
    id: 'harness-workflow',
    name: 'Harness workflow',
    nodes,
    connections: connect([...(described.wires ?? chain), ...traces]),
    active: false,
    nodeTypes,
    staticData,
    settings: { executionOrder: 'v1', ...settings },
  });
  const credentialsHelper = await createCredentialsHelper(credentials);
  return { workflow, nodes, startNode: nodes[0]!, nodeTypes, credentialsHelper, traceNodes };
}

function connect(wires: NonNullable<WorkflowDescription['wires']>): IConnections {
  const connections: IConnections = {};
  for (const { from, to, output = 0 } of wires) {
    const outputs = ((connections[from] ??= {})[NodeConnectionTypes.Main] ??= []);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type: NodeConnectionTypes.Main, index: 0 });
  }
  return connections;
}

/** Creates n8n's additional data for an execution: what nodes use of it, and the given parts. */
export function createAdditionalData(
  given: Partial<IWorkflowExecuteAdditionalData>,
): IWorkflowExecuteAdditionalData {
  // n8n puts these addresses into expressions, but nothing calls them.
  const base = 'http://n8n.invalid/';
  const usual: Partial<IWorkflowExecuteAdditionalData> = {
    webhookWaitingBaseUrl: base,
    formWaitingBaseUrl: base,
    externalSecretsProxy: new ExternalSecretsProxy(),
    currentNodeExecutionIndex: 0,
    variables: {},
  };
  return { ...usual, ...given } as IWorkflowExecuteAdditionalData;
}
