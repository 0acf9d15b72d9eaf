import { readFileSync } from 'node:fs';
import { domainToUnicode } from 'node:url';
import type { z } from 'zod/v4';
import { bulkResponse } from '../../sandbox/schemas/companies';
import { readCsv } from './example';
import { useRealHost } from './harness';
import { Service } from './service';

/**
 * The example workflow in a real n8n against a real sandbox. The expected rows come from plain
 * requests to the sandbox, without any code of the nodes. The tests in test/src/input check which
 * domain a text contains.
 */

type Row = Record<string, string>;

/** Number of rows in the file, by status and reason. */
const KINDS = {
  tracked: 195,
  not_tracked: 40,
  'invalid empty': 2,
  'invalid free_mail': 25,
  'invalid hosted_site': 2,
  'invalid ip_address': 3,
  'invalid localhost': 2,
  'invalid malformed': 3,
  'invalid no_dot': 12,
  'invalid placeholder': 10,
  'invalid profile_page': 3,
  'invalid short_link': 1,
  'invalid store_page': 1,
  'invalid too_long': 1,
};

const host = useRealHost();
let leads: Row[];
let status: string;
let text: string;
let rows: Row[];

beforeAll(async () => {
  leads = readCsv(readFileSync(host.example.inputPath));
  ({ status } = await host.example.run());
  text = readFileSync(host.example.outputPath, 'utf8');
  rows = readCsv(text);
});

/** Returns the distinct domains of rows with one of these statuses. */
function domainsOf(...statuses: string[]): string[] {
  const own = rows.filter((row) => statuses.includes(row['enriched_status'] ?? ''));
  return [...new Set(own.map((row) => row['enriched_domain'] ?? ''))];
}

test('outputs every lead once, in order, with its original columns, a status and a reason', () => {
  expect(status).toBe('success');
  expect(leads).toHaveLength(300);
  expect(rows).toMatchObject(leads);
  const added = Object.keys(rows[0] ?? {}).slice(Object.keys(leads[0] ?? {}).length);
  expect(added.filter((name) => !name.startsWith('enriched_'))).toEqual([]);
  const kinds: Record<string, number> = {};
  for (const row of rows) {
    const kind = `${row['enriched_status'] ?? ''} ${row['enriched_reason'] ?? ''}`.trim();
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  expect(kinds).toEqual(KINDS);
  // Several rows name the same company.
  expect(domainsOf('tracked')).toHaveLength(150);
});

test('fills each row with the data that the service returns for its company', async () => {
  const known = await lookUp(domainsOf('tracked', 'not_tracked'));
  for (const row of rows) {
    const { enriched_domain: domain = '', enriched_status: kind, company = '' } = row;
    expect(company.toLowerCase()).toContain(domainToUnicode(domain));
    expect(kind === 'invalid').toBe(domain === '');
    const result = known.get(domain);
    expect(kind === 'tracked').toBe(result !== undefined);
    expect(row).toMatchObject(columnsOf(result));
  }
});

test('sends up to 100 domains per request, charges each company once, and nothing when it runs again', async () => {
  const { byKey, violations } = await host.report();
  const domains = domainsOf('tracked', 'not_tracked').length;
  const requests = Math.ceil(domains / 100);
  const charged = domainsOf('tracked').length;
  expect(byKey['user']).toMatchObject({ requests, domains, charged });
  expect(violations).toEqual([]);

  expect((await host.example.run()).status).toBe('success');
  expect(readFileSync(host.example.outputPath, 'utf8')).toBe(text);
  const { user } = (await host.report()).byKey;
  expect(user).toMatchObject({ requests: requests * 2, charged });
});

type BulkResult = z.output<typeof bulkResponse>['data'][number];

/** Returns the added columns of a row from the service's data about its company, if there is any. */
function columnsOf(result: BulkResult | undefined): Row {
  const { industry, employee_range, country } = result?.company?.firmographics ?? {};
  const technologies = result?.technologies.map(({ display_name }) => display_name).join('; ');
  const columns = {
    enriched_company_name: result?.company?.name,
    enriched_industry: industry,
    enriched_employee_range: employee_range,
    enriched_country: country,
    enriched_technology_count: result?.technology_count,
    enriched_technology_names: technologies,
    enriched_partnership_count: result?.partnership_count,
  };
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, String(value ?? '')]),
  );
}

/**
 * Returns the tracked companies among the domains. Reads them as another organization, so that
 * these requests do not count for the demo's user.
 */
async function lookUp(domains: string[]): Promise<Map<string, BulkResult>> {
  const other = new Service(host, 'otherOrganization');
  const found = new Map<string, BulkResult>();
  for (let start = 0; start < domains.length; start += 100) {
    const asked = {
      domains: domains.slice(start, start + 100),
      include: ['firmographics', 'technologies'],
    };
    const { data } = bulkResponse.parse(await other.ask('companies', asked));
    for (const result of data) if (result.status === 'tracked') found.set(result.domain, result);
  }
  return found;
}
