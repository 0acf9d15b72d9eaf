/** All nodes, and helpers to inspect their descriptions. */
import type { INodeProperties, INodePropertyOptions, INodeType } from 'n8n-workflow';

import { AccountChangesTrigger } from '../../nodes/AccountChangesTrigger/AccountChangesTrigger.node';
import { ApiRequest } from '../../nodes/ApiRequest/ApiRequest.node';
import { BulkEnrich } from '../../nodes/BulkEnrich/BulkEnrich.node';
import { CompanyList } from '../../nodes/CompanyList/CompanyList.node';
import { CompanyLookup } from '../../nodes/CompanyLookup/CompanyLookup.node';
import { FlagData } from '../../nodes/FlagData/FlagData.node';
import { ListMembers } from '../../nodes/ListMembers/ListMembers.node';
import { ListMembersTrigger } from '../../nodes/ListMembersTrigger/ListMembersTrigger.node';
import { PartnerGraph } from '../../nodes/PartnerGraph/PartnerGraph.node';
import { RefreshAndWait } from '../../nodes/RefreshAndWait/RefreshAndWait.node';
import { TechUsers } from '../../nodes/TechUsers/TechUsers.node';
import { TechUsersTrigger } from '../../nodes/TechUsersTrigger/TechUsersTrigger.node';

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

const toTested = (node: INodeType): Tested => ({
  node,
  folder: node.constructor.name,
  displayName: node.description.displayName,
});

export const TRIGGERS = [
  new ListMembersTrigger(),
  new TechUsersTrigger(),
  new AccountChangesTrigger(),
].map(toTested);

/** The only action node without operations. */
export const API_REQUEST = toTested(new ApiRequest());

/** Nodes with operations. */
const WITH_OPERATIONS = [
  new BulkEnrich(),
  new CompanyLookup(),
  new TechUsers(),
  new PartnerGraph(),
  new ListMembers(),
  new RefreshAndWait(),
  new FlagData(),
  new CompanyList(),
].map(toTested);

export const NODES = [...WITH_OPERATIONS, API_REQUEST, ...TRIGGERS];

/** Every operation of every node. */
export const OPERATIONS: readonly Operation[] = WITH_OPERATIONS.flatMap((tested) => {
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

/** Returns the properties that users see for an operation, without those of the tool version. */
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

/** Returns the entries of a dropdown. */
export function choicesOf(
  node: INodeType,
  name: string,
  resource?: string,
): INodePropertyOptions[] {
  const property = propertiesOfResource(node, resource).find((one) => one.name === name);
  return (property?.options ?? []) as INodePropertyOptions[];
}

/** Returns the entries of an operation's Options. */
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
