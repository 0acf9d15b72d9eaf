import { setTimeout as sleep } from 'node:timers/promises';

import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { startRealHost, type RealHost } from './harness';
import { startScriptedModel, type ScriptedModel } from './scripted-model';
import { Service, type Row } from './service';

/**
 * All examples in a real n8n: each node, version, operation and parameter in them exists there. Those
 * that no other test runs are run on the sandbox.
 */

interface Node {
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  credentials?: Readonly<Record<string, { id: string; name: string }>>;
}

interface Workflow {
  readonly id: string;
  readonly versionId: string;
  readonly name: string;
  readonly nodes: Node[];
}

const OURS = 'n8n-nodes-company-intelligence.';

let host: RealHost;
let service: Service;
let model: ScriptedModel;
let workflows: Workflow[];

beforeAll(async () => {
  host = await startRealHost({ sandboxArgs: ['--companies', '2000'] });
  service = new Service(host);
  model = await startScriptedModel();
  const stored = (await host.rest.request('GET', '/rest/workflows')) as Workflow[];
  workflows = await Promise.all(
    stored.map(
      async ({ id }) => (await host.rest.request('GET', `/rest/workflows/${id}`)) as Workflow,
    ),
  );
});

afterAll(async () => {
  await model.stop();
  await host.stop();
});

/** n8n makes the tool of a node of ours by itself. */
function ofWhichTool(type: string): string {
  return type.startsWith(OURS) ? type.replace(/Tool$/, '') : type;
}

/** What of a node's parameters n8n does not know. */
function unknownIn(parameters: Node['parameters'], properties: INodeProperties[]): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const named = properties.filter((property) => property.name === name);
    if (named.length === 0) return [name];
    const choices = named.flatMap(({ type, options = [] }) =>
      type === 'options' ? options.map((one) => ('value' in one ? one.value : undefined)) : [],
    );
    const isChosen = typeof value === 'string' && !value.startsWith('=') && choices.length > 0;
    if (isChosen && !choices.includes(value)) return [`${name}=${value}`];
    const collections = named.filter(({ type }) => type === 'collection');
    if (collections.length === 0) return [];
    const entries = collections.flatMap(({ options = [] }) => options.map((one) => one.name));
    return Object.keys(value as object)
      .filter((entry) => !entries.includes(entry))
      .map((entry) => `${name}.${entry}`);
  });
}

test('every node in them is there, in that version, with these parameters', async () => {
  const nodes = workflows.flatMap(({ name: workflow, nodes: all }) =>
    all.map((node) => ({ workflow, ...node, type: ofWhichTool(node.type) })),
  );
  const nodeInfos = nodes.map(({ type: name, typeVersion: version }) => ({ name, version }));
  const types = (await host.rest.request('POST', '/rest/node-types', {
    nodeInfos,
  })) as INodeTypeDescription[];

  const problems = nodes.flatMap(({ workflow, name, type, typeVersion, parameters }) => {
    const description = types.find(
      (one) => type.endsWith(`.${one.name}`) && [one.version].flat().includes(typeVersion),
    );
    const unknown =
      description === undefined
        ? [`${type} ${String(typeVersion)}`]
        : unknownIn(parameters, description.properties);
    return unknown.map((what) => `${workflow}, ${name}: ${what}`);
  });
  expect(problems).toEqual([]);
  expect(nodes.filter(({ type }) => type.startsWith(OURS)).length).toBeGreaterThan(15);
});

test('each begins with a note that says what it does and what it costs', () => {
  for (const { name, nodes } of workflows) {
    const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
    expect([name, note?.parameters['content']]).toEqual([
      name,
      expect.stringMatching(/^## [^]*\*\*What it costs:\*\*/),
    ]);
  }
});

const named = (name: string) => {
  const workflow = workflows.find((one) => one.name === name);
  if (workflow === undefined) throw new Error(`There is no example "${name}".`);
  return workflow;
};

/** Runs an example from its manual trigger; what came out of a node. */
async function run(name: string, node: string) {
  const { status, data } = await host.rest.run(named(name).id, { triggerName: 'Start' });
  expect(status).toBe('success');
  const { runData } = (
    data as {
      resultData: {
        runData: Record<
          string,
          Array<{ data: { main: Array<Array<{ json: Row; binary?: Row }>> } }>
        >;
      };
    }
  ).resultData;
  return (runData[node] ?? []).flatMap((one) => one.data.main[0] ?? []);
}

/** Switches an example on. */
async function activate({ id }: Workflow): Promise<void> {
  const { versionId } = (await host.rest.request('GET', `/rest/workflows/${id}`)) as Workflow;
  await host.rest.request('POST', `/rest/workflows/${id}/activate`, { versionId });
}

/** n8n says "active" a moment before the webhook is there. */
async function post(path: string, body: object): Promise<Row> {
  for (;;) {
    const response = await fetch(`${host.n8nUrl}/webhook/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 404) return (await response.json()) as Row;
    await sleep(100);
  }
}

test('companies that use a technology come as a spreadsheet, within the budget', async () => {
  const name = 'Companies Using a Technology within a Budget';
  const before = (await host.report()).byKey['user']?.charged ?? 0;
  const [file] = await run(name, 'Spreadsheet');

  expect(file?.binary).toMatchObject({ data: { fileExtension: 'xlsx' } });
  expect((await host.report()).byKey['user']?.charged).toBeLessThanOrEqual(before + 200);
});

test('stale accounts are refreshed and enriched, the others left alone', async () => {
  await service.jobsTakeSeconds(0);
  const items = await run('Refresh Stale Accounts, then Enrich', 'Enrich');

  expect(items.map(({ json }) => json)).toMatchObject([
    {
      domain: 'ambermarket.com',
      refresh: { status: 'succeeded' },
      enrichment: { status: 'tracked' },
    },
    { domain: 'ivoryoar.com', refresh: { status: 'succeeded' }, enrichment: { status: 'tracked' } },
  ]);
});

test('warm paths are the partners that both have', async () => {
  const items = await run('Warm Paths to Accounts', 'Warm Paths');
  const partnersOf = async (domain: string) => {
    const { data } = await service.ask(`companies/${domain}/partnerships?limit=100`);
    return new Map((data as Row[]).map((row) => [row['partner_slug'], row['partner_name']]));
  };
  const [mine, theirs] = await Promise.all([
    partnersOf('ambermarket.com'),
    partnersOf('ivoryoar.com'),
  ]);
  const paths = [...theirs].flatMap(([slug, name]) => (mine.has(slug) ? [String(name)] : []));

  expect(items.map(({ json }) => json['domain'])).toEqual([
    'ivoryoar.com',
    'amberframe.com',
    'nobody-tracks-this.com',
  ]);
  const found = String(items[0]?.json['warm_paths']).split('; ').filter(Boolean);
  expect(found.sort()).toEqual(paths.sort());
  expect(items[2]?.json).toMatchObject({ status: 'not_tracked', warm_path_count: 0 });
});

test('a new lead leaves by the way of its status, with its company', async () => {
  const workflow = named('New Lead by Webhook, Routed by Status');
  await activate(workflow);
  const [domain = ''] = await service.domains(1);

  expect(await post('new-lead', { email: `jo@${domain}` })).toMatchObject({
    email: `jo@${domain}`,
    enrichment: { status: 'tracked', company_name: expect.any(String) },
  });
  expect(await post('new-lead', { website: 'nobody-tracks-this.com' })).toMatchObject({
    enrichment: { status: 'not_tracked' },
  });
  expect(await post('new-lead', { email: 'jo@gmail.com' })).toMatchObject({
    enrichment: { status: 'invalid', reason: 'free_mail' },
  });
});

test('the research agent answers with what its tools found', async () => {
  const workflow = named('Research Agent with a Credit Cap');
  const { id, name } = (await host.rest.request('POST', '/rest/credentials', {
    name: 'A model',
    type: 'openAiApi',
    data: { apiKey: 'none', url: model.url, allowedHttpRequestDomains: 'all' },
  })) as { id: string; name: string };
  // What a user does after importing it: chooses the credential of the model, and opens the chat.
  const nodes = workflow.nodes.map((node) => {
    if (node.name === 'Chat Model') return { ...node, credentials: { openAiApi: { id, name } } };
    if (!node.name.startsWith('When Chat')) return node;
    return { ...node, parameters: { ...node.parameters, public: true } };
  });
  await host.rest.request('PATCH', `/rest/workflows/${workflow.id}?forceSave=true`, {
    ...workflow,
    nodes,
  });
  await activate(workflow);
  const [domain = ''] = await service.domains(1);
  const question = 'Who is that, and who uses Google Analytics?';
  model.play(question, [
    { tool: 'company_data', args: { Domain: domain } },
    { tool: 'find_technology', args: { Name: 'google analytics' } },
    { tool: 'users_of_technology', args: { Technology_Key: 'google-analytics' } },
  ]);
  const answer = await post('company-research-agent/chat', {
    action: 'sendMessage',
    sessionId: 'of this test',
    chatInput: question,
  });

  expect(answer).toEqual({ output: 'That is all.' });
  const [company, technologies, users] = model
    .answers(question)
    .map((text) => JSON.parse(text) as Row[]);
  expect(company).toMatchObject([{ domain, status: 'tracked' }]);
  expect(technologies?.[0]).toMatchObject({ tech_key: 'google-analytics' });
  expect(users).toHaveLength(10);
});
