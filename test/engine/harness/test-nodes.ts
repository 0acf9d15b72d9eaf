import {
  NodeConnectionTypes,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

/**
 * Defines a node type.
 *
 * @param description differences from a node with one input, one output and no parameters
 */
export function defineNode(
  displayName: string,
  execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
  description: Partial<INodeTypeDescription> = {},
): INodeType {
  return {
    description: {
      name: displayName.replace(/\W/g, ''),
      displayName,
      group: ['transform'],
      version: 1,
      description: displayName,
      defaults: { name: displayName },
      inputs: [NodeConnectionTypes.Main],
      outputs: [NodeConnectionTypes.Main],
      properties: [],
      ...description,
    },
    execute(this: IExecuteFunctions) {
      return execute(this);
    },
  };
}

/**
 * Creates a start node. Its items are not parameters, so n8n does not evaluate a value that starts
 * with `=`.
 */
export function createSourceNode(rows: readonly IDataObject[]): INodeType {
  const emit = () => Promise.resolve([rows.map((json) => ({ json }))]);
  return defineNode('Source', emit, { inputs: [], group: ['trigger'] });
}

/**
 * Evaluates the expressions of its `fields` for every item, as n8n's Edit Fields does, but outputs
 * `{ unresolved: <n8n's message> }` for an expression that n8n cannot resolve.
 */
const editFields = defineNode(
  'Edit Fields',
  (context) => {
    const items = context.getInputData().map((_, index): INodeExecutionData => {
      let json: IDataObject;
      try {
        json = context.getNodeParameter('fields', index) as IDataObject;
      } catch (error) {
        json = { unresolved: (error as Error).message };
      }
      return { json, pairedItem: { item: index } };
    });
    return Promise.resolve([items]);
  },
  { properties: [{ displayName: 'Fields', name: 'fields', type: 'json', default: '{}' }] },
);

/** Test nodes that need no settings, by type name. */
export const builtInTestNodes: ReadonlyMap<string, INodeType> = new Map([
  ['harness.editFields', editFields],
]);
