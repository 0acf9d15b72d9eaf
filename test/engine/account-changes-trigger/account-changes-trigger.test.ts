/** Account Changes Trigger in n8n's poll context, against a service whose data changes. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import { PolledWorkflow } from '../harness';
import { byId } from '../shared/nodes';
import { createList } from '../list-members/list-members';
import { ChangingService, type ChangingCompany } from '../shared/changing-service';
import { credentialFor, packageNode, userCredential } from '../shared/service';

let service: ChangingService;
beforeEach(async () => {
  service = await new ChangingService().start();
});
afterEach(async () => {
  await service.stop();
});

const company = (
  technologies: string[],
  partnerships: Record<string, string> = {},
): ChangingCompany => ({ technologies: technologies.map((key) => ({ key })), partnerships });

const EVENTS = [
  'partnershipGained',
  'partnershipLost',
  'partnershipTypeChanged',
  'technologyAdopted',
  'technologyDropped',
  'technologyMigrated',
];

/** The n8n of a trigger. */
type N8n = Partial<Omit<ConstructorParameters<typeof PolledWorkflow>[0], 'node'>>;

function watching(
  { options, ...parameters }: IDataObject = {},
  { credentials = credentialFor(service.baseUrl), ...n8n }: N8n = {},
): PolledWorkflow {
  return new PolledWorkflow({
    node: packageNode('accountChangesTrigger', {
      domains: 'alpha.com, beta.com',
      events: EVENTS,
      rivals: 'crm-a, crm-b',
      ...parameters,
      options: { minMinutesBetweenReads: 0, ...(options as IDataObject) },
    }),
    credentials,
    ...n8n,
  });
}

/** Activates a trigger whose first poll records these companies. */
async function watched(
  companies: Record<string, ChangingCompany>,
  parameters?: IDataObject,
): Promise<PolledWorkflow> {
  service.companies = companies;
  const workflow = watching(parameters);
  await workflow.activate();
  return workflow;
}

const brief = ({ items }: PolledWorkflow) =>
  items.map((item) => [item['event'], item['domain'], item['tech_key'] ?? item['partner']]);

it('emits each technology and partnership change once, even when n8n restarts', async () => {
  const workflow = await watched({
    'alpha.com': company(['crm-a', 'shop'], { 'one.com': 'generic', 'two.com': 'channel' }),
    'beta.com': company(['mail']),
  });
  expect(workflow.executions).toEqual([]);

  service.companies = {
    'alpha.com': company(['crm-b', 'chat'], { 'one.com': 'technology', 'three.com': 'channel' }),
    'beta.com': company(['mail']),
  };
  await workflow.poll();
  workflow.kill();
  await workflow.activate();

  expect(brief(workflow)).toEqual([
    ['technology_adopted', 'alpha.com', 'chat'],
    ['technology_dropped', 'alpha.com', 'shop'],
    ['technology_migrated', 'alpha.com', undefined],
    ['partnership_gained', 'alpha.com', 'three.com'],
    ['partnership_lost', 'alpha.com', 'two.com'],
    ['partnership_type_changed', 'alpha.com', 'one.com'],
  ]);
  expect(workflow.items[2]).toMatchObject({
    from: [{ tech_key: 'crm-a' }],
    to: [{ tech_key: 'crm-b', vendor_name: 'crm-b' }],
  });
  expect(workflow.items[4]).toMatchObject({
    company_name: 'alpha.com',
    partner: 'two.com',
    partner_name: 'Partner two.com',
  });
  expect(workflow.items[5]).toMatchObject({
    partnership_type: 'technology',
    previous_partnership_type: 'generic',
  });
});

it('emits a switch between rivals as adopted and dropped when migrations are off', async () => {
  const events = ['technologyAdopted', 'technologyDropped'];
  const workflow = await watched({ 'alpha.com': company(['crm-a']) }, { events });
  service.companies = { 'alpha.com': company(['crm-b']) };
  await workflow.poll();

  expect(brief(workflow)).toEqual([
    ['technology_adopted', 'alpha.com', 'crm-b'],
    ['technology_dropped', 'alpha.com', 'crm-a'],
  ]);
});

it('emits nothing when an account is new, becomes tracked or comes back', async () => {
  const workflow = await watched({ 'alpha.com': company(['shop']) });
  // From here on, the service tracks beta.com, and a new account is listed.
  service.companies['beta.com'] = company(['mail']);
  service.companies['gamma.com'] = company(['chat']);
  await workflow.activate({ parameters: { domains: 'alpha.com, beta.com, gamma.com' } });
  const { 'alpha.com': alpha, ...others } = service.companies;
  service.companies = others;
  await workflow.poll();
  service.companies = { ...others, ...(alpha === undefined ? {} : { 'alpha.com': alpha }) };
  await workflow.poll();
  expect(workflow.items).toEqual([]);

  service.companies['beta.com'] = company(['mail', 'shop']);
  await workflow.poll();
  expect(brief(workflow)).toEqual([['technology_adopted', 'beta.com', 'shop']]);
});

it('reads 250 accounts in 3 requests', async () => {
  const domains = Array.from({ length: 250 }, (_one, index) => `a${String(index)}.com`);
  const workflow = watching({ domains: domains.join('\n'), events: ['technologyAdopted'] });
  await workflow.activate();

  expect(service.asked).toEqual(['POST /v1/companies', 'POST /v1/companies', 'POST /v1/companies']);
  expect(workflow.logsWith('rows stored')).toContainEqual(
    expect.stringContaining('3 requests, up to 0 credits'),
  );
});

it.each([
  [['technologyDropped'], ['technologies']],
  [['partnershipLost'], ['partnerships']],
  [
    ['technologyMigrated', 'partnershipGained'],
    ['technologies', 'partnerships'],
  ],
])('when the events are %j, requests only the sections %j', async (events, sections) => {
  await watching({ events }).activate();

  expect(service.included).toEqual([sections]);
});

it('holds back an account that loses most entries, but emits the changes of others', async () => {
  const workflow = await watched({
    'alpha.com': company(Array.from('abcdefghijklmnopqr')),
    'beta.com': company(['mail']),
  });
  service.companies = {
    'alpha.com': company(Array.from('abcdefg')),
    'beta.com': company(['mail', 'chat']),
  };
  await workflow.poll();
  expect(workflow.logsWith('alpha.com (11 of 18)')).toHaveLength(1);
  service.companies['alpha.com'] = company(Array.from('abcdefghijklmnopqr'));
  await workflow.poll();

  expect(brief(workflow)).toEqual([['technology_adopted', 'beta.com', 'chat']]);
});

it('holds back accounts that an outage empties, even when each had few entries', async () => {
  const names = Array.from({ length: 60 }, (_one, index) => `company-${String(index)}.com`);
  const all = Object.fromEntries(names.map((name) => [name, company(['shop', 'chat'])]));
  const workflow = await watched(all, { domains: names.join(' '), events: ['technologyDropped'] });
  const emptied = Object.fromEntries(names.slice(0, 12).map((name) => [name, company([])]));
  service.companies = { ...all, ...emptied, 'company-20.com': company(['chat']) };
  await workflow.poll();

  expect(brief(workflow)).toEqual([['technology_dropped', 'company-20.com', 'shop']]);
  expect(workflow.logsWith('12 of 60 accounts keep their previous state')).toHaveLength(1);
});

it('names the accounts that are not compared when the service shortens a section', async () => {
  const many = { ...company([], { 'one.com': 'channel' }), partnershipCount: 80 };
  const workflow = await watched({ 'alpha.com': many, 'beta.com': company([]) });
  service.companies = { 'alpha.com': many, 'beta.com': company(['chat']) };
  await workflow.poll();

  expect(workflow.items).toMatchObject([
    {
      event: 'technology_adopted',
      note: '1 of 2 accounts have a section that the service shortened and that was not compared: alpha.com (1 of 80 partnerships)',
    },
  ]);
});

it('fails the poll when most technologies disappear at the same time', async () => {
  const workflow = await watched({ 'alpha.com': company(Array.from('abcdefghijkl')) });
  service.companies = { 'alpha.com': company([]) };

  await expect(workflow.poll()).rejects.toThrow(
    '12 of 12 technologies and partnerships of the accounts would be gone since the last poll',
  );
});

it('fails after 3 requests and emits nothing when partners use up Max Credits', async () => {
  const domains = Array.from({ length: 250 }, (_one, index) => `a${String(index)}.com`);
  const partners = { 'one.com': 'generic', 'two.com': 'channel' };
  service.companies = Object.fromEntries(domains.map((domain) => [domain, company([], partners)]));
  const workflow = watching({
    domains: domains.join('\n'),
    options: { emitExisting: true, maxCredits: 260 },
  });

  await expect(workflow.activate()).rejects.toThrow(/limit of 260 credits/);
  // Each company costs 3 credits. The first request reads 10 accounts and shows this cost. The
  // second reads the 76 accounts that the remaining credits cover. The third reads 1 account.
  expect(service.asked).toHaveLength(3);
  expect(workflow.executions).toEqual([]);
});

it('watches the members of a saved list', async () => {
  const sandbox = await startSandbox({ companies: 300 });
  try {
    const list = await createList(sandbox, 10);
    const workflow = watching(
      {
        accounts: 'list',
        listId: byId(list),
        events: ['technologyAdopted'],
        options: { emitExisting: true },
      },
      { credentials: userCredential(sandbox) },
    );
    await workflow.activate();
    const watched = new Set(workflow.items.map(({ domain }) => domain));

    expect(watched.size).toBeGreaterThan(1);
    expect(workflow.items[0]).toMatchObject({
      event: 'technology_adopted',
      display_name: expect.any(String),
    });
  } finally {
    await sandbox.close();
  }
});

describe('accounts from a data table', () => {
  /** Creates a trigger on an n8n whose data table contains these rows. */
  function watchingTable(rows: IDataObject[] | Error): PolledWorkflow {
    const table = { accounts: 'dataTable', dataTableId: 'table-1', column: 'website' };
    return watching(
      { ...table, events: ['technologyAdopted'] },
      {
        executeWorkflow: async ({ code }) => {
          await Promise.resolve();
          // n8n 3 rejects the caller policy "any".
          expect(code?.settings?.callerPolicy).toBe('workflowsFromSameOwner');
          if (rows instanceof Error) throw rows;
          return { executionId: '1', data: [rows.map((json) => ({ json }))] };
        },
      },
    );
  }

  it('rereads the table in each poll, and skips rows without a domain', async () => {
    service.companies = { 'alpha.com': company(['shop']), 'beta.com': company(['shop']) };
    const rows: IDataObject[] = [{ website: 'https://alpha.com' }, { website: null }];
    const workflow = watchingTable(rows);
    await workflow.activate();
    rows.push({ website: 'beta.com' });
    await workflow.poll();
    service.companies = { 'beta.com': company(['shop', 'chat']) };
    await workflow.poll();

    expect(brief(workflow)).toEqual([['technology_adopted', 'beta.com', 'chat']]);
    expect(workflow.logsWith('1 rows of the table have no domain')).toHaveLength(3);
  });

  it('fails the poll when most accounts disappear, and keeps their saved state', async () => {
    const domains = Array.from({ length: 20 }, (_one, index) => `a${String(index)}.com`);
    service.companies = Object.fromEntries(domains.map((domain) => [domain, company(['shop'])]));
    const rows = domains.map((website) => ({ website }));
    const workflow = watchingTable(rows);
    await workflow.activate();
    const missing = rows.splice(1);
    const before = service.asked.length;
    await expect(workflow.poll()).rejects.toThrow(
      '19 of 20 accounts would be gone since the last poll',
    );
    expect(service.asked).toHaveLength(before);
    rows.push(...missing);
    service.companies['a7.com'] = company(['shop', 'chat']);
    await workflow.poll();

    expect(brief(workflow)).toEqual([['technology_adopted', 'a7.com', 'chat']]);
  });

  it.each([
    [
      'the table does not exist',
      new Error('no such table'),
      /Could not read the data table: no such table/,
    ],
    ['the column does not exist', [{ domain: 'alpha.com' }], /no column "website"/],
    ['the table is empty', [], /The table has no accounts/],
  ])('fails without a request when %s', async (_title, rows, message) => {
    await expect(watchingTable(rows).activate()).rejects.toThrow(message);
    expect(service.asked).toEqual([]);
  });
});

it('fails when an account is not a domain or a group of rivals has one technology', async () => {
  await expect(watching({ domains: 'alpha.com oops' }).activate()).rejects.toThrow('"oops"');
  await expect(watching({ rivals: 'crm-a' }).activate()).rejects.toThrow(
    'at least two technologies',
  );
});

it('warns once about accounts that the service does not track', async () => {
  const domains = 'alpha.com, betta.com';
  const workflow = await watched({ 'alpha.com': company(['crm-a']) }, { domains });
  await workflow.poll();

  expect(workflow.logsWith('1 of the accounts are mistyped or not tracked by the service')).toEqual(
    [expect.stringContaining('betta.com')],
  );
});
