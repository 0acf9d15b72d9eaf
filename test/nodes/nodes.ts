import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { n8n } from '../../package.json';

interface Tested {
  readonly node: INodeType;
  readonly folder: string;
  readonly displayName: string;
}

/** An operation of a node; `resource` is undefined if the node has no resources. */
export interface Operation extends Tested {
  readonly title: string;
  readonly resource: string | undefined;
  readonly operation: string;
}

export const NODES = n8n.nodes.map((file): Tested => {
  const folder = file.split('/').at(-2)!;
  const path = `../../nodes/${folder}/${folder}.node`;
  const Node = jest.requireActual<Record<string, new () => INodeType>>(path)[folder]!;
  const node = new Node();
  return { node, folder, displayName: node.description.displayName };
});

export const TRIGGERS = NODES.filter(({ node }) => 'poll' in node);

/** The only action node without operations. */
export const API_REQUEST = NODES.find(({ folder }) => folder === 'ApiRequest')!;

export const OPERATIONS: readonly Operation[] = NODES.flatMap((tested) => {
  const resources = choicesOf(tested.node, 'resource').map(({ value }) => String(value));
  return (resources.length > 1 ? resources : [undefined]).flatMap((resource) =>
    choicesOf(tested.node, 'operation', resource).map(({ value }) => ({
      ...tested,
      resource,
      operation: String(value),
      title: [tested.displayName, resource, value].filter(Boolean).join(', '),
    })),
  );
});

export function shownFor({
  node,
  resource,
  operation,
}: Pick<Operation, 'node' | 'resource' | 'operation'>) {
  return propertiesOfResource(node, resource).filter(
    ({ displayOptions: { show } = {} }) =>
      show?.['operation']?.includes(operation) && show['@tool'] === undefined,
  );
}

export function choicesOf(
  node: INodeType,
  name: string,
  resource?: string,
): INodePropertyOptions[] {
  const property = propertiesOfResource(node, resource).find((one) => one.name === name);
  return (property?.options ?? []) as INodePropertyOptions[];
}

export function optionsOf(operation: Operation): INodeProperties[] {
  const property = shownFor(operation).find(({ name }) => name === 'options');
  return (property?.options ?? []) as INodeProperties[];
}

function propertiesOfResource(node: INodeType, resource: string | undefined): INodeProperties[] {
  const { properties } = node.description;
  if (resource === undefined) return properties;
  return properties.filter(({ displayOptions }) =>
    displayOptions?.show?.['resource']?.includes(resource),
  );
}
