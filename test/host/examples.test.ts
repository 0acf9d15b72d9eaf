import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type IDataObject, type INode, type INodeTypeDescription } from 'n8n-workflow';

import { getWorld } from '../../sandbox/data/world';
import { byId, changeExample, outcomeOf, type Example, type Outputs } from './example';
import { useRealHost } from './harness';
import { Service } from './service';

/**
 * Every example in a real n8n: n8n has the type and version of each node, and each node shows the
 * set parameters. Examples that work with other services run with pinned data from these services.
 */

const FOLDER = join(__dirname, '../../examples/workflows');

const EXAMPLES = readdirSync(FOLDER).map((file): readonly [string, Example] => [
  file,
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Example,
]);

const NODES = EXAMPLES.flatMap(([, example]) => example.nodes);

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
let domains: string[];
let listId: string;
let descriptions: Array<INodeTypeDescription | undefined>;

beforeAll(async () => {
  const service = new Service(host);
  domains = await service.domains(5);
  listId = await service.createList();
  descriptions = (await host.rest.request('POST', '/rest/node-types', {
    nodeInfos: NODES.map((node) => ({ name: baseType(node), version: node.typeVersion })),
  })) as typeof descriptions;
});

/**
 * Returns the node type behind a tool. n8n derives agent tools from our nodes and shows the nodes'
 * descriptions.
 */
function baseType({ type }: INode): string {
  return type.replace(/^(n8n-nodes-company-intelligence\.\w+)Tool$/, '$1');
}

describe.each(EXAMPLES)('%s', (_file, example) => {
  it('uses only nodes and parameters that n8n knows', () => {
    for (const node of example.nodes) {
      const description = descriptions[NODES.indexOf(node)];
      // n8n omits the name of the package.
      expect(baseType(node).split('.').at(-1)).toBe(description?.name);
      if (description === undefined) continue;
      const { properties } = description;
      const given = [properties, node.parameters, true, false, node, description] as const;
      const known = NodeHelpers.getNodeParameters(...given);
      expect({ [node.name]: known }).toMatchObject({ [node.name]: node.parameters });
      const whole = { ...node, parameters: known ?? {} };
      const issues = NodeHelpers.getNodeParametersIssues(properties, whole, description);
      const wrong = Object.values(issues?.parameters ?? {}).flat();
      const own = wrong.filter((issue) => !issue.includes('is required'));
      expect([node.name, own]).toEqual([node.name, []]);
    }
  });

  it('has a yellow description note, descriptive node names and no credential IDs', () => {
    const [about] = example.nodes.filter(({ name }) => name === 'About This Workflow');
    expect(about?.parameters).toMatchObject({ color: 1 });
    const spends = example.nodes.some(({ type }) => type.startsWith('n8n-nodes-company'));
    expect(about?.parameters['content']).toMatch(spends ? /^## .*What it costs/s : /^## /);
    for (const { name, credentials = {} } of example.nodes) {
      expect(name).not.toMatch(/\d$|^(If|Switch|Edit Fields|Code|HTTP Request|Webhook|Merge)$/);
      for (const { id } of Object.values(credentials)) expect(id).toBe('');
    }
  });
});

it("has no breaking changes for version 3 in n8n's report", async () => {
  const path = '/rest/breaking-changes/report?version=v3';
  const { report } = (await host.rest.request('GET', path)) as {
    report: { workflowResults: unknown[]; instanceResults: Array<{ ruleId: string }> };
  };

  expect(report.workflowResults).toEqual([]);
  // This n8n already has the setting that n8n 3 requires to load packages that are not verified.
  // The compose file sets it too.
  expect(report.instanceResults.map(({ ruleId }) => ruleId)).not.toContain(
    'unverified-packages-v3',
  );
});

type Pins = Readonly<Record<string, readonly IDataObject[]>>;

/** Runs an example as a user does who has selected a list, with pinned data from other services. */
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

it('reads the users of a technology up to the credit budget', async () => {
  const outputs = await run('Technology Users within a Credit Budget', 'Start', {
    Budget: [{ tech_key: 'google-analytics', credits: 7 }],
  });

  expect(outputs('Columns')).toHaveLength(7);
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

it('returns the rows when they fit the budget of the Credit Guard example, and fails when they do not', async () => {
  const rows = domains.map((company) => ({ company }));
  const within = await run('Credit Guard', 'Rows', { Rows: rows });

  expect(within('Return Rows')).toEqual(rows);
  const beyond = await execute('Credit Guard', 'Rows', {
    Rows: rows,
    Budget: [{ rows: 5, credits_at_most: 5, budget: 4 }],
  });
  expect(beyond.error).toMatchObject({
    message: 'Not started: 5 rows may cost up to 5 credits, and the budget is 4.',
  });
});
