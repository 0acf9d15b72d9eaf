import {
  NodeConnectionTypes,
  type IConnections,
  type IDataObject,
  type INode,
  type INodeExecutionData,
  type INodeParameters,
  type INodeType,
} from 'n8n-workflow';
import type { CredentialsByType } from './credentials';
import type { HarnessNodeTypes } from './node-types';
import { createSourceNode } from './test-nodes';

/** Settings of one node that differ from n8n's defaults. */
export interface NodeOptions extends Pick<
  INode,
  'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'alwaysOutputData'
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

/** A wire from an output of one node, by default the first, to the input of another node. */
export interface Wire {
  from: string;
  to: string;
  output?: number;
}

let nextType = 0;

/**
 * Describes one node of the workflow.
 *
 * @param type a type name (`n8n-nodes-company-intelligence.bulkEnrich`, `harness.passThrough`), or
 *   a node that the test defines itself
 */
export function node(type: string | INodeType, options: NodeSpec['options'] = {}): NodeSpec {
  if (typeof type === 'string') return { type, options };
  return { type: `test.${type.description.name}.${nextType++}`, implementation: type, options };
}

/** Describes a start node named "Source" that emits one item per given JSON object. */
export function source(rows: readonly IDataObject[]): NodeSpec {
  return sourceItems(rows.map((json) => ({ json })));
}

/** Like `source`, but from complete items, for example with binary data. */
export function sourceItems(items: readonly INodeExecutionData[]): NodeSpec {
  return node(createSourceNode(items), { name: 'Source' });
}

/** Describes a node that evaluates the expressions for each item, as n8n's Edit Fields does. */
export function editFields(name: string, fields: INodeParameters): NodeSpec {
  return node('harness.editFields', { name, parameters: { fields } });
}

/**
 * Builds n8n's nodes from the description. Every node gets the credentials that its type can use,
 * as if a user had selected them in the editor.
 */
export function buildNodes(
  specs: readonly NodeSpec[],
  nodeTypes: HarnessNodeTypes,
  credentials: CredentialsByType,
): INode[] {
  return specs.map(({ type, options }, index): INode => {
    const { name, parameters, ...settings } = options;
    const { description } = nodeTypes.getByNameAndVersion(type);
    const nodeName = name ?? description.defaults.name ?? description.displayName;
    const chosen = (description.credentials ?? [])
      .filter((wanted) => credentials[wanted.name] !== undefined)
      .map((wanted) => [wanted.name, { id: wanted.name, name: wanted.name }]);
    return {
      ...settings,
      id: `node-${index}`,
      name: nodeName,
      type,
      typeVersion: newestOf(description),
      position: [index * 200, 0],
      parameters: parameters ?? {},
      ...(chosen.length > 0 && { credentials: Object.fromEntries(chosen) as INode['credentials'] }),
    };
  });
}

/** Returns the version that the node panel adds. */
function newestOf({ defaultVersion, version }: INodeType['description']): number {
  return defaultVersion ?? Math.max(...[version].flat());
}

/** Connects the nodes in order, first output to first input. */
export function chain(names: readonly string[]): Wire[] {
  return names.slice(1).map((to, index) => ({ from: names[index] ?? '', to }));
}

/**
 * Converts the wires to n8n's form.
 *
 * @throws {Error} if a wire names a node that does not exist
 */
export function buildConnections(wires: readonly Wire[], names: readonly string[]): IConnections {
  const connections: IConnections = {};
  for (const { from, to, output = 0 } of wires) {
    for (const name of [from, to]) {
      if (!names.includes(name)) {
        throw new Error(`A wire names the node "${name}", but there are: ${names.join(', ')}.`);
      }
    }
    const outputs = ((connections[from] ??= {})[NodeConnectionTypes.Main] ??= []);
    while (outputs.length <= output) outputs.push([]);
    outputs[output]?.push({ node: to, type: NodeConnectionTypes.Main, index: 0 });
  }
  return connections;
}
