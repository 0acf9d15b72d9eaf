/** The public contract of the nodes, and helpers to inspect their descriptions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Root folder of the project. */
export const root = join(__dirname, '../..');
const { n8n: manifest } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  n8n: { nodes: string[] };
};

/** Folders of the nodes listed in package.json. */
export const LISTED_FOLDERS = manifest.nodes.map((file) => file.split('/').at(-2));

const PAGING = ['returnAll', 'limit'];
/** Paging parameters of operations whose rows cost credits. */
const BILLED_PAGING = [...PAGING, 'returnAllNotice', 'countOnly'];
const PAIR = ['identifierA', 'identifierB'];
const DEFINITION = ['definitionMode', 'definition', 'combinator', 'groups'];

/** Parameters of each operation, in any order. */
type Operations = Readonly<Record<string, readonly string[]>>;

/** What users can rely on about a node. */
export interface Contract {
  readonly node: INodeType;
  readonly folder: string;
  readonly displayName: string;
  readonly operations: Operations;
  /** Operations of each resource, for a node with resources. */
  readonly resources?: Readonly<Record<string, Operations>>;
  /** Nodes for lists do not accept an organization key. */
  readonly userKeyOnly?: true;
}

/** Nodes with operations. */
export const CONTRACTS: readonly Contract[] = [
  {
    node: new BulkEnrich(),
    folder: 'BulkEnrich',
    displayName: 'Bulk Enrich',
    operations: {
      enrichCompanies: ['domain', 'include', 'simplify', 'options', 'mappingNotice'],
      enrichPartnerships: ['domain', 'simplify', 'options', 'mappingNotice'],
      estimateCost: ['domain', 'estimateFor', 'include', 'options'],
      normalizeDomains: ['domain', 'options', 'mappingNotice'],
    },
  },
  {
    node: new CompanyLookup(),
    folder: 'CompanyLookup',
    displayName: 'Company Lookup',
    operations: {
      get: ['identifier', 'include', 'simplify', 'options', 'mappingNotice'],
      getMany: [...BILLED_PAGING, 'filters', 'sort', 'include', 'simplify', 'output', 'options'],
    },
  },
  {
    node: new TechUsers(),
    folder: 'TechUsers',
    displayName: 'Tech Users',
    operations: {
      searchTechnologies: ['q', ...PAGING, 'options'],
      getByTechnology: ['techKey', ...BILLED_PAGING, 'include', 'simplify', 'output', 'options'],
      getByVendor: ['vendorDomain', ...BILLED_PAGING, 'include', 'simplify', 'output', 'options'],
      count: ['countBy', 'techKey', 'vendorDomain', 'options'],
    },
  },
  {
    node: new PartnerGraph(),
    folder: 'PartnerGraph',
    displayName: 'Partner Graph',
    operations: {
      getPartners: [
        'identifier',
        ...BILLED_PAGING,
        'q',
        'partnershipTypes',
        'sort',
        'simplify',
        'options',
      ],
      getReversePartners: [
        'partnerDomain',
        ...BILLED_PAGING,
        'include',
        'simplify',
        'output',
        'options',
      ],
      getPartnership: [...PAIR, 'options'],
      getSharedPartners: [...PAIR, ...BILLED_PAGING, 'simplify', 'options'],
      getGraph: ['identifier', 'depth', 'maxNodes', 'graphOutput', 'options'],
      getPairGraph: [...PAIR, 'maxNodes', 'graphOutput', 'options'],
    },
  },
  {
    node: new ListMembers(),
    folder: 'ListMembers',
    displayName: 'List Members',
    userKeyOnly: true,
    operations: {
      addDomains: ['listId', 'domain', 'options'],
      exportCsv: ['listId', 'output', 'options'],
      getMany: [
        'listId',
        'firmographicsNotice',
        ...BILLED_PAGING,
        'tier',
        'searchNameOrDomain',
        'forceRefresh',
        'simplify',
        'output',
        'options',
      ],
      materialize: ['listId', 'options'],
      removeDomain: ['listId', 'domain', 'options'],
    },
  },
  {
    node: new RefreshAndWait(),
    folder: 'RefreshAndWait',
    displayName: 'Refresh and Wait',
    operations: {
      refreshAndWait: ['domain', 'options'],
      startRefresh: ['domain', 'options'],
      getJob: ['jobId', 'options'],
      waitForJob: ['jobId', 'options'],
    },
  },
  {
    node: new FlagData(),
    folder: 'FlagData',
    displayName: 'Flag Data',
    operations: { create: ['identifier', 'description', 'options'] },
  },
  {
    node: new CompanyList(),
    folder: 'CompanyList',
    displayName: 'Company List',
    userKeyOnly: true,
    operations: {},
    resources: {
      list: {
        create: ['name', ...DEFINITION, 'options'],
        delete: ['listId', 'options'],
        get: ['listId', 'options'],
        getMany: [...PAGING, 'options'],
        rename: ['listId', 'name', 'options'],
        transferOwnership: ['listId', 'user', 'options'],
      },
      definition: {
        get: ['listId', 'options'],
        getFilterFields: ['options'],
        previewCount: [...DEFINITION, 'options'],
        replace: ['listId', ...DEFINITION, 'options'],
      },
      permission: {
        getMany: ['listId', ...PAGING, 'options'],
        grant: ['listId', 'accessLevel', 'grantTo', 'user', 'options'],
        revoke: ['listId', 'permissionId', 'options'],
      },
    },
  },
];

/** The only action node without operations. */
export const API_REQUEST: Contract = {
  node: new ApiRequest(),
  folder: 'ApiRequest',
  displayName: 'API Request',
  operations: {},
};

/** What users can rely on about a trigger. */
export interface TriggerContract extends Pick<
  Contract,
  'node' | 'folder' | 'displayName' | 'userKeyOnly'
> {
  readonly parameters: readonly string[];
  readonly events: readonly string[];
}

/** Triggers; they have no operations. */
export const TRIGGERS: readonly TriggerContract[] = [
  {
    node: new ListMembersTrigger(),
    folder: 'ListMembersTrigger',
    displayName: 'List Members Trigger',
    userKeyOnly: true,
    parameters: ['listId', 'events', 'tier', 'options'],
    events: ['added', 'removed', 'tierChanged'],
  },
  {
    node: new TechUsersTrigger(),
    folder: 'TechUsersTrigger',
    displayName: 'Tech Users Trigger',
    parameters: ['watchBy', 'techKey', 'vendorDomain', 'events', 'options'],
    events: ['noLongerListed', 'startedUsing'],
  },
  {
    node: new AccountChangesTrigger(),
    folder: 'AccountChangesTrigger',
    displayName: 'Account Changes Trigger',
    parameters: ['accounts', 'domains', 'listId', 'events', 'options'],
    events: ['partnershipGained', 'partnershipLost', 'technologyAdopted', 'technologyDropped'],
  },
];

/** Returns a node's operations by resource; without resources, the resource is undefined. */
function operationsByResource({ operations, resources }: Contract) {
  return resources === undefined
    ? [{ resource: undefined, operations }]
    : Object.entries(resources).map(([resource, own]) => ({ resource, operations: own }));
}

/** Every Operation dropdown and its choices. */
export const DROPDOWNS = CONTRACTS.flatMap((contract) =>
  operationsByResource(contract).map(({ resource, operations }) => ({
    ...contract,
    resource,
    operations,
    title: [contract.displayName, resource].filter(Boolean).join(', '),
  })),
);

/** Every operation of every node. */
export const OPERATIONS = DROPDOWNS.flatMap(({ title, operations, ...contract }) =>
  Object.entries(operations).map(([operation, parameters]) => ({
    ...contract,
    operation,
    parameters,
    title: `${title}: ${operation}`,
  })),
);

/** Returns all parameters of a node. */
export const propertiesOf = (node: INodeType) => node.description.properties;

/** Returns the properties that users see for an operation, without those of the tool version. */
export function shownFor(node: INodeType, operation: string, resource?: string): INodeProperties[] {
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

/** Returns the entries of an operation's Options, or of another collection. */
export function entriesOf(
  node: INodeType,
  operation: string,
  { resource, collection = 'options' }: { resource?: string | undefined; collection?: string } = {},
): INodeProperties[] {
  const property = shownFor(node, operation, resource).find(({ name }) => name === collection);
  return (property?.options ?? []) as INodeProperties[];
}

function propertiesOfResource(node: INodeType, resource: string | undefined): INodeProperties[] {
  if (resource === undefined) return propertiesOf(node);
  return propertiesOf(node).filter(({ displayOptions }) =>
    displayOptions?.show?.['resource']?.includes(resource),
  );
}
