/** Every operation that reads data, described once for the tests that apply to all of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { WorkflowRun } from '../harness';
import { byId, running, type Change } from './nodes';
import { connectedPairs, hubs } from './partners';

/** What an operation reads. */
interface Subject {
  /** Three items with different responses from the service. */
  readonly items: (sandbox: Sandbox) => IDataObject[];
  /**
   * An item that the service does not know, its error code, and the fields that repeat the request.
   */
  readonly unknown?: {
    readonly code: string;
    readonly item: IDataObject;
    readonly requested: IDataObject;
  };
}

/** One operation, with items to run it on. */
interface OperationCase extends Subject {
  readonly title: string;
  /** The node's type, followed by its name on the canvas. */
  readonly type: string;
  readonly name: string;
  /** Parameters with expressions that read the fields of each item. */
  readonly parameters: INodeParameters;
  /** Credits that the response for one item costs. */
  readonly credits: number;
  /** Maximum cost by the API spec. */
  readonly atMost: number;
  /** Whether the operation rejects an organization key, as all list operations do. */
  readonly userKeyOnly?: true;
}

/** Returns a function that describes an operation of a node. */
function reads(type: string, name: string, more: Pick<OperationCase, 'userKeyOnly'> = {}) {
  return (
    title: string,
    subject: Subject,
    credits: number,
    parameters: INodeParameters,
    atMost = credits,
  ): OperationCase => ({
    ...{ title: `${name}: ${title}`, type, name, parameters, credits, atMost },
    ...subject,
    ...more,
  });
}

const lookup = reads('companyLookup', 'Company Lookup');
const users = reads('techUsers', 'Tech Users');
const graph = reads('partnerGraph', 'Partner Graph');
const members = reads('listMembers', 'List Members', { userKeyOnly: true });
const list = reads('companyList', 'Company List', { userKeyOnly: true });

const each = (...texts: string[]): Subject => ({ items: () => texts.map((text) => ({ text })) });

const NOBODY = 'nobody-tracks-this.com';
const NOT_FOUND = 'company_not_found';
const hubItems = (sandbox: Sandbox) => hubs(sandbox).map((company) => ({ company }));
const COMPANIES: Subject = {
  items: hubItems,
  unknown: { code: NOT_FOUND, item: { company: NOBODY }, requested: { identifier: NOBODY } },
};
const PARTNERS: Subject = {
  items: hubItems,
  unknown: {
    code: 'partner_not_found',
    item: { company: NOBODY },
    requested: { partner_domain: NOBODY },
  },
};
const PAIRS: Subject = {
  items: (sandbox) =>
    connectedPairs(sandbox)
      .slice(0, 3)
      .map((pair) => ({ ...pair })),
  unknown: {
    code: NOT_FOUND,
    item: { a: NOBODY, b: 'nor-this.com' },
    requested: { identifier_a: NOBODY, identifier_b: 'nor-this.com' },
  },
};
const TECHNOLOGIES: Subject = {
  ...each('hubspot', 'stripe', 'google-ads'),
  unknown: {
    code: 'technology_not_found',
    item: { text: 'zzzz' },
    requested: { tech_key: 'zzzz' },
  },
};
const VENDORS: Subject = {
  ...each('google.com', 'stripe.com', 'adobe.com'),
  unknown: { code: 'vendor_not_found', item: { text: NOBODY }, requested: { domain: NOBODY } },
};
/** Lists that exist from the start and belong to the user. */
const LISTS = each('lst_000001', 'lst_000002', 'lst_000004');

const TEXT = '={{ $json.text }}';
const identifier = '={{ $json.company }}';
const [techKey, listId] = [byId(TEXT), byId(TEXT)];
const pair = {
  identifierA: '={{ "https://www." + $json.a }}',
  identifierB: '={{ $json.b }}',
};

/** Operations that only read data: the node can retry them, and it sends equal requests once. */
export const READS: readonly OperationCase[] = [
  lookup('Get', COMPANIES, 1, { operation: 'get', identifier }),
  lookup('Get Many', each('media', 'labs', 'north'), 2, {
    operation: 'getMany',
    limit: 2,
    filters: { q: TEXT },
  }),
  users('Search Technologies', each('google', 'chat', 'adobe'), 0, {
    operation: 'searchTechnologies',
    q: TEXT,
    limit: 2,
  }),
  users('Get by Technology', TECHNOLOGIES, 2, { operation: 'getByTechnology', techKey, limit: 2 }),
  users('Get by Vendor', VENDORS, 2, { operation: 'getByVendor', vendorDomain: TEXT, limit: 2 }),
  users('Count by technology', TECHNOLOGIES, 1, {
    operation: 'count',
    countBy: 'technology',
    techKey,
  }),
  users('Count by vendor', VENDORS, 1, {
    operation: 'count',
    countBy: 'vendor',
    vendorDomain: TEXT,
  }),
  graph('Get Partners', COMPANIES, 2, { operation: 'getPartners', identifier, limit: 2 }),
  graph('Get Reverse Partners', PARTNERS, 2, {
    operation: 'getReversePartners',
    partnerDomain: identifier,
    limit: 2,
  }),
  graph('Get Partnership', PAIRS, 2, { operation: 'getPartnership', ...pair }),
  graph('Get Shared Partners', PAIRS, 2, { operation: 'getSharedPartners', ...pair, limit: 2 }),
  graph('Get Graph', COMPANIES, 3, { operation: 'getGraph', identifier, maxNodes: 4 }),
  graph('Get Pair Graph', PAIRS, 2, { operation: 'getPairGraph', ...pair, maxNodes: 4 }, 4),
  members('Get Many', LISTS, 0, { operation: 'getMany', listId, limit: 2 }),
  members('Materialize', LISTS, 0, { operation: 'materialize', listId }),
  list('Get', LISTS, 0, { resource: 'list', operation: 'get', listId }),
  list('Get Many', each('3', '2', '1'), 0, {
    resource: 'list',
    operation: 'getMany',
    limit: '={{ Number($json.text) }}',
  }),
  list('Get a definition', LISTS, 0, { resource: 'definition', operation: 'get', listId }),
  list('Get Many permissions', LISTS, 0, { resource: 'permission', operation: 'getMany', listId }),
];

/** Reads that fail with a "not found" code if the service does not know the item. */
export const READS_OF_ONE = READS.filter((one) => one.unknown !== undefined);

/** Reads that cost credits. */
export const BILLED_READS = READS.filter((one) => one.credits > 0);

/** Settings of an operation's node that a test can change. */
interface CaseChange extends Change {
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
