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

type BulkResult = z.output<typeof bulkResponse>['data'][number];

const host = useRealHost();
let leads: Row[];
let firstRun: { status: string; rows: Row[]; text: string };

beforeAll(async () => {
  leads = readCsv(readFileSync(host.example.inputPath));
  const { status } = await host.example.run();
  const text = readFileSync(host.example.outputPath, 'utf8');
  firstRun = { status, rows: readCsv(text), text };
});

/** Returns the distinct domains of rows with one of these statuses. */
function domainsOf(...statuses: string[]): string[] {
  const rows = firstRun.rows.filter((row) => statuses.includes(row['enriched_status'] ?? ''));
  return [...new Set(rows.map((row) => row['enriched_domain'] ?? ''))];
}

test('succeeds and outputs every lead once, in order, with its original columns', () => {
  expect(firstRun.status).toBe('success');
  expect(leads).toHaveLength(300);
  expect(firstRun.rows).toMatchObject(leads);
  const added = Object.keys(firstRun.rows[0] ?? {}).slice(Object.keys(leads[0] ?? {}).length);
  expect(added.filter((name) => !name.startsWith('enriched_'))).toEqual([]);
});

test('outputs the expected number of rows for each status and reason', () => {
  const kinds: Record<string, number> = {};
  for (const row of firstRun.rows) {
    const kind = `${row['enriched_status'] ?? ''} ${row['enriched_reason'] ?? ''}`.trim();
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  expect(kinds).toEqual(KINDS);
  // Several rows name the same company.
  expect(domainsOf('tracked')).toHaveLength(150);
});

test('fills each row with the data that the service returns for its company', async () => {
  const known = await lookUp(domainsOf('tracked', 'not_tracked'));
  for (const row of firstRun.rows) {
    const { enriched_domain: domain = '', enriched_status: status, company = '' } = row;
    expect(company.toLowerCase()).toContain(domainToUnicode(domain));
    expect(status === 'invalid').toBe(domain === '');
    const result = known.get(domain);
    expect(status === 'tracked').toBe(result !== undefined);
    expect(row).toMatchObject(result === undefined ? NOTHING_KNOWN : columnsOf(result));
  }
});

test('sends up to 100 distinct domains per request and charges each company once', async () => {
  const { byKey, violations } = await host.report();
  const domains = domainsOf('tracked', 'not_tracked').length;
  expect(byKey.user).toMatchObject({
    requests: Math.ceil(domains / 100),
    domains,
    charged: domainsOf('tracked').length,
  });
  expect(violations).toEqual([]);
});

test('writes the same file and charges nothing when it runs again within 30 days', async () => {
  const before = (await host.report()).byKey.user;
  const { status } = await host.example.run();
  const after = (await host.report()).byKey.user;

  expect(status).toBe('success');
  expect(readFileSync(host.example.outputPath, 'utf8')).toBe(firstRun.text);
  expect(after?.charged).toBe(before?.charged);
  expect(after?.requests).toBe((before?.requests ?? 0) * 2);
});

/** The added columns of a row whose company the service does not know. */
const NOTHING_KNOWN: Row = {
  enriched_company_name: '',
  enriched_industry: '',
  enriched_employee_range: '',
  enriched_country: '',
  enriched_technology_count: '',
  enriched_technology_names: '',
  enriched_partnership_count: '',
};

/** Returns the added columns of a row from the service's data about the company. */
function columnsOf({ company, technologies, ...counts }: BulkResult): Row {
  const { industry, employee_range, country } = company?.firmographics ?? {};
  return {
    enriched_company_name: company?.name ?? '',
    enriched_industry: String(industry),
    enriched_employee_range: String(employee_range),
    enriched_country: String(country),
    enriched_technology_count: String(counts.technology_count),
    enriched_technology_names: technologies.map(({ display_name }) => display_name).join('; '),
    enriched_partnership_count: String(counts.partnership_count),
  };
}

/**
 * Returns the tracked companies among the domains. Reads them as another organization, so that
 * these requests do not count for the demo's user.
 */
async function lookUp(domains: string[]): Promise<Map<string, BulkResult>> {
  const other = new Service(host, 'otherOrganization');
  const found = new Map<string, BulkResult>();
  for (let start = 0; start < domains.length; start += 100) {
    const hundred = domains.slice(start, start + 100);
    const include = ['firmographics', 'technologies'];
    const { data } = bulkResponse.parse(
      await other.ask('companies', { domains: hundred, include }),
    );
    for (const result of data) if (result.status === 'tracked') found.set(result.domain, result);
  }
  return found;
}
