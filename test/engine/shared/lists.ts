/** Every operation that lists rows, described once for the tests of paging and files. */
import { setImmediate } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { WorkflowRun } from '../harness';
import { byId, runNode } from './nodes';
import { READS } from './operations';
import { connectedPair, hubs, type Pair } from './partners';
import { type NodeSettings } from './service';

/** Companies of the local service that have many partners. */
interface Place extends Pair {
  readonly hub: string;
}

/** How an operation lists rows, with parameters for which the list has many rows. */
interface Listing {
  /** Parameters with expressions that read the fields of the {@link Place}. */
  readonly parameters: INodeParameters;
  /** Number of pages in the list. */
  readonly pages: number;
  /** The largest `limit` that the endpoint accepts. */
  readonly pageSize?: number;
  /** Objects in the response next to the rows, which the item of a file has. */
  readonly header?: readonly string[];
  /**
   * Name of the file, and the fields of its item that repeat what was requested. Undefined if the
   * operation only outputs items.
   */
  readonly file?: (place: Place) => { name: string; requested: IDataObject };
}

const HUB = '={{ $json.hub }}';

const LISTINGS: Readonly<Record<string, Listing>> = {
  'Company Lookup: Get Many': {
    parameters: { operation: 'getMany', sort: 'name', filters: { q: 'media' } },
    pages: 4,
    file: () => ({ name: 'companies', requested: {} }),
  },
  'Tech Users: Search Technologies': {
    parameters: { operation: 'searchTechnologies', q: 'e' },
    pages: 4,
  },
  'Tech Users: Get by Technology': {
    parameters: { operation: 'getByTechnology', techKey: byId('google-analytics') },
    pages: 2,
    pageSize: 10_000,
    header: ['technology'],
    file: () => ({
      name: 'google-analytics-companies',
      requested: { tech_key: 'google-analytics' },
    }),
  },
  'Tech Users: Get by Vendor': {
    parameters: { operation: 'getByVendor', vendorDomain: 'google.com' },
    pages: 3,
    pageSize: 10_000,
    header: ['vendor'],
    file: () => ({ name: 'google.com-companies', requested: { domain: 'google.com' } }),
  },
  'Partner Graph: Get Partners': {
    parameters: { operation: 'getPartners', identifier: HUB },
    pages: 4,
  },
  'Partner Graph: Get Reverse Partners': {
    parameters: { operation: 'getReversePartners', partnerDomain: HUB },
    pages: 3,
    header: ['partner'],
    file: ({ hub }) => ({
      name: `companies-naming-${hub}`,
      requested: { partner_domain: hub },
    }),
  },
  // In the local service, two companies never share more than one page of partners.
  'Partner Graph: Get Shared Partners': {
    parameters: {
      operation: 'getSharedPartners',
      identifierA: '={{ $json.a }}',
      identifierB: '={{ $json.b }}',
    },
    pages: 1,
  },
};

/** Every operation that lists rows by pages. */
export const LISTS = Object.entries(LISTINGS).map(([title, listing]) => {
  const { type, name, credits } = READS.find((one) => one.title === title)!;
  const billed = credits > 0;
  return { title, type, name, billed, pageSize: 100, header: [], ...listing };
});

type ListCase = (typeof LISTS)[number];

export function placeIn(sandbox: Sandbox): Place {
  return { hub: hubs(sandbox)[0] ?? '', ...connectedPair(sandbox) };
}

/** Runs a list once, with changed parameters. */
export async function runList(
  sandbox: Sandbox,
  { type, parameters: usual }: ListCase,
  parameters: INodeParameters,
  settings: NodeSettings = {},
): Promise<WorkflowRun> {
  const items = [{ ...placeIn(sandbox) }];
  return await runNode(sandbox, type, { ...usual, ...parameters }, items, settings);
}

/** Waits until the service has responded to the requests in flight, which belong to this test. */
export async function settled(sandbox: Sandbox): Promise<void> {
  while (sandbox.report().recent.some(({ status }) => status === null)) await setImmediate();
}

/**
 * Returns all rows of the list from which the last run requested the first page. Reads them from the
 * service page by page, along the service's own links.
 */
export async function rowsOfService(sandbox: Sandbox): Promise<unknown[]> {
  const rows: unknown[] = [];
  let next: string | undefined = `${sandbox.baseUrl}${sandbox.report().recent[0]?.path ?? ''}`;
  while (next !== undefined) {
    const answer = await fetch(next, { headers: { 'X-API-Key': sandbox.keys.colleague } });
    const page = (await answer.json()) as { pagination: { next_url?: string } };
    rows.push(...(Object.values(page).find(Array.isArray) as unknown[]));
    next = page.pagination.next_url;
  }
  return rows;
}
