/** Every operation that reads data, described once for the tests that apply to all of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { WorkflowRun } from '../harness';
import { byId, running, type Change } from './nodes';
import { connectedPairs, hubs } from './partners';

/** One operation, with items to run it on. */
export interface OperationCase {
  readonly title: string;
  /** The node's type, followed by its name on the canvas. */
  readonly type: string;
  readonly name: string;
  /** Parameters with expressions that read the fields of each item. */
  readonly parameters: INodeParameters;
  /** Three items with different responses from the service. */
  readonly items: (sandbox: Sandbox) => IDataObject[];
  /**
   * An item that the service does not know, its error code, and the fields that repeat the request.
   */
  readonly unknown?: {
    readonly item: IDataObject;
    readonly code: string;
    readonly requested: IDataObject;
  };
  /** Number of requests for one item, if it is not 1. */
  readonly requests?: number;
  /** Credits that the response for one item costs. */
  readonly credits: number;
  /** Maximum cost by the API spec, if it is higher than `credits`. */
  readonly atMost?: number;
  /** Whether the operation rejects an organization key, as all list operations do. */
  readonly userKeyOnly?: true;
}

const LOOKUP = { type: 'companyLookup', name: 'Company Lookup' };
const USERS = { type: 'techUsers', name: 'Tech Users' };

const GRAPH = { type: 'partnerGraph', name: 'Partner Graph' };
const COMPANY_LIST = {
  type: 'companyList',
  name: 'Company List',
  credits: 0,
  userKeyOnly: true,
} as const;

const LIST_MEMBERS = {
  type: 'listMembers',
  name: 'List Members',
  credits: 0,
  userKeyOnly: true,
} as const;

const companies = (sandbox: Sandbox) => hubs(sandbox).map((company) => ({ company }));
const pairs = (sandbox: Sandbox): IDataObject[] =>
  connectedPairs(sandbox)
    .slice(0, 3)
    .map((pair) => ({ ...pair }));
const pairParameters = {
  identifierA: '={{ "https://www." + $json.a }}',
  identifierB: '={{ $json.b }}',
};

const technologies = () => [{ key: 'hubspot' }, { key: 'stripe' }, { key: 'google-ads' }];
const vendors = () => [{ vendor: 'google.com' }, { vendor: 'stripe.com' }, { vendor: 'adobe.com' }];
const techKey = byId('={{ $json.key }}');

/** Lists that exist from the start and belong to the user. */
const savedLists = () => [{ list: 'lst_000001' }, { list: 'lst_000002' }, { list: 'lst_000004' }];
const listId = byId('={{ $json.list }}');

const NOBODY = 'nobody-tracks-this.com';
const unknown = (code: string, item: IDataObject, requested: IDataObject) => ({
  code,
  item,
  requested,
});
const unknownCompany = unknown('company_not_found', { company: NOBODY }, { identifier: NOBODY });
const unknownTechnology = unknown('technology_not_found', { key: 'zzzz' }, { tech_key: 'zzzz' });
const unknownVendor = unknown('vendor_not_found', { vendor: NOBODY }, { domain: NOBODY });
const unknownPair = unknown(
  'company_not_found',
  { a: NOBODY, b: 'nor-this.com' },
  { identifier_a: NOBODY, identifier_b: 'nor-this.com' },
);

/** Operations that only read data: the node can retry them, and it sends equal requests once. */
export const READS: readonly OperationCase[] = [
  {
    title: 'Company Lookup: Get',
    ...LOOKUP,
    // Output only the result, as all other reads do.
    parameters: {
      operation: 'get',
      identifier: '={{ $json.company }}',
      options: { output: 'result' },
    },
    items: companies,
    unknown: unknownCompany,
    credits: 1,
  },
  {
    title: 'Company Lookup: Get Many',
    ...LOOKUP,
    parameters: { operation: 'getMany', limit: 2, filters: { q: '={{ $json.text }}' } },
    items: () => [{ text: 'media' }, { text: 'labs' }, { text: 'north' }],
    credits: 2,
  },
  {
    title: 'Tech Users: Search Technologies',
    ...USERS,
    parameters: { operation: 'searchTechnologies', q: '={{ $json.text }}', limit: 2 },
    items: () => [{ text: 'google' }, { text: 'chat' }, { text: 'adobe' }],
    credits: 0,
  },
  {
    title: 'Tech Users: Get by Technology',
    ...USERS,
    parameters: { operation: 'getByTechnology', techKey, limit: 2 },
    items: technologies,
    unknown: unknownTechnology,
    credits: 2,
  },
  {
    title: 'Tech Users: Get by Vendor',
    ...USERS,
    parameters: { operation: 'getByVendor', vendorDomain: '={{ $json.vendor }}', limit: 2 },
    items: vendors,
    unknown: unknownVendor,
    credits: 2,
  },
  {
    title: 'Tech Users: Count by technology',
    ...USERS,
    parameters: { operation: 'count', countBy: 'technology', techKey },
    items: technologies,
    unknown: unknownTechnology,
    credits: 1,
  },
  {
    title: 'Tech Users: Count by vendor',
    ...USERS,
    parameters: { operation: 'count', countBy: 'vendor', vendorDomain: '={{ $json.vendor }}' },
    items: vendors,
    unknown: unknownVendor,
    credits: 1,
  },
  {
    title: 'Partner Graph: Get Partners',
    ...GRAPH,
    parameters: { operation: 'getPartners', identifier: '={{ $json.company }}', limit: 2 },
    items: companies,
    unknown: unknownCompany,
    credits: 2,
  },
  {
    title: 'Partner Graph: Get Reverse Partners',
    ...GRAPH,
    parameters: {
      operation: 'getReversePartners',
      partnerDomain: '={{ $json.company }}',
      limit: 2,
    },
    items: companies,
    unknown: unknown('partner_not_found', { company: NOBODY }, { partner_domain: NOBODY }),
    credits: 2,
  },
  {
    title: 'Partner Graph: Get Partnership',
    ...GRAPH,
    parameters: { operation: 'getPartnership', ...pairParameters },
    items: pairs,
    unknown: unknownPair,
    credits: 2,
  },
  {
    title: 'Partner Graph: Get Shared Partners',
    ...GRAPH,
    parameters: { operation: 'getSharedPartners', ...pairParameters, limit: 2 },
    items: pairs,
    unknown: unknownPair,
    credits: 2,
  },
  {
    title: 'Partner Graph: Get Graph',
    ...GRAPH,
    parameters: { operation: 'getGraph', identifier: '={{ $json.company }}', maxNodes: 4 },
    items: companies,
    unknown: unknownCompany,
    credits: 3,
  },
  {
    title: 'Partner Graph: Get Pair Graph',
    ...GRAPH,
    parameters: { operation: 'getPairGraph', ...pairParameters, maxNodes: 4 },
    items: pairs,
    unknown: unknownPair,
    credits: 2,
    atMost: 4,
  },
  {
    title: 'List Members: Get Many',
    ...LIST_MEMBERS,
    parameters: { operation: 'getMany', listId, limit: 2 },
    items: savedLists,
  },
  {
    title: 'List Members: Materialize',
    ...LIST_MEMBERS,
    parameters: { operation: 'materialize', listId },
    items: savedLists,
  },
  {
    title: 'Company List: Get',
    ...COMPANY_LIST,
    parameters: { resource: 'list', operation: 'get', listId },
    items: savedLists,
  },
  {
    title: 'Company List: Get Many',
    ...COMPANY_LIST,
    parameters: { resource: 'list', operation: 'getMany', limit: '={{ $json.limit }}' },
    items: () => [{ limit: 3 }, { limit: 2 }, { limit: 1 }],
  },
  {
    title: 'Company List: Get a definition',
    ...COMPANY_LIST,
    parameters: { resource: 'definition', operation: 'get', listId },
    items: savedLists,
  },
  {
    title: 'Company List: Get Many permissions',
    ...COMPANY_LIST,
    parameters: { resource: 'permission', operation: 'getMany', listId },
    items: savedLists,
  },
];

/** Reads that fail with a "not found" code if the service does not know the item. */
export const READS_OF_ONE = READS.filter((one) => one.unknown !== undefined);

/** Reads that cost credits. */
export const BILLED_READS = READS.filter((one) => one.credits > 0);

/** Settings of an operation's node that a test can change. */
export interface CaseChange extends Change {
  readonly parameters?: INodeParameters;
  readonly options?: INodeParameters;
}

/** Runs an operation on items. Each item gets its number as `id`. */
export async function runCase(
  sandbox: Sandbox,
  one: OperationCase,
  items: readonly IDataObject[],
  { parameters, options, ...change }: CaseChange = {},
): Promise<WorkflowRun> {
  const usual = one.parameters['options'] as INodeParameters | undefined;
  const all = { ...one.parameters, ...parameters, options: { ...usual, ...options } };
  return await running(one.type, one.name)(sandbox, all, items, change);
}
