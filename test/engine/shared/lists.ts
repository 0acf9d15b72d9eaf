/** Every operation that lists rows, described once for the tests of paging and headers. */
import { setImmediate } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { LIST_SEPARATOR, toFlatCompany } from '../../../src/service/flat-company';
import { alignColumns } from '../../../src/n8n/rows/sheet';
import type { Row } from '../../../src/run/responses/rows';
import type { WorkflowRun } from '../harness';
import { byId, runNode } from './nodes';
import { READS } from './operations';
import { connectedPair, hubs } from './partners';
import { type NodeSettings } from './service';

/** One operation that lists rows, with parameters for which the list has many rows. */
export interface ListCase {
  readonly title: string;
  readonly type: string;
  readonly name: string;
  readonly parameters: (sandbox: Sandbox) => INodeParameters;
  /** URL of the operation's request, without page and limit. */
  readonly url: (sandbox: Sandbox) => string;
  /** The field of the response that contains the rows. */
  readonly rowsKey: string;
  /** The largest `limit` that the endpoint accepts. */
  readonly pageSize: number;
  /** Number of pages in the list. */
  readonly pages: number;
  /** Whether rows cost credits. */
  readonly billed: boolean;
  /** Objects in the response next to the rows; empty if the node has no Summary Fields option. */
  readonly header: readonly string[];
  /** Converts a row to its output. Undefined if the node outputs rows unchanged. */
  readonly flat?: (row: Row, sandbox: Sandbox) => Row;
  /**
   * Name of the file, and the fields of its item that repeat what was requested. Undefined if the
   * operation only outputs items.
   */
  readonly file?: (sandbox: Sandbox) => { name: string; requested: IDataObject };
}

/** Returns the operation's node and price from the list of reads. */
function listed(title: string): Pick<ListCase, 'title' | 'type' | 'name' | 'billed'> {
  const read = READS.find((one) => one.title === title);
  if (read === undefined) throw new Error(`No operation that reads is called ${title}`);
  return { title, type: read.type, name: read.name, billed: read.credits > 0 };
}

export const LISTS: readonly ListCase[] = [
  {
    ...listed('Company Lookup: Get Many'),
    parameters: () => ({ operation: 'getMany', sort: 'name', filters: { q: 'media' } }),
    url: () => '/v1/companies?sort=name&q=media',
    rowsKey: 'data',
    pageSize: 100,
    pages: 4,
    header: [],
    flat: (row) => toFlatCompany(row),
    file: () => ({ name: 'companies', requested: {} }),
  },
  {
    ...listed('Tech Users: Search Technologies'),
    parameters: () => ({ operation: 'searchTechnologies', q: 'e' }),
    url: () => '/v1/technologies?q=e',
    rowsKey: 'technologies',
    pageSize: 100,
    pages: 4,
    header: [],
  },
  {
    ...listed('Tech Users: Get by Technology'),
    parameters: () => ({
      operation: 'getByTechnology',
      techKey: byId('google-analytics'),
    }),
    url: () => '/v1/technologies/google-analytics/companies?',
    rowsKey: 'data',
    pageSize: 10_000,
    pages: 2,
    header: ['technology'],
    flat: (row) => toFlatCompany(row),
    file: () => ({
      name: 'google-analytics-companies',
      requested: { tech_key: 'google-analytics' },
    }),
  },
  {
    ...listed('Tech Users: Get by Vendor'),
    parameters: () => ({ operation: 'getByVendor', vendorDomain: 'google.com' }),
    url: () => '/v1/vendors/google.com/companies?',
    rowsKey: 'data',
    pageSize: 10_000,
    pages: 3,
    header: ['vendor'],
    flat: (row) => toFlatCompany(row),
    file: () => ({ name: 'google.com-companies', requested: { domain: 'google.com' } }),
  },
  {
    ...listed('Partner Graph: Get Partners'),
    parameters: (sandbox) => ({ operation: 'getPartners', identifier: hubs(sandbox)[0] ?? '' }),
    url: (sandbox) => `/v1/companies/${hubs(sandbox)[0] ?? ''}/partnerships?`,
    rowsKey: 'data',
    pageSize: 100,
    pages: 4,
    header: ['company', 'type_counts'],
    flat: (row, sandbox) => {
      const [of_domain = ''] = hubs(sandbox);
      return toFlatCompany({ domain: row['partner_domain'], of_domain, ...row });
    },
  },
  {
    ...listed('Partner Graph: Get Reverse Partners'),
    parameters: (sandbox) => ({
      operation: 'getReversePartners',
      partnerDomain: hubs(sandbox)[0] ?? '',
    }),
    url: (sandbox) => `/v1/partnerships/${hubs(sandbox)[0] ?? ''}/companies?`,
    rowsKey: 'data',
    pageSize: 100,
    pages: 3,
    header: ['partner'],
    flat: (row, sandbox) => ({ ...toFlatCompany(row), of_domain: hubs(sandbox)[0] ?? '' }),
    file: (sandbox) => {
      const partner_domain = hubs(sandbox)[0] ?? '';
      return { name: `companies-naming-${partner_domain}`, requested: { partner_domain } };
    },
  },
];

/** In the local service, two companies never share more than one page of partners. */
export const SHORT_LISTS: readonly ListCase[] = [
  {
    ...listed('Partner Graph: Get Shared Partners'),
    parameters: (sandbox) => {
      const { a, b } = connectedPair(sandbox);
      return { operation: 'getSharedPartners', identifierA: a, identifierB: b };
    },
    url: (sandbox) => {
      const { a, b } = connectedPair(sandbox);
      return `/v1/partnerships/${a}/${b}/shared-partners?`;
    },
    rowsKey: 'data',
    pageSize: 100,
    pages: 1,
    header: ['company_a', 'company_b'],
    flat: (row, sandbox) => {
      const { a, b } = connectedPair(sandbox);
      return toFlatCompany({ ...row, of_domain: [a, b].join(LIST_SEPARATOR) });
    },
  },
];

/** Runs a list once, with changed parameters. */
export async function runList(
  sandbox: Sandbox,
  one: ListCase,
  parameters: INodeParameters,
  settings: NodeSettings = {},
): Promise<WorkflowRun> {
  return await runNode(
    sandbox,
    one.type,
    { ...one.parameters(sandbox), ...parameters },
    [{}],
    settings,
  );
}

/** Waits until the service has responded to the requests in flight, which belong to this test. */
export async function settled(sandbox: Sandbox): Promise<void> {
  while (sandbox.report().recent.some(({ status }) => status === null)) await setImmediate();
}

/**
 * Returns all rows as the node should output them. Reads them from the service page by page, along
 * the service's own links.
 */
export async function rowsOfService(sandbox: Sandbox, one: ListCase): Promise<unknown[]> {
  const rows: Row[] = [];
  let next: string | undefined =
    `${sandbox.baseUrl}${one.url(sandbox)}&limit=${String(one.pageSize)}`;
  while (next !== undefined) {
    const answer = await fetch(next, { headers: { 'X-API-Key': sandbox.keys.colleague } });
    const page = (await answer.json()) as Record<string, unknown> & {
      pagination: { next_url?: string };
    };
    rows.push(...(page[one.rowsKey] as Row[]));
    next = page.pagination.next_url;
  }
  return one.flat === undefined
    ? rows
    : alignColumns(rows.map((row) => one.flat?.(row, sandbox)) as IDataObject[], []);
}
