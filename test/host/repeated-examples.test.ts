import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { byId, changeExample, exampleNamed, outcomeOf, readCsv, type Outputs } from './example';
import { useRealHost } from './harness';
import { Service } from './service';

/** Examples that remember earlier runs in n8n's data tables, in a real n8n, several times. */

type Row = Record<string, string>;

const host = useRealHost();
const service = new Service(host);

async function run(id: string): Promise<Outputs> {
  const { status, data } = await host.rest.run(id, { triggerName: 'Start' });
  expect(status).toBe('success');
  return outcomeOf(data).outputs;
}

describe('Keep Companies Fresh', () => {
  let id: string;

  beforeAll(async () => {
    await service.jobsTakeSeconds(0);
    ({ id } = await exampleNamed(host, 'Keep Companies Fresh'));
  });

  const statuses = (itemsOf: Outputs) =>
    itemsOf('Refresh and Wait').map(({ refresh_status }) => refresh_status);

  test('refreshes all companies in the first run and saves the data of those that succeeded', async () => {
    const itemsOf = await run(id);

    expect(statuses(itemsOf)).toEqual(['succeeded', 'succeeded', 'failed']);
    const saved = {
      last_seen_at: expect.stringMatching(/^\d{4}-/),
      technologies: expect.stringMatching(/\w/),
    };
    expect(itemsOf('Save Companies')).toMatchObject([
      { domain: 'ambermarket.com', ...saved },
      { domain: 'ivoryoar.com', ...saved },
    ]);
    expect((await host.report()).charged).toBe(2);
  });

  test('leaves out companies with new data in the next run and spends no credits', async () => {
    const before = await host.report();
    const itemsOf = await run(id);
    const after = await host.report();

    expect(statuses(itemsOf)).toEqual(['failed']);
    expect(itemsOf('Save Companies')).toEqual([]);
    expect(after.charged).toBe(before.charged);
    expect(after.created.jobs).toBe(before.created.jobs + 1);
  });
});

describe('List to Spreadsheet with Changes', () => {
  let id: string;
  let listId: string;
  let folder: string;

  beforeAll(async () => {
    folder = dirname(host.example.outputPath);
    listId = await service.createList();
    // After importing the example, a user selects the list.
    ({ id } = await changeExample(host, 'List to Spreadsheet with Changes', (node) =>
      node.name === 'Current Members'
        ? { parameters: { ...node.parameters, listId: byId(listId) } }
        : {},
    ));
  });

  const changeFiles = (): string[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith('list-changes-'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));

  /** Runs the example once. Reads the file of changes if this run wrote one. */
  async function report() {
    const before = changeFiles();
    const summaries = (await run(id))('Summary');
    expect(summaries).toHaveLength(1);
    const changes = changeFiles().filter((text) => !before.includes(text));
    return {
      summary: summaries[0]!,
      list: readCsv(readFileSync(join(folder, 'list.csv'), 'utf8')),
      changes: changes.flatMap(readCsv).sort((a, b) => textOf(a).localeCompare(textOf(b))),
    };
  }

  const textOf = ({ change, domain }: Row) => `${change ?? ''} ${domain ?? ''}`;

  const toChange = (change: string, company: Row | undefined, tier_before: string, tier = '') => ({
    ...{ change, domain: company?.['primary_domain'] ?? '', name: company?.['name'] ?? '' },
    ...{ tier_before, tier },
  });

  test('writes the whole list in the first run and reports every company as added', async () => {
    const members = await service.members(listId);
    const { summary, list, changes } = await report();

    const { length } = members;
    expect(length).toBeGreaterThan(5);
    expect(list.map(({ domain, tier }) => [domain, tier])).toEqual(
      members.map(({ primary_domain: domain, tier }) => [domain, tier]),
    );
    expect(summary).toMatchObject({ members: length, added: length, removed: 0, tier_changed: 0 });
    const added = members.map((member) => toChange('added', member, '', member['tier']));
    expect(changes).toEqual(added.sort((a, b) => textOf(a).localeCompare(textOf(b))));
  });

  test('reports companies that were added, were removed or changed tier since the last run', async () => {
    const before = await service.members(listId);
    const gone = before.find(({ tier }) => tier === 'high');
    const moved = before.find(({ tier }) => tier === 'exploratory');
    const { data } = await service.ask('companies?limit=100');
    const known = before.map(({ primary_domain }) => primary_domain);
    const added = (data as Row[]).find(
      ({ primary_domain: domain = '' }) => !known.includes(domain),
    );
    const [goneDomain, ...domains] = [gone, moved, added].map((one) => one?.['primary_domain']);
    const path = `lists/${listId}/domains`;
    await service.ask(`${path}/${goneDomain ?? ''}`, undefined, 'DELETE');
    // A company that is added by hand gets the tier "high".
    await service.ask(path, { domains });
    const { summary, changes } = await report();

    expect(summary).toMatchObject({
      members: before.length,
      ...{ added: 1, removed: 1, tier_changed: 1 },
      added_domains: domains[1],
      removed_domains: goneDomain,
      tier_changed_domains: domains[0],
    });
    expect(changes).toEqual([
      toChange('added', added, '', 'high'),
      toChange('removed', gone, 'high'),
      toChange('tier changed', moved, 'exploratory', 'high'),
    ]);
  });

  test('reports no changes when the list has not changed', async () => {
    const { summary, changes } = await report();

    expect(summary).toMatchObject({ added: 0, removed: 0, tier_changed: 0, added_domains: '' });
    expect(summary['members']).toBe((await service.members(listId)).length);
    expect(changes).toEqual([]);
  });
});
