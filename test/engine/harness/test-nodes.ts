import {
  NodeConnectionTypes,
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
} from 'n8n-workflow';

/**
 * Defines a node type for a test.
 *
 * @param execute the node's behavior; called with n8n's execution context
 * @param description differences from a node with one input, one output and no parameters
 */
export function defineNode(
  displayName: string,
  execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>,
  description: Partial<INodeTypeDescription> = {},
): INodeType {
  return {
    description: describe(displayName.replace(/\W/g, ''), displayName, description),
    execute(this: IExecuteFunctions) {
      return execute(this);
    },
  };
}

/** Returns the description that all test nodes share. */
function describe(
  name: string,
  displayName: string,
  rest: Partial<INodeTypeDescription>,
): INodeTypeDescription {
  return {
    name,
    displayName,
    group: ['transform'],
    version: 1,
    description: displayName,
    defaults: { name: displayName },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
    ...rest,
  };
}

/**
 * Creates a start node that emits the given items. The items are not parameters, so n8n does not
 * evaluate a value that starts with `=`.
 */
export function createSourceNode(items: readonly INodeExecutionData[]): INodeType {
  return {
    description: describe('source', 'Source', { inputs: [], group: ['trigger'] }),
    execute: () => Promise.resolve([items.map((item) => ({ ...item }))]),
  };
}

/** Outputs its input unchanged. */
export class PassThroughNode implements INodeType {
  description = describe('passThrough', 'Pass Through', {});

  execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return Promise.resolve([this.getInputData()]);
  }
}

/**
 * Evaluates the expressions of its `fields` for every item, as n8n's Edit Fields does. Unlike Edit
 * Fields, it replaces an expression that n8n cannot resolve with `{ unresolved: <n8n's message> }`.
 * A test therefore sees which item failed and why.
 */
export class EditFieldsNode implements INodeType {
  description = describe('editFields', 'Edit Fields', {
    properties: [{ displayName: 'Fields', name: 'fields', type: 'json', default: '{}' }],
  });

  execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData().map((_, index): INodeExecutionData => {
      let json: IDataObject;
      try {
        json = this.getNodeParameter('fields', index) as IDataObject;
      } catch (error) {
        json = { unresolved: (error as Error).message };
      }
      return { json, pairedItem: { item: index } };
    });
    return Promise.resolve([items]);
  }
}

/** Test nodes that need no settings, by type name. */
export const builtInTestNodes: ReadonlyMap<string, INodeType> = new Map<string, INodeType>([
  ['harness.passThrough', new PassThroughNode()],
  ['harness.editFields', new EditFieldsNode()],
]);
