import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { filesBelow, startRealHost, type RealHost } from './harness';

/**
 * The example workflow on a real n8n against a real sandbox. What each row must say is worked out
 * here from what the sandbox answers to plain requests, without any code of the nodes.
 */

type Row = Record<string, string>;

/** Rows that no company can be found for, and why; everything else in the file has a host name. */
const JUNK: Readonly<Record<string, string>> = {
  '': 'empty',
  '   ': 'empty',
  'n/a': 'no_dot',
  'N/A': 'no_dot',
  '-': 'no_dot',
  unknown: 'no_dot',
  none: 'no_dot',
  null: 'no_dot',
  '?': 'no_dot',
  localhost: 'localhost',
  'http://localhost:3000/': 'localhost',
  '192.168.0.12': 'ip_address',
  'http://10.0.0.7/login': 'ip_address',
  '[2001:db8::1]': 'ip_address',
  'tbd (ask sales)': 'no_dot',
  'not a company, private person': 'no_dot',
  'http://': 'no_dot',
  'www.': 'no_dot',
  '@': 'no_dot',
  'info@': 'no_dot',
  acme: 'no_dot',
  'foo..bar.com': 'malformed',
  '.com': 'no_dot',
  'com.': 'no_dot',
  '-leading-hyphen.com': 'malformed',
  under_score_host: 'no_dot',
  '=HYPERLINK("x")': 'no_dot',
  '12345': 'no_dot',
};
const FREE_MAIL = ['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'icloud.com', 'proton.me'];

interface BulkResult {
  readonly domain: string;
  readonly status: string;
  readonly company: {
    readonly name: string;
    readonly firmographics: Readonly<Record<string, string | number>>;
  } | null;
  readonly technologies: ReadonlyArray<{ readonly display_name: string }>;
  readonly technology_count: number;
  readonly partnership_count: number;
}

let host: RealHost;
let leads: Row[];
let firstRun: { status: string; rows: Row[]; text: string };
let expected: Row[];
let expectedDomains: Set<string>;
let trackedDomains: Set<string>;

beforeAll(async () => {
  host = await startRealHost();
  leads = readCsv(host.example.inputPath);
  ({ rows: expected, domains: expectedDomains, tracked: trackedDomains } = await expectRows());
  const { status } = await host.example.run();
  firstRun = {
    status,
    rows: readCsv(host.example.outputPath),
    text: readFileSync(host.example.outputPath, 'utf8'),
  };
});

afterAll(async () => {
  await host.stop();
});

test('the run succeeds and every lead comes out once, in order, with its own columns', () => {
  expect(firstRun.status).toBe('success');
  expect(leads).toHaveLength(300);
  const own = (rows: Row[]): Row[] =>
    rows.map(({ lead_id = '', company = '', full_name = '', source = '' }) => ({
      lead_id,
      company,
      full_name,
      source,
    }));
  expect(own(firstRun.rows)).toEqual(own(leads));
  expect(new Set(firstRun.rows.map(({ lead_id }) => lead_id)).size).toBe(300);
});

test('every row says what the service knows about its company, or why it knows nothing', () => {
  const inColumns = (row: Row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [`enriched_${name}`, cell]));
  expect(firstRun.rows).toMatchObject(
    leads.map((lead, index) => ({ ...lead, ...inColumns(expected[index] ?? {}) })),
  );
  const added = Object.keys(firstRun.rows[0] ?? {}).slice(Object.keys(leads[0] ?? {}).length);
  expect(added.filter((name) => !name.startsWith('enriched_'))).toEqual([]);
});

test('the file holds every kind of row', () => {
  const count = (status: string): number => expected.filter((row) => row.status === status).length;
  expect(count('tracked')).toBeGreaterThan(150);
  expect(count('not_tracked')).toBeGreaterThan(30);
  expect(count('invalid')).toBeGreaterThan(50);
});

test('distinct domains share requests, and every company is charged once', async () => {
  const { byKey, violations } = await host.report();
  expect(byKey.user).toMatchObject({
    requests: Math.ceil(expectedDomains.size / 100),
    domains: expectedDomains.size,
    charged: trackedDomains.size,
  });
  expect(violations).toEqual([]);
});

test('a second run within 30 days gives the same file and charges nothing', async () => {
  const before = (await host.report()).byKey.user;
  const { status } = await host.example.run();
  const after = (await host.report()).byKey.user;

  expect(status).toBe('success');
  expect(readFileSync(host.example.outputPath, 'utf8')).toBe(firstRun.text);
  expect(after?.charged).toBe(before?.charged);
  expect(after?.requests).toBe((before?.requests ?? 0) * 2);
});

test('the API key is in no log, execution or file of n8n', async () => {
  const executions = JSON.stringify(await host.rest.request('GET', '/rest/executions/1'));
  // n8n encrypts credentials, so its database may be searched as it is.
  const files = [...filesBelow(host.userFolder)].filter(
    ({ path }) => !path.startsWith(join(host.userFolder, '.n8n', 'nodes')),
  );
  const found = (needle: string): string[] => [
    ...(executions.includes(needle) ? ['execution over REST'] : []),
    ...(readFileSync(host.n8nLog).includes(needle) ? ['log'] : []),
    ...(firstRun.text.includes(needle) ? ['output'] : []),
    ...files.filter(({ bytes }) => bytes.includes(needle)).map(({ path }) => path),
  ];

  expect(found(host.keys.user)).toEqual([]);
  expect(found(host.keys.organization)).toEqual([]);
  // The search looks where the data is: a company's name is in all three places.
  const name = expected.find((row) => row.status === 'tracked')?.company_name ?? '';
  expect(found(name)).toEqual(
    expect.arrayContaining([
      'execution over REST',
      'output',
      expect.stringMatching(/database\.sqlite/),
    ]),
  );
});

function readCsv(path: string): Row[] {
  return parse(readFileSync(path), { columns: true, bom: true });
}

/** What the added columns must hold, row by row. Asks with the key of another organization. */
async function expectRows() {
  const hosts = leads.map(({ company = '' }) => hostOf(company));
  const candidates = new Set(hosts.flatMap((name) => (name ? [name, parentOf(name)] : [])));
  const known = await lookUp([...candidates]);

  const domains = new Set<string>();
  const tracked = new Set<string>();
  const rows = leads.map(({ company = '' }, index): Row => {
    const name = hosts[index];
    if (!name) {
      const reason = JUNK[company] ?? (company.trim().length > 253 ? longReason(company) : '?');
      return { ...blank, status: 'invalid', reason };
    }
    if (FREE_MAIL.includes(name)) return { ...blank, status: 'invalid', reason: 'free_mail' };

    // Hosts such as shop.example.com belong to the company of example.com.
    const result = known.get(name) ?? known.get(parentOf(name));
    domains.add(result?.domain ?? name);
    if (!result?.company) return { ...blank, domain: name, status: 'not_tracked' };
    tracked.add(result.domain);
    const { name: companyName, firmographics } = result.company;
    return {
      domain: result.domain,
      status: 'tracked',
      reason: '',
      company_name: companyName,
      industry: String(firmographics.industry),
      employee_range: String(firmographics.employee_range),
      country: String(firmographics.country),
      technology_count: String(result.technology_count),
      technology_names: result.technologies.map(({ display_name }) => display_name).join('; '),
      partnership_count: String(result.partnership_count),
    };
  });
  return { rows, domains, tracked };
}

const blank: Row = {
  domain: '',
  reason: '',
  company_name: '',
  industry: '',
  employee_range: '',
  country: '',
  technology_count: '',
  technology_names: '',
  partnership_count: '',
};

/** The host name in a lead's text by the rules of URLs, or null for junk. */
function hostOf(text: string): string | null {
  if (text in JUNK || text.trim().length > 253) return null;
  const address = text
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .replace(/^[^/]*@/, '');
  const { hostname } = new URL(`http://${address.replace(/^(https?:)?\/\//, '')}`);
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Only a host name can be too long; text with spaces is not one. */
function longReason(text: string): string {
  return /\s/.test(text.trim()) ? 'no_dot' : 'too_long';
}

/** The tracked ones among domains, as the service describes them. */
async function lookUp(domains: string[]): Promise<Map<string, BulkResult>> {
  const found = new Map<string, BulkResult>();
  for (let start = 0; start < domains.length; start += 100) {
    const response = await fetch(`${host.sandboxUrl}/v1/companies`, {
      method: 'POST',
      headers: { 'X-API-Key': host.keys.otherOrganization, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        domains: domains.slice(start, start + 100),
        include: ['firmographics', 'technologies'],
      }),
    });
    const { data } = (await response.json()) as { data: BulkResult[] };
    for (const result of data) if (result.status === 'tracked') found.set(result.domain, result);
  }
  return found;
}
