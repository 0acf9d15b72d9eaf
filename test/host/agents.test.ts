import { setTimeout as sleep } from 'node:timers/promises';

import { json, TestService } from '../src/client/support/service';
import {
  agentWorkflow,
  chatAccount,
  fromAi,
  SECRETS,
  type AgentWorkflow,
  type Tool,
} from './agent-workflow';
import { byId, changeExample } from './example';
import { useRealHost } from './harness';
import { startScriptedModel, type ScriptedModel, type ToolCall } from './scripted-model';
import { Service, type Row } from './service';
import { nodeOf, publish, send } from './workflows';

/**
 * The nodes as tools of real agents with a scripted model. AI Agent 3.1 is the version that the
 * editor adds; its tools run in the engine. AI Agent 2.2 runs its tools itself.
 */

const LONG_JOB_S = 200;

const DONE = { status: 200, body: '{"output":"That is all."}' };

const domain = fromAi('Domain');
const identifier = fromAi('Company');

const USERS = { operation: 'getByTechnology', techKey: byId(fromAi('Key')) };
const listId = byId(fromAi('List'));

const TOOLS: readonly Tool[] = [
  ['enrich', 'bulkEnrich', { domain, include: fromAi('Include') }],
  ['partners_of_many', 'bulkEnrich', { operation: 'enrichPartnerships', domain }],
  ['lookup', 'companyLookup', { identifier, include: fromAi('Include') }],
  ['users', 'techUsers', { ...USERS, limit: 2 }],
  ['technologies', 'techUsers', { operation: 'searchTechnologies', q: fromAi('Search'), limit: 2 }],
  ['partners', 'partnerGraph', { identifier }],
  ['refresh', 'refreshAndWait', { domain }],
  ['add', 'listMembers', { operation: 'addDomains', listId, domain }],
  ['create_list', 'companyList', { operation: 'create', name: fromAi('Name') }],
  ['flag', 'flagData', { identifier, description: fromAi('Description') }],
  ['request', 'apiRequest', { path: fromAi('Path') }],
  ['delete_list', 'companyList', { operation: 'delete', listId }],
];

const LONGEST_ANSWER = 20_000;

const results = (answer: readonly Row[]): Row[] => answer.filter((item) => !('note' in item));

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
const service = new Service(host);
let model: ScriptedModel;
let a: string;
let usersList: string;

beforeAll(async () => {
  model = await startScriptedModel();
  [a = ''] = await service.domains(1);
  usersList = await service.createManualList('Of the agents');
  await service.jobsTakeSeconds(LONG_JOB_S);
});

afterAll(async () => {
  await model.stop();
});

/**
 * Sends a question to an imported example, after selecting the model's credential and publishing the
 * chat as a user does. Returns the results of each tool call.
 */
async function talkTo(name: string, question: string, calls: readonly ToolCall[]) {
  model.play(question, calls);
  const credentials = { openAiApi: await chatAccount(host, model, name) };
  const example = await changeExample(host, name, ({ type }) => {
    if (type.endsWith('.lmChatOpenAi')) return { credentials };
    return type.endsWith('.chatTrigger') ? { parameters: { public: true } } : {};
  });
  await publish(host, example);
  const chat = example.nodes.find(({ type }) => type.endsWith('.chatTrigger'));
  const { sessionId } = SECRETS;
  const message = { action: 'sendMessage', sessionId, chatInput: question };
  expect(await send(host, `webhook/${String(chat?.webhookId)}/chat`, message)).toEqual(DONE);
  return model.answers(question).map((text) => results(JSON.parse(text) as Row[]));
}

test('passes the results of its tools to the model in the Research Agent example', async () => {
  const answers = await talkTo('Research Agent', 'What does it run on?', [
    { tool: 'Company', args: { identifier: a } },
    { tool: 'Technologies', args: { query: 'google' } },
  ]);

  expect(answers).toMatchObject([[{ found: true, domain: a }], expect.any(Array)]);
});

describe.each([2.2, 3.1])('AI Agent %s', (version) => {
  let agent: AgentWorkflow;

  beforeAll(async () => {
    agent = await agentWorkflow(host, model, version, TOOLS);
  });

  async function conversation(title: string, calls: readonly ToolCall[]): Promise<Row[][]> {
    const prompt = `${title} (${String(version)})`;
    model.play(prompt, calls);
    expect(await agent.say(prompt)).toEqual(DONE);
    const seen = model.seen(prompt);
    for (const secret of Object.values(SECRETS)) expect(seen).not.toContain(secret);
    const answers = model.answers(prompt);
    for (const answer of answers) expect(answer.length).toBeLessThanOrEqual(LONGEST_ANSWER);
    return answers.map((answer) => JSON.parse(answer) as Row[]);
  }

  test('describes every tool to the model and returns its result, without waiting for a long refresh job', async () => {
    const started = Date.now();
    const answers = await conversation('every node', [
      { tool: 'enrich', args: { Domain: a, Include: 'firmographics' } },
      { tool: 'partners_of_many', args: { Domain: a } },
      { tool: 'lookup', args: { Company: a, Include: '' } },
      { tool: 'users', args: { Key: 'google-analytics' } },
      { tool: 'technologies', args: { Search: 'google' } },
      { tool: 'partners', args: { Company: a } },
      { tool: 'add', args: { List: usersList, Domain: a } },
      { tool: 'create_list', args: { Name: `Of ${String(version)}` } },
      { tool: 'flag', args: { Company: a, Description: `By ${String(version)}` } },
      { tool: 'request', args: { Path: 'lists/filter-fields' } },
      { tool: 'refresh', args: { Domain: a } },
    ]);

    expect(answers.map(results)).toMatchObject([
      [{ domain: a, status: 'tracked', industry: expect.any(String) }],
      [{ domain: a, company_name: expect.any(String) }],
      [{ domain: a }],
      [{ domain: expect.any(String) }, { domain: expect.any(String) }],
      [{ tech_key: expect.any(String) }, { tech_key: expect.any(String) }],
      expect.any(Array),
      [{ list_id: usersList, domain: a }],
      [{ list_id: expect.any(String) }],
      [{ status: 'queued' }],
      [{ registry_version: expect.anything() }],
      // The tool neither suspends the execution nor waits for the job. The model can request the
      // job later.
      [{ domain: a, status: 'still_running', job_id: expect.any(String) }],
    ]);
    expect(answers.at(-1)?.at(-1)?.['note']).toContain('Still running');
    expect(answers[3]?.at(-1)?.['note']).toMatch(/^2 of \d+ rows\. Cost: up to 2 credits/);
    // For a company in a list, the tool returns only the most important fields.
    const [user = {}] = answers[3] ?? [];
    expect(Object.keys(user).sort()).toEqual(['company_name', 'domain', 'last_seen_at']);
    expect(Date.now() - started).toBeLessThan(LONG_JOB_S * 500);
    const told = model.tools(`every node (${String(version)})`);
    expect(told.get('delete_list')).toMatch(/^Destructive: ask the user first\./);
    expect(new Set(told.values()).size).toBe(TOOLS.length);
  });
});

describe('Human Review', () => {
  const ofList = { listId };
  const replacing = { operation: 'replace', definition: fromAi('Definition'), ...ofList };
  const REVIEWED: readonly Tool[] = [
    ['delete_list', 'companyList', { operation: 'delete', ...ofList }],
    ['replace_definition', 'companyList', { resource: 'definition', ...replacing }],
    ['remove_domain', 'listMembers', { operation: 'removeDomain', domain, ...ofList }],
  ];
  let messenger: TestService;
  let agent: AgentWorkflow;

  beforeAll(async () => {
    messenger = await TestService.start(json({ ok: true, result: {} }));
    const telegramApi = await host.rest.saveCredential({
      name: 'A messenger',
      type: 'telegramApi',
      data: { accessToken: 'none', baseUrl: messenger.baseUrl, allowedHttpRequestDomains: 'all' },
    });
    const parameters = {
      chatId: '1',
      message: '={{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}',
      approvalOptions: { values: { approvalType: 'double' } },
    };
    const more = { credentials: { telegramApi }, webhookId: 'human-review' };
    const type = 'n8n-nodes-base.telegramHitlTool';
    const review = nodeOf('Human Review', type, 1.2, parameters, more);
    agent = await agentWorkflow(host, model, 3.1, REVIEWED, review);
  });

  afterAll(async () => {
    await messenger.stop();
  });

  async function requests(): Promise<string[]> {
    return (await host.report()).recent.map(({ method, path }) => `${method} ${path}`);
  }

  /** Calls a tool once, with a decision of the reviewer between the requests `held` and `sent`. */
  async function reviewed(decision: 'Approve' | 'Decline', tool: string, args: object) {
    const prompt = `${tool} ${decision}`;
    model.play(prompt, [{ tool, args: { toolParameters: args, hitlParameters: {} } }]);
    const before = await requests();
    const messages = messenger.received.length;
    const said = agent.say(prompt);
    while (messenger.received.length === messages) await sleep(100);
    // A tool that does not wait for the approval has sent its request by then.
    await sleep(2000);
    const held = (await requests()).slice(before.length);

    const { text, reply_markup: buttons } = JSON.parse(messenger.received.at(-1)?.body ?? '') as {
      text: string;
      reply_markup: { inline_keyboard: Array<Array<{ text: string; url: string }>> };
    };
    const link = buttons.inline_keyboard.flat().find((one) => one.text.includes(decision));
    await fetch(link?.url ?? '', { headers: { 'User-Agent': 'Mozilla/5.0 Firefox/140.0' } });
    while (model.answers(prompt).length === 0) await sleep(100);
    const sent = (await requests()).slice(before.length + held.length);
    await said;
    return { text, held, sent, told: model.answers(prompt) };
  }

  test('holds a tool call until a decision, then sends it once, or tells the model of the rejection', async () => {
    const id = await service.createManualList('To be changed', [a]);
    const list = `/v1/lists/${id}`;
    const root = { field: 'industry', operator: 'equals', value: 'Software' };
    const definition = { List: id, Definition: JSON.stringify({ root }) };
    // The last call deletes the list.
    for (const [tool, args, request] of [
      ['replace_definition', definition, `PUT ${list}/definition`],
      ['remove_domain', { List: id, Domain: a }, `DELETE ${list}/domains/${a}`],
      ['delete_list', { List: id }, `DELETE ${list}`],
    ] as const) {
      const declined = await reviewed('Decline', tool, args);
      expect(declined.text).toContain(tool);
      expect(declined.text).toContain(id);
      expect([...declined.held, ...declined.sent]).toEqual([]);
      expect(declined.told).toEqual([expect.stringContaining('rejected')]);

      const { held, sent, told } = await reviewed('Approve', tool, args);
      expect(held).toEqual([]);
      expect(sent.filter((one) => !one.startsWith('GET'))).toEqual([request]);
      expect(JSON.parse(told[0] ?? '')).toMatchObject([{ list_id: id }]);
    }
  });
});
