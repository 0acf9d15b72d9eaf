import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parse } from 'csv-parse/sync';

import { startRealHost, type RealHost } from './harness';

/**
 * The example that writes a list to a spreadsheet and tells what changed, on a real n8n with its data
 * tables, run again after each change of the list.
 */

type Row = Record<string, string>;

interface Node {
  readonly name: string;
  readonly parameters: Record<string, unknown>;
}

interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly nodes: Node[];
}

let host: RealHost;
let workflow: Workflow;
let listId: string;
let folder: string;

beforeAll(async () => {
  host = await startRealHost({ sandboxArgs: ['--companies', '400'] });
  folder = dirname(host.example.outputPath);
  listId = await createList();
  workflow = await chooseList();
});

afterAll(async () => {
  await host.stop();
});

/** Asks the sandbox as the owner of the list. */
async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${host.sandboxUrl}${path}`, {
    method,
    headers: { 'X-API-Key': host.keys.user, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

async function createList(): Promise<string> {
  const { registry_version } = await ask('GET', '/v1/lists/filter-fields');
  const root = { field: 'industry', operator: 'equals', value: 'Software' };
  const list = await ask('POST', '/v1/lists', {
    name: 'Software companies',
    definition: { registry_version, root },
  });
  return list['list_id'] as string;
}

/** What a user does after importing the example: chooses the list. */
async function chooseList(): Promise<Workflow> {
  const filter = encodeURIComponent(JSON.stringify({ query: 'List to Spreadsheet with Changes' }));
  const [found] = (await host.rest.request(
    'GET',
    `/rest/workflows?filter=${filter}`,
  )) as Workflow[];
  const whole = (await host.rest.request('GET', `/rest/workflows/${found?.id ?? ''}`)) as Workflow;
  const members = whole.nodes.find(({ name }) => name === 'This Time');
  if (members === undefined) throw new Error('The example has no node "This Time".');
  members.parameters['listId'] = { __rl: true, mode: 'id', value: listId };
  await host.rest.request('PATCH', `/rest/workflows/${whole.id}?forceSave=true`, whole);
  return whole;
}

async function members(): Promise<Row[]> {
  const page = await ask('GET', `/v1/lists/${listId}/members?limit=1000`);
  return page['members'] as Row[];
}

interface Report {
  readonly summary: Record<string, unknown>;
  readonly list: Row[];
  readonly changes: Row[];
}

/** Runs the example once. The file of changes is read if this run wrote one. */
async function run(): Promise<Report> {
  const before = changeFiles();
  const execution = await host.rest.run(workflow.id, { triggerName: 'Start' });
  expect(execution.status).toBe('success');
  const { resultData } = execution.data as {
    resultData: {
      runData: Record<string, Array<{ data: { main: Array<Array<{ json: object }>> } }>>;
    };
  };
  const summary = resultData.runData['Summary']?.[0]?.data.main[0]?.map(({ json }) => json);
  expect(summary).toHaveLength(1);
  const written = changeFiles().filter(({ text }) => !before.some((file) => file.text === text));
  return {
    summary: summary?.[0] as Record<string, unknown>,
    list: rowsOf(readFileSync(join(folder, 'list.csv'), 'utf8')),
    changes: written.flatMap(({ text }) => rowsOf(text)),
  };
}

function changeFiles(): Array<{ name: string; text: string }> {
  return readdirSync(folder)
    .filter((name) => name.startsWith('list-changes-'))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

function rowsOf(csv: string): Row[] {
  return parse(csv, { columns: true, bom: true });
}

const byDomain = (a: Row, b: Row) => String(a['domain']).localeCompare(String(b['domain']));

test('the first run writes the whole list; every company counts as added', async () => {
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

test('a run in which nothing changed says so', async () => {
  const { summary, changes } = await run();

  expect(summary).toMatchObject({ added: 0, removed: 0, tier_changed: 0, added_domains: '' });
  expect(summary['members']).toBe((await members()).length);
  expect(changes).toEqual([]);
});

test('companies that were added, were removed or changed their tier are told apart, once', async () => {
  const before = await members();
  const [gone] = before.filter(({ tier }) => tier === 'high');
  const [moved] = before.filter(({ tier }) => tier === 'exploratory');
  const companies = await ask('GET', '/v1/companies?limit=100');
  const known = before.map(({ primary_domain }) => primary_domain);
  const added = (companies['data'] as Row[]).find(
    ({ primary_domain }) => !known.includes(primary_domain ?? ''),
  );
  await ask('DELETE', `/v1/lists/${listId}/domains/${gone?.['primary_domain'] ?? ''}`);
  // Added by hand, a company is in the high tier.
  await ask('POST', `/v1/lists/${listId}/domains`, {
    domains: [moved?.['primary_domain'], added?.['primary_domain']],
  });
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

  const again = await run();
  expect(again.summary).toMatchObject({ added: 0, removed: 0, tier_changed: 0 });
  expect(again.changes).toEqual([]);
});
