import type { Report } from '../../sandbox';
import { getWorld } from '../../sandbox/data/world';
import { useExamples, type Outputs } from './example';
import { parseMail } from './outside';
import type { Row } from './service';

const { host, service, outside, run } = useExamples();

const maxCredits = (credits: number) => ({ 'Bulk Enrich': { options: { maxCredits: credits } } });

describe('Keep Companies Fresh', () => {
  beforeAll(async () => {
    await service.jobsTakeSeconds(0);
  });

  const refresh = async () => (await run('Keep Companies Fresh', 'Start')).outputs;

  const statuses = (itemsOf: Outputs) =>
    itemsOf('Refresh and Wait').map(({ refresh_status }) => refresh_status);

  test('refreshes all companies in the first run and saves the data of those that succeeded', async () => {
    const itemsOf = await refresh();

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
    const itemsOf = await refresh();
    const after = await host.report();

    expect(statuses(itemsOf)).toEqual(['failed']);
    expect(itemsOf('Save Companies')).toEqual([]);
    expect(after.charged).toBe(before.charged);
    expect(after.created.jobs).toBe(before.created.jobs + 1);
  });
});

describe('Backfill a CRM', () => {
  const MAX_CREDITS = 60;
  /** Rows that cost nothing: duplicates, an address that is free, and nothing at all. */
  const FREE = 20;
  let before: Report;

  beforeAll(async () => {
    const domains = getWorld(3000)
      .companies.slice(-270)
      .map(({ primaryDomain }) => primaryDomain);
    const untracked = Array.from({ length: 10 }, (_, at) => `nobody-tracks-${String(at)}.com`);
    const websites = [...domains, ...untracked, ...domains.slice(0, FREE - 2), 'gmail.com', null];
    for (const [at, Website] of websites.entries()) {
      const Id = String(at);
      outside.accounts.set(Id, { Id, Website, ci_technologies__c: 'Typed by Hand' });
    }
    // Other examples have read some of these companies, which would be free now.
    await service.control('POST', 'reset');
    before = await host.report();
  });

  const isDone = ({ ci_enriched_at__c: at }: Row) => at !== undefined;
  const done = () => [...outside.accounts.values()].filter(isDone);

  const night = async () => await run('Backfill a CRM', 'Every Night', maxCredits(MAX_CREDITS));

  test('leaves rows that failed for the next night', async () => {
    await service.control('PATCH', 'keys/user', { credits: 0 });

    await night();
    await service.control('PATCH', 'keys/user', { credits: 1_000_000 });
    expect(done().map(({ Website }) => Website)).toEqual(['gmail.com', null]);
    expect((await host.report()).charged).toBe(before.charged);
  });

  test('is finished after the nights that its credits need, and looks up nothing twice', async () => {
    const nights: number[] = [];
    while (done().length < 300 && nights.length < 10) {
      const finished = done().length;
      await night();
      nights.push(done().length - finished);
    }
    const after = await host.report();

    expect(nights).toEqual([MAX_CREDITS + FREE - 2, 60, 60, 60, 40]);
    expect(after.charged - before.charged).toBe(270);
    const asked = after.recent.slice(before.recent.length).filter(({ status }) => status === 200);
    expect(asked.reduce((sum, { domains }) => sum + domains, 0)).toBe(280);
  });

  test('saves data, and replaces nothing with an empty value', () => {
    const [first, ...others] = done();

    expect(first).toMatchObject({
      ci_industry__c: expect.any(String) as string,
      ci_enriched_at__c: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    for (const account of [first!, ...others]) expect(Object.values(account)).not.toContain('');
    const kept = others.filter(({ ci_technologies__c: names }) => names === 'Typed by Hand');
    expect(kept.length).toBeGreaterThanOrEqual(12);
    expect(kept.length).toBeLessThan(100);
  });

  test('runs no more lookups when every record is finished', async () => {
    const { requests } = await host.report();

    await night();
    expect((await host.report()).requests).toBe(requests);
  });
});

describe('Enrich a Google Sheet', () => {
  const OWN = ['company', 'owner'];
  const rows = () => outside.spreadsheet.rows('Companies');
  const statuses = () => rows().map(({ enriched_status: status }) => status);
  let cells: string[][];

  beforeAll(async () => {
    const [a = '', b = '', c = ''] = await service.domains(3);
    const companies = [a, `info@${b}`, 'jo@gmail.com', 'nobody-tracks-this.com', a, c];
    cells = companies.map((company) => [company, 'Ann']);
    outside.spreadsheet.sheets.set('Companies', [[...OWN], ...cells.map((row) => [...row])]);
  });

  /** Returns the number of domains that the service was asked for. */
  const night = async (credits: number): Promise<number> => {
    const before = (await host.report()).byKey.user?.domains ?? 0;
    await run('Enrich a Google Sheet', 'Every Night', maxCredits(credits));
    return ((await host.report()).byKey.user?.domains ?? 0) - before;
  };

  test('adds its columns to the rows in the first run, and looks up the rest in the next', async () => {
    await night(2);
    const first = ['tracked', 'tracked', 'invalid', 'not_tracked', 'tracked', 'skipped'];
    expect(statuses().filter((status) => status === 'skipped').length).toBeGreaterThan(0);
    const open = statuses().filter((status) => status === 'skipped' || status === 'error').length;

    expect(await night(500)).toBe(open);
    expect(statuses()).toEqual([...first.slice(0, 5), 'tracked']);
    for (const name of ['domain', 'company_name', 'industry', 'employee_range', 'country']) {
      expect(rows()[0]?.[`enriched_${name}`]).toMatch(/\w/);
      expect(rows()[5]?.[`enriched_${name}`]).toMatch(/\w/);
    }
    expect(rows()[0]?.['enriched_technology_names']).toMatch(/\w/);
    expect(rows().map((row) => OWN.map((name) => row[name]))).toEqual(cells);
  });

  test('looks up failed and new rows again, and nothing when all are finished', async () => {
    const sheet = outside.spreadsheet.sheets.get('Companies') ?? [];
    const status = sheet[0]?.indexOf('enriched_status') ?? 0;
    sheet[2]![status] = 'error';
    sheet.push([cells[1]?.[0], 'Bob']);

    expect(await night(500)).toBe(1);
    expect(statuses().slice(-1)).toEqual(['tracked']);
    expect(statuses()).not.toContain('error');
    expect(await night(500)).toBe(0);
  });
});

test('What Did Each Workflow Spend adds up the figures of the executions before it', async () => {
  const scopes = ['execution:list', 'execution:read'];
  const key = { label: 'Report', scopes, expiresAt: null };
  const { rawApiKey: apiKey } = (await host.rest.request('POST', '/rest/api-keys', key)) as {
    rawApiKey: string;
  };
  const data = { apiKey, baseUrl: `${host.n8nUrl}/api/v1` };
  const n8nApi = await host.rest.saveCredential({ name: 'n8n account', type: 'n8nApi', data });
  const spent = 'What Did Each Workflow Spend';
  const { outputs } = await run(spent, 'Every Monday', {}, { n8n: { n8nApi } });

  expect(outputs('Columns')).toContainEqual({
    ...{ Workflow: 'Backfill a CRM', Executions: 6 },
    ...{ Rows: expect.any(Number) as number, Requests: expect.any(Number) as number },
    'Credits (up to)': 270,
  });
  const [mail, ...others] = outside.mails;
  expect(others).toEqual([]);
  const { subject, html } = await parseMail(mail ?? '');
  expect(subject).toMatch(/^Credits until \d{4}-\d\d-\d\d$/);
  expect(html).toMatch(/Backfill a CRM.*>270<\/td>/s);
});
