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

/** What a test says about one node; everything else is n8n's default. */
export interface NodeOptions extends Pick<
  INode,
  'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'alwaysOutputData'
> {
  /** Name on the canvas; the node type's default name if left out. */
  name?: string;
  /** As in an exported workflow: expressions are strings that start with `=`. */
  parameters?: INodeParameters;
}

/** One node of a described workflow. Make it with `node` or `source`. */
export interface NodeSpec {
  type: string;
  implementation?: INodeType;
  options: NodeOptions;
}

/** A wire from an output of one node, the first if left out, to the input of another. */
export interface Wire {
  from: string;
  to: string;
  output?: number;
}

let nextType = 0;

/**
 * A node of the workflow.
 *
 * @param type a type name (`n8n-nodes-company-intelligence.bulkEnrich`, `harness.passThrough`), or a
 *   node that the test defines itself
 */
export function node(type: string | INodeType, options: NodeSpec['options'] = {}): NodeSpec {
  if (typeof type === 'string') return { type, options };
  return { type: `test.${type.description.name}.${nextType++}`, implementation: type, options };
}

/** A start node named "Source" that emits one item per given JSON object. */
export function source(rows: readonly IDataObject[]): NodeSpec {
  return sourceItems(rows.map((json) => ({ json })));
}

/** As `source`, from whole items (with binary data, say). */
export function sourceItems(items: readonly INodeExecutionData[]): NodeSpec {
  return node(createSourceNode(items), { name: 'Source' });
}

/** A node that evaluates the given expressions per item, as n8n's Edit Fields does. */
export function editFields(name: string, fields: INodeParameters): NodeSpec {
  return node('harness.editFields', { name, parameters: { fields } });
}

/**
 * Builds n8n's nodes from the description. Every node gets the credentials its type can use, as a
 * user would have chosen them in the editor.
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

/** The version that the node panel adds. */
function newestOf({ defaultVersion, version }: INodeType['description']): number {
  return defaultVersion ?? Math.max(...[version].flat());
}

/** Wires the nodes one after the other, first output to first input. */
export function chain(names: readonly string[]): Wire[] {
  return names.slice(1).map((to, index) => ({ from: names[index] ?? '', to }));
}

/** n8n's form of the wires. Throws when a wire names a node that is not there. */
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
