import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INode } from 'n8n-workflow';

import { getWorld } from '../../sandbox/data/world';
import { byId, changeExample, outcomeOf, type Outputs } from './example';
import { useRealHost } from './harness';
import { Service } from './service';
import {
  dataOf,
  executionsOf,
  ownNode,
  publish,
  publishNew,
  send,
  to,
  webhookOf,
} from './workflows';

/** The examples in a real n8n. Those that work with other services run with pinned data from them. */

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
let domains: string[];
let listId: string;

beforeAll(async () => {
  const service = new Service(host);
  domains = await service.domains(5);
  listId = await service.createList();
});

type Pins = Readonly<Record<string, readonly IDataObject[]>>;

async function run(name: string, trigger: string, pins: Pins = {}): Promise<Outputs> {
  const { status, error, outputs } = await execute(name, trigger, pins);
  expect([name, status, error]).toEqual([name, 'success', undefined]);
  return outputs;
}

async function execute(name: string, trigger: string, pins: Pins) {
  const choose = ({ type, parameters }: INode): Partial<INode> =>
    type.endsWith('.listMembers') ? { parameters: { ...parameters, listId: byId(listId) } } : {};
  const { id } = await changeExample(host, name, choose, pins);
  const { data, status } = await host.rest.run(id, { triggerName: trigger });
  return { status, ...outcomeOf(data) };
}

const company = { industry: expect.any(String), country: expect.any(String) } as IDataObject;

it('enriches new HubSpot companies, keeps values, and skips one enriched recently', async () => {
  const [domain = ''] = domains;
  const { companies, detections } = getWorld(400);
  const used = new Set(detections.company);
  const bare = companies.find((_, place) => !used.has(place))?.primaryDomain ?? '';
  const inHubSpot = (companyId: number, value: string, enrichedAt: number) => {
    const ci_enriched_at = { value: String(enrichedAt) };
    const ci_technologies = { value: 'Typed by Hand' };
    return { companyId, properties: { domain: { value }, ci_technologies, ci_enriched_at } };
  };
  const outputs = await run('Enrich New HubSpot Companies', 'HubSpot Trigger', {
    'HubSpot Trigger': [{ companyId: 1 }, { companyId: 2 }, { companyId: 3 }],
    'Get Company': [
      inHubSpot(1, domain, 0),
      inHubSpot(2, domain, Date.now()),
      inHubSpot(3, bare, 0),
    ],
    'Update Company': [{ done: true }],
  });

  const enriched = { ...company, enriched_at: expect.any(String) as string };
  expect(outputs('Fields for HubSpot')).toMatchObject([
    { ...enriched, companyId: '1', technologies: expect.not.stringContaining('by Hand') as string },
    // The service knows no technologies of it.
    { ...enriched, companyId: '3', technologies: 'Typed by Hand' },
  ]);
});

it.each(['Salesforce', 'Pipedrive'])(
  'routes each new lead to %s through exactly one branch',
  async (crm) => {
    const [domain = ''] = domains;
    const emails = [`ann@${domain}`, 'bob@nobody-knows.example', 'cleo@gmail.com', 'no address'];
    const outputs = await run(`Route New Leads to ${crm}`, 'New Lead', {
      'New Lead': emails.map((email) => ({ body: { email, first_name: 'A', last_name: 'B' } })),
      'Lead in Salesforce': [{}],
      'Lead Only in Salesforce': [{}],
      'Organization in Pipedrive': [{ id: 1 }],
      'Note in Pipedrive': [{}],
      'Person in Pipedrive': [{}],
      'Person Only in Pipedrive': [{}],
    });

    expect(outputs('Tracked?')).toEqual([
      expect.objectContaining({ email: emails[0], enriched_industry: expect.any(String) }),
    ]);
    const bare = outputs('Tracked?', 1);
    expect(bare.map(({ email }) => email).sort()).toEqual(emails.slice(1).sort());
    expect(bare.map(({ enriched_status: status }) => status).sort()).toEqual([
      'invalid',
      'invalid',
      'not_tracked',
    ]);
  },
);

it('enriches companies by name and reports an unknown name as not_tracked', async () => {
  const { companies } = getWorld(400);
  const { name = '', country = '', primaryDomain } = companies[9] ?? {};
  const outputs = await run('Enrich Companies by Name', 'Start', {
    'CSV to Rows': [{ company: `${name} GmbH`, country }, { company: 'Nobody Is Called So' }],
  });

  expect(outputs('Bulk Enrich by Name')).toMatchObject([
    { enriched_domain: primaryDomain, enriched_status: 'tracked', enriched_matched_by: 'name' },
    { enriched_status: 'not_tracked' },
  ]);
});

it('outputs the members of a list with the columns for Google Sheets', async () => {
  const outputs = await run('List to Google Sheets with Changes', 'Every Night', {
    'Update Members': [{}],
    'Add Change': [{}],
  });

  const rows = outputs('Columns');
  expect(rows.length).toBeGreaterThan(1);
  const names = new Set(rows.map((row) => Object.keys(row).join(' ')));
  expect([...names]).toEqual(['domain name tier read_at']);
});

it('converts the members of a list to one Excel file', async () => {
  const outputs = await run('List to Excel by Email', 'Every Monday', { 'Send Email': [{}] });

  expect(outputs('Bulk Enrich').length).toBeGreaterThan(1);
  expect(outputs('Bulk Enrich')[0]).toMatchObject({ enriched_industry: 'Software' });
  expect(outputs('To Excel')).toHaveLength(1);
});

it('outputs a row for each technology of each company, and none for an unknown company', async () => {
  const companies = [...domains, 'nobody-knows.example'].map((company) => ({ company }));
  const outputs = await run('One Row per Technology', 'Start', { Companies: [{ companies }] });

  const expected = outputs('With Technologies').flatMap(({ company: domain, ...row }) =>
    (row['enriched_technologies'] as IDataObject[]).map(({ tech_key }) => [domain, tech_key]),
  );
  const rows = outputs('Columns');
  expect(rows.length).toBeGreaterThan(domains.length);
  expect(rows.map(({ company: domain, tech_key }) => [domain, tech_key])).toEqual(expected);
});

it('lists own partners that connect to each account, with the most connected account first', async () => {
  const [own = '', ...accounts] = domains;
  const outputs = await run('Warm Paths to Accounts', 'Start', {
    'My Company': [{ domain: own }],
    Accounts: [{ accounts: accounts.map((account) => ({ account })) }],
  });

  const sorted = outputs('Sort by Paths');
  const paths = sorted.map(({ path_count: count }) => Number(count));
  expect(paths).toHaveLength(accounts.length);
  expect(paths).toEqual([...paths].sort((one, other) => other - one));
  const mine = new Set(outputs('My Partners').map((row) => row['partner_name']));
  const found = sorted.flatMap(({ warm_paths: names }) => (names as string).split('; '));
  for (const name of found.filter(Boolean)) expect(mine).toContain(name);
});

it('draws a partner network as PNG and SVG', async () => {
  const { id } = await changeExample(host, 'Draw a Partner Network', ({ type, parameters }) =>
    type.endsWith('.partnerGraph') ? { parameters: { ...parameters, identifier: domains[0] } } : {},
  );
  const { data, status } = await host.rest.run(id, { triggerName: 'Start' });

  expect(status).toBe('success');
  expect(outcomeOf(data).outputs('Partner Graph')[0]?.['node_count']).toBeGreaterThan(1);
  const files = { data: { mimeType: 'image/png' }, svg: { mimeType: 'image/svg+xml' } };
  const drawn = { data: { main: [[{ binary: files }]] } };
  expect(data).toMatchObject({ resultData: { runData: { 'Partner Graph': [drawn] } } });
});

it('says which workflow failed, where and why', async () => {
  const { id: errorWorkflow, versionId } = await changeExample(
    host,
    'Notify When a Run Fails',
    // Nobody is signed in to Slack here.
    ({ name }) => (name === 'Notify Team' ? { disabled: true } : {}),
  );
  await publish(host, { id: errorWorkflow, versionId });
  await publishNew(host, {
    name: 'Nightly enrichment',
    nodes: [
      webhookOf('fails', 'lastNode'),
      ownNode(host, 'Bulk Enrich', 'bulkEnrich', { domain: '={{ $json.body.domain }}' }),
    ],
    connections: { Webhook: { main: [[to('Bulk Enrich')]] } },
    settings: { errorWorkflow },
  });
  await new Service(host).control('POST', 'faults', { preset: 'creditExhausted' });
  await send(host, 'webhook/fails', { domain: domains[0] });

  let executions = await executionsOf(host, errorWorkflow);
  while (!executions.some(({ status }) => status === 'success')) {
    await sleep(200);
    executions = await executionsOf(host, errorWorkflow);
  }
  const { outputs } = outcomeOf(await dataOf(host, executions[0]?.id ?? ''));
  const [message] = outputs('Message');
  expect(message?.['workflow']).toBe('Nightly enrichment');
  expect(message?.['text']).toMatch(
    /^Nightly enrichment failed at “Bulk Enrich”: .*credits.*\n.*http:\/\/.*\/executions\/\d+$/s,
  );
});
