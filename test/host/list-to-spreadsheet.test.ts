import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { byId, changeExample, outcomeOf, readCsv } from './example';
import { useRealHost } from './harness';
import { Service } from './service';

/**
 * The example that writes a list and its changes to spreadsheets, in a real n8n with its data
 * tables. The example runs again after each change of the list.
 */

type Row = Record<string, string>;

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
const service = new Service(host);
let workflowId: string;
let listId: string;
let folder: string;

beforeAll(async () => {
  folder = dirname(host.example.outputPath);
  listId = await service.createList();
  // After importing the example, a user selects the list.
  const choose = ({ name, parameters }: INode) =>
    name === 'Current Members' ? { parameters: { ...parameters, listId: byId(listId) } } : {};
  ({ id: workflowId } = await changeExample(host, 'List to Spreadsheet with Changes', choose));
});

const members = () => service.members(listId);

interface Report {
  readonly summary: Record<string, unknown>;
  readonly list: Row[];
  readonly changes: Row[];
}

/** Runs the example once. Reads the file of changes if this run wrote one. */
async function run(): Promise<Report> {
  const before = changeFiles();
  const { status, data } = await host.rest.run(workflowId, { triggerName: 'Start' });
  expect(status).toBe('success');
  const summaries = outcomeOf(data).outputs('Summary');
  expect(summaries).toHaveLength(1);
  const written = changeFiles().filter(({ text }) => !before.some((file) => file.text === text));
  return {
    summary: summaries[0]!,
    list: readCsv(readFileSync(join(folder, 'list.csv'), 'utf8')),
    changes: written.flatMap(({ text }) => readCsv(text)),
  };
}

function changeFiles(): Array<{ name: string; text: string }> {
  return readdirSync(folder)
    .filter((name) => name.startsWith('list-changes-'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

const byDomain = (a: Row, b: Row) => String(a['domain']).localeCompare(String(b['domain']));

test('writes the whole list in the first run and reports every company as added', async () => {
  const all = await members();
  const { summary, list, changes } = await run();

  expect(all.length).toBeGreaterThan(5);
  expect(list.map((row) => [row['domain'], row['tier']])).toEqual(
    all.map((row) => [row['primary_domain'], row['tier']]),
  );
  expect(summary).toMatchObject({
    members: all.length,
    added: all.length,
    removed: 0,
    tier_changed: 0,
  });
  expect([...changes].sort(byDomain)).toEqual(
    all
      .map(({ primary_domain: domain = '', name = '', tier = '' }) => ({
        change: 'added',
        domain,
        name,
        tier_before: '',
        tier,
      }))
      .sort(byDomain),
  );
});

test('reports companies that were added, were removed or changed tier since the last run', async () => {
  const before = await members();
  const [gone] = before.filter(({ tier }) => tier === 'high');
  const [moved] = before.filter(({ tier }) => tier === 'exploratory');
  const companies = await service.ask('companies?limit=100');
  const known = before.map(({ primary_domain }) => primary_domain);
  const added = (companies['data'] as Row[]).find(
    ({ primary_domain }) => !known.includes(primary_domain ?? ''),
  );
  const domains = `lists/${listId}/domains`;
  await service.ask(`${domains}/${gone?.['primary_domain'] ?? ''}`, undefined, 'DELETE');
  // A company that is added by hand gets the tier "high".
  await service.ask(domains, { domains: [moved?.['primary_domain'], added?.['primary_domain']] });
  const { summary, changes } = await run();

  expect(summary).toMatchObject({
    members: before.length,
    added: 1,
    removed: 1,
    tier_changed: 1,
    added_domains: added?.['primary_domain'],
    removed_domains: gone?.['primary_domain'],
    tier_changed_domains: moved?.['primary_domain'],
  });
  const row = (change: string, company: Row | undefined, tier_before: string, tier: string) => ({
    change,
    domain: company?.['primary_domain'],
    name: company?.['name'],
    tier_before,
    tier,
  });
  expect(
    [...changes].sort((a, b) => String(a['change']).localeCompare(String(b['change']))),
  ).toEqual([
    row('added', added, '', 'high'),
    row('removed', gone, 'high', ''),
    row('tier changed', moved, 'exploratory', 'high'),
  ]);
});

test('reports no changes when the list has not changed', async () => {
  const { summary, changes } = await run();

  expect(summary).toMatchObject({ added: 0, removed: 0, tier_changed: 0, added_domains: '' });
  expect(summary['members']).toBe((await members()).length);
  expect(changes).toEqual([]);
});
