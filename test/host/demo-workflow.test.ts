import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { exampleNamed, readCsv } from './example';
import { useRealHost } from './harness';

/**
 * The examples that read and write files, with the packed package in a real n8n. The engine tests show that each row gets
 * the data of its company, those in test/src/input which domain a text contains.
 */

type Row = Record<string, string>;

const KINDS = {
  tracked: 195,
  not_tracked: 40,
  'invalid empty': 1,
  'invalid free_mail': 25,
  'invalid hosted_site': 2,
  'invalid ip_address': 3,
  'invalid localhost': 2,
  'invalid malformed': 3,
  // n8n's Extract from File leaves out empty cells.
  'invalid missing_field': 1,
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

test('finds the companies of names, and writes the right status and domain into the file', async () => {
  const { id } = await exampleNamed(host, 'Enrich Companies by Name');
  const { status: result } = await host.rest.run(id, { triggerName: 'Start' });
  const folder = dirname(host.example.outputPath);
  const named = readCsv(readFileSync(join(folder, 'enriched-names.csv')));

  expect(result).toBe('success');
  expect(named).toHaveLength(100);
  for (const row of named) {
    expect([row['company'], row['enriched_status']]).toEqual([row['company'], row['right_status']]);
    if (row['right_domain'] !== '') expect(row['enriched_domain']).toBe(row['right_domain']);
  }
  const filled = (name: string) => named.some((row) => (row[`enriched_${name}`] ?? '') !== '');
  const promised = ['domain', 'industry', 'employee_range', 'country', 'matched_by', 'candidates'];
  expect(promised.filter((name) => !filled(name))).toEqual([]);
});
