import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { getWorld } from '../../sandbox/data/world';
import { useExamples } from './example';
import { parseMail, readExcel } from './outside';
import type { Row } from './service';
import { ownNode, publish, publishNew, send, to, untilRun, webhookOf } from './workflows';

/**
 * The examples in a real n8n, from their trigger to the last request, which a recorder receives
 * instead of the real services. demo-workflow.test.ts, repeated-examples.test.ts, agents.test.ts
 * and mcp.test.ts run the others.
 */

const COMPANIES = 400;

const examples = useExamples(['--companies', String(COMPANIES)]);
const { host, service, outside, setUp, run } = examples;
let domains: string[];
let members: readonly Row[];

beforeAll(async () => {
  domains = await service.domains(5);
  members = await examples.members();
});

/** Each row has exactly these fields, and each field has a value in a row. */
function expectColumns(rows: readonly Row[], names: readonly string[]): void {
  for (const row of rows) expect(Object.keys(row)).toEqual(names);
  const hasValue = (name: string) =>
    rows.some((row) => !['', null, undefined].includes(row[name] as string));
  expect(names.filter((name) => !hasValue(name))).toEqual([]);
}

/** n8n registers its address at HubSpot a moment after it marks the workflow as active. */
async function hookAddress(): Promise<string> {
  for (;;) {
    const hook = outside.sent('/webhooks/v3/1/settings').find((sent) => 'targetUrl' in sent);
    if (hook !== undefined) return String(hook['targetUrl']);
    await sleep(100);
  }
}

it('enriches new HubSpot companies, keeps values, and skips one enriched recently', async () => {
  const [domain = ''] = domains;
  const { companies, detections } = getWorld(COMPANIES);
  const used = new Set(detections.company);
  const bare = companies.find((_, place) => !used.has(place))?.primaryDomain ?? '';
  const recently = String(Date.now());
  const typed = { ci_technologies: 'Typed by Hand' };
  outside.companies.set('1', { ...typed, domain, ci_enriched_at: '0' });
  outside.companies.set('2', { ...typed, domain, ci_enriched_at: recently });
  outside.companies.set('3', { ...typed, website: `https://${bare}` });
  outside.companies.set('4', { ...typed, domain: 'nobody-knows.example' });
  const example = await setUp('Enrich New HubSpot Companies');
  await publish(host, example);

  const subscriptionType = 'company.creation';
  const created = [1, 2, 3, 4].map((objectId) => ({ objectId, subscriptionType }));
  const signature = createHash('sha256')
    .update(`secret${JSON.stringify(created)}`)
    .digest('hex');
  const { pathname } = new URL(await hookAddress());
  await send(host, pathname.slice(1), created, { 'X-HubSpot-Signature': signature });
  await untilRun(host, example.id, 1);

  const enriched = {
    ci_industry: expect.any(String),
    ci_employee_range: expect.stringMatching(/\d/),
    ci_country: expect.any(String),
    ci_enriched_at: expect.stringMatching(/^\d{13}$/),
  } as Row;
  const ci_technologies = expect.not.stringContaining('by Hand') as unknown;
  expect(outside.companies.get('1')).toEqual({ domain, ...enriched, ci_technologies });
  expect(outside.companies.get('2')).toEqual({ ...typed, domain, ci_enriched_at: recently });
  // The service knows no technologies of it.
  expect(outside.companies.get('3')).toEqual({
    ...typed,
    ...enriched,
    website: `https://${bare}`,
  });
  expect(outside.companies.get('4')).toEqual({ ...typed, domain: 'nobody-knows.example' });
});

describe('leads of a form', () => {
  /** bt.com offers email and is a company too. */
  const forms = () => [
    { email: `ann@${domains[0] ?? ''}`, first_name: 'Ann', last_name: 'Ash' },
    { email: 'bob@nobody-knows.example', last_name: 'Birch' },
    { email: 'cleo@gmail.com', first_name: 'Cleo', last_name: 'Cedar' },
    { email: 'dan@gmail.com', website: 'https://www.bt.com', first_name: 'Dan' },
  ];

  async function submit(crm: string): Promise<void> {
    const example = await setUp(`Route New Leads to ${crm}`);
    await publish(host, example);
    for (const form of forms()) {
      await send(host, `webhook/route-new-leads-to-${crm.toLowerCase()}`, form);
    }
    await untilRun(host, example.id, forms().length);
  }

  it('arrive in Salesforce once each, with the data of their companies', async () => {
    await submit('Salesforce');

    const leads = outside.sent('/sobjects/lead');
    expect(leads).toHaveLength(4);
    expect(leads).toEqual(
      expect.arrayContaining([
        {
          ...{ Email: forms()[0]?.email, FirstName: 'Ann', LastName: 'Ash' },
          Company: expect.stringMatching(/\w/) as unknown,
          Industry: expect.stringMatching(/\w/) as unknown,
          Country: expect.stringMatching(/\w/) as unknown,
          Description: expect.stringMatching(/\w/) as unknown,
        },
        expect.objectContaining({ LastName: 'Birch', Description: 'not_tracked' }),
        expect.objectContaining({ LastName: 'Cedar', Description: 'invalid: free_mail' }),
        expect.objectContaining({
          ...{ LastName: 'dan@gmail.com', Company: 'bt.com', Description: 'not_tracked' },
        }),
      ]),
    );
  });

  it('arrive in Pipedrive once each, with the data of their companies as a note', async () => {
    await submit('Pipedrive');

    const anyText = expect.stringMatching(/\w/) as unknown;
    expect(outside.sent('/v1/organizations')).toEqual([{ name: anyText }]);
    const [note, ...others] = outside.sent('/v1/notes');
    expect([note?.['org_id'], others]).toEqual([expect.any(Number), []]);
    expect(note?.['content']).toMatch(
      /^Website: [\w.-]+<br>Industry: \w.*<br>Employees: \d.*<br>Country: \w.*<br>Technologies: \w/,
    );
    const persons = outside.sent('/v1/persons');
    expect(persons).toHaveLength(4);
    expect(persons).toEqual(
      expect.arrayContaining([
        { name: 'Ann Ash', email: [forms()[0]?.email], org_id: expect.any(Number) as unknown },
        { name: 'Birch', email: ['bob@nobody-knows.example'] },
        { name: 'Cleo Cedar', email: ['cleo@gmail.com'] },
        { name: 'Dan', email: ['dan@gmail.com'] },
      ]),
    );
  });
});

it('updates the members of a list in Google Sheets, and adds a row for each change', async () => {
  const name = 'List to Google Sheets with Changes';
  const { spreadsheet } = outside;
  const columns = ['domain', 'name', 'tier', 'read_at'];
  const ofChanges = ['change_id', 'at', 'event', 'domain', 'name', 'tier'];
  spreadsheet.sheets.set('Members', [columns, ['old.example', 'Left the List', 'high', '']]);
  spreadsheet.sheets.set('Changes', [ofChanges]);
  await run(name, 'Every Night');
  await run(name, 'Every Night');
  await run(name, 'List Members Trigger');

  const [old, ...rows] = spreadsheet.rows('Members');
  expect(old).toMatchObject({ domain: 'old.example' });
  expect(rows.map(({ domain, tier }) => [domain, tier])).toEqual(
    members.map(({ primary_domain: domain, tier }) => [domain, tier]),
  );
  expectColumns(rows, columns);
  const changes = spreadsheet.rows('Changes');
  expect(changes.map(({ event }) => event)).toEqual(['added', 'removed', 'tier_changed']);
  expectColumns(changes, ofChanges);
});

it('emails the members of a list as an Excel file', async () => {
  await run('List to Excel by Email', 'Every Monday');

  const mail = await parseMail(outside.mails.at(-1) ?? '');
  expect(mail.subject).toMatch(/^List of companies, \d{4}-\d\d-\d\d$/);
  expect(mail.to.text).toBe('team@example.com');
  expect(mail.text).toContain(`${String(members.length)} companies are in the list`);
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['list.xlsx']);
  const rows = await readExcel(mail.attachments[0]!.content);
  expect(rows.map(({ domain }) => domain)).toEqual(
    members.map(({ primary_domain: domain }) => domain),
  );
  expectColumns(rows, ['domain', 'name', 'tier', 'industry', 'employees', 'country']);
});

it('outputs a row for each technology of each company, and none for an unknown company', async () => {
  const companies = [...domains, 'nobody-knows.example'].map((company) => ({ company }));
  const { outputs } = await run('One Row per Technology', 'Start', {
    Companies: { jsonOutput: JSON.stringify({ companies }) },
  });

  const expected = outputs('With Technologies').flatMap(({ company: domain, ...row }) =>
    (row['enriched_technologies'] as IDataObject[]).map(({ tech_key }) => [domain, tech_key]),
  );
  const rows = outputs('Columns');
  expect(rows.length).toBeGreaterThan(domains.length);
  expect(rows.map(({ company: domain, tech_key }) => [domain, tech_key])).toEqual(expected);
  const names = ['company', 'company_name', 'tech_key', 'technology', 'vendor', 'last_seen'];
  expectColumns(rows, names);
});

it('lists own partners that connect to each account, with the most connected account first', async () => {
  const all = (await service.domains(40)).map((account) => ({ account }));
  const accountsOf = JSON.stringify({ accounts: all.slice(1) });
  const { outputs } = await run('Warm Paths to Accounts', 'Start', {
    'My Company': {
      assignments: {
        assignments: [{ name: 'domain', type: 'string', value: all[0]?.account ?? '' }],
      },
    },
    Accounts: { jsonOutput: accountsOf },
  });

  const sorted = outputs('Sort by Paths');
  const paths = sorted.map(({ path_count: count }) => Number(count));
  expect(paths).toHaveLength(all.length - 1);
  expect(paths).toEqual(paths.toSorted((one, other) => other - one));
  expect(paths[0]).toBeGreaterThan(0);
  const mine = new Set(outputs('My Partners').map((row) => row['partner_name']));
  const found = sorted.flatMap(({ warm_paths: names }) => (names as string).split('; '));
  for (const name of found.filter(Boolean)) expect(mine).toContain(name);
});

it('draws a partner network as PNG and SVG', async () => {
  const changes = { 'Partner Graph': { identifier: domains[0] ?? '' } };
  const { data, outputs } = await run('Draw a Partner Network', 'Start', changes);

  expect(outputs('Partner Graph')[0]?.['node_count']).toBeGreaterThan(1);
  const files = { data: { mimeType: 'image/png' }, svg: { mimeType: 'image/svg+xml' } };
  const drawn = { data: { main: [[{ binary: files }]] } };
  expect(data).toMatchObject({ resultData: { runData: { 'Partner Graph': [drawn] } } });
});

it.each([
  ['List Changes', 'List Members', 3],
  ['New Technology Users', 'Tech Users', 2],
  ['Account Changes', 'Account Changes', 2],
])('makes a sentence of each event of the example about %s', async (about, trigger, events) => {
  const { outputs } = await run(`Notify about ${about}`, `${trigger} Trigger`);

  const messages = outputs('Message');
  expect(messages).toHaveLength(events);
  expectColumns(messages, ['text', 'change_id']);
  for (const { text } of messages) {
    expect(text).toMatch(/^[\w.]+\.com \w[\w ()-]+$/);
    expect(text).not.toMatch(/undefined|null/);
  }
});

it('says in Slack which workflow failed, where and why', async () => {
  const { id: errorWorkflow, versionId } = await setUp('Notify When a Run Fails');
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
  await service.control('POST', 'faults', { preset: 'creditExhausted' });
  await send(host, 'webhook/fails', { domain: domains[0] });
  await untilRun(host, errorWorkflow, 1);

  const [message, ...others] = outside.sent('/chat.postMessage');
  expect(others).toEqual([]);
  expect(message).toMatchObject({ channel: 'C123' });
  expect(message?.['text']).toMatch(
    /^Nightly enrichment failed at “Bulk Enrich”: .*credits.*\n.*http:\/\/.*\/executions\/\d+/s,
  );
});
