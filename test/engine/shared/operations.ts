/** Every operation that asks something, described once for the tests that hold for all of them. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { runWorkflow, source, type CredentialsByType, type WorkflowRun } from '../harness';
import { packageNode, userCredential, type NodeSettings } from './service';

/** One operation, with questions for it. */
export interface OperationCase {
  readonly title: string;
  /** The node's type, and its name on the canvas. */
  readonly type: string;
  readonly name: string;
  /** Read from the fields of each item. */
  readonly parameters: INodeParameters;
  /** Three items that the service answers, each in its own way. */
  readonly items: (sandbox: Sandbox) => IDataObject[];
  /** Path of the requests that the items lead to; `*` for any part. */
  readonly path: string;
  /** An item the service does not know, the code it says so with, and what was asked for. */
  readonly unknown?: {
    readonly item: IDataObject;
    readonly code: string;
    readonly asked: IDataObject;
  };
  /** Whether answers cost credits. */
  readonly billed: boolean;
}

const LOOKUP = { type: 'companyLookup', name: 'Company Lookup' };
const USERS = { type: 'techUsers', name: 'Tech Users' };

const companies = (sandbox: Sandbox) =>
  sandbox.world.byPartnershipCount
    .slice(0, 3)
    .map((position) => ({ company: sandbox.world.companies[position]?.primaryDomain ?? '' }));

const technologies = () => [{ key: 'hubspot' }, { key: 'stripe' }, { key: 'google-ads' }];
const vendors = () => [{ vendor: 'google.com' }, { vendor: 'stripe.com' }, { vendor: 'adobe.com' }];
const techKey = { __rl: true, mode: 'id', value: '={{ $json.key }}' };

const unknownCompany = {
  item: { company: 'nobody-tracks-this.com' },
  code: 'company_not_found',
  asked: { identifier: 'nobody-tracks-this.com' },
};
const unknownTechnology = {
  item: { key: 'zzzz' },
  code: 'technology_not_found',
  asked: { tech_key: 'zzzz' },
};
const unknownVendor = {
  item: { vendor: 'nobody-sells-this.com' },
  code: 'vendor_not_found',
  asked: { domain: 'nobody-sells-this.com' },
};

/** Operations that only read: they may be asked again, and equal questions are asked once. */
export const READS: readonly OperationCase[] = [
  {
    title: 'Company Lookup: Get',
    ...LOOKUP,
    parameters: { operation: 'get', identifier: '={{ $json.company }}' },
    items: companies,
    path: '/v1/companies/*',
    unknown: unknownCompany,
    billed: true,
  },
  {
    title: 'Company Lookup: Get Many',
    ...LOOKUP,
    parameters: { operation: 'getMany', limit: 2, filters: { q: '={{ $json.text }}' } },
    items: () => [{ text: 'media' }, { text: 'labs' }, { text: 'north' }],
    path: '/v1/companies',
    billed: true,
  },
  {
    title: 'Tech Users: Search Technologies',
    ...USERS,
    parameters: { operation: 'searchTechnologies', q: '={{ $json.text }}', limit: 2 },
    items: () => [{ text: 'google' }, { text: 'chat' }, { text: 'adobe' }],
    path: '/v1/technologies',
    billed: false,
  },
  {
    title: 'Tech Users: Get by Technology',
    ...USERS,
    parameters: { operation: 'getByTechnology', techKey, limit: 2 },
    items: technologies,
    path: '/v1/technologies/*/companies',
    unknown: unknownTechnology,
    billed: true,
  },
  {
    title: 'Tech Users: Get by Vendor',
    ...USERS,
    parameters: { operation: 'getByVendor', vendorDomain: '={{ $json.vendor }}', limit: 2 },
    items: vendors,
    path: '/v1/vendors/*/companies',
    unknown: unknownVendor,
    billed: true,
  },
  {
    title: 'Tech Users: Count by technology',
    ...USERS,
    parameters: { operation: 'count', countBy: 'technology', techKey },
    items: technologies,
    path: '/v1/technologies/*/companies',
    unknown: unknownTechnology,
    billed: true,
  },
  {
    title: 'Tech Users: Count by vendor',
    ...USERS,
    parameters: { operation: 'count', countBy: 'vendor', vendorDomain: '={{ $json.vendor }}' },
    items: vendors,
    path: '/v1/vendors/*/companies',
    unknown: unknownVendor,
    billed: true,
  },
];

/** Those among them whose answer may be "not known". */
export const READS_OF_ONE = READS.filter((one) => one.unknown !== undefined);

/** What a test changes about an operation's node. */
export interface CaseChange {
  readonly parameters?: INodeParameters;
  readonly options?: INodeParameters;
  readonly settings?: NodeSettings;
  readonly credentials?: CredentialsByType;
}

/** Runs an operation on items of which each gets its number as `id`. */
export async function runCase(
  sandbox: Sandbox,
  one: OperationCase,
  items: readonly IDataObject[],
  change: CaseChange = {},
): Promise<WorkflowRun> {
  return await runWorkflow({
    nodes: [
      source(items.map((item, id) => ({ ...item, id }))),
      packageNode(
        one.type,
        { ...one.parameters, ...change.parameters, options: change.options ?? {} },
        change.settings,
      ),
    ],
    credentials: change.credentials ?? userCredential(sandbox),
    trace: { node: one.name, expression: "={{ $('Source').item.json.id }}" },
  });
}
