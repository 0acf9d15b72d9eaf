import { setTimeout as sleep } from 'node:timers/promises';

import { json, TestService } from '../src/client/support/service';
import { agentWorkflow, fromAi, type AgentWorkflow, type Tool } from './agent-workflow';
import { byId } from './example';
import { useRealHost } from './harness';
import { startScriptedModel, type ScriptedModel } from './scripted-model';
import { Service } from './service';
import { nodeOf } from './workflows';

/**
 * n8n's Human Review between an agent and tools that delete or replace data. The reviewer gets a
 * message with two links.
 */

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
const service = new Service(host);
let model: ScriptedModel;
let messenger: TestService;
let agent: AgentWorkflow;
let member: string;
let listId: string;

const ofList = { listId: byId(fromAi('List')) };
const REPLACE = { operation: 'replace', definition: fromAi('Definition') };
const TOOLS: readonly Tool[] = [
  ['delete_list', 'companyList', { operation: 'delete', ...ofList }],
  ['replace_definition', 'companyList', { resource: 'definition', ...REPLACE, ...ofList }],
  [
    'remove_domain',
    'listMembers',
    { operation: 'removeDomain', domain: fromAi('Domain'), ...ofList },
  ],
];

beforeAll(async () => {
  model = await startScriptedModel();
  messenger = await TestService.start(json({ ok: true, result: {} }));
  [member = ''] = await service.domains(1);
  listId = await service.createManualList('To be changed', [member]);
  const telegramApi = await host.rest.saveCredential({
    name: 'A messenger',
    type: 'telegramApi',
    data: { accessToken: 'none', baseUrl: messenger.baseUrl, allowedHttpRequestDomains: 'all' },
  });
  const review = nodeOf(
    'Human Review',
    'n8n-nodes-base.telegramHitlTool',
    1.2,
    {
      chatId: '1',
      message: '={{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}',
      approvalOptions: { values: { approvalType: 'double' } },
    },
    { credentials: { telegramApi }, webhookId: 'human-review' },
  );
  agent = await agentWorkflow(host, model, 3.1, TOOLS, review);
});

afterAll(async () => {
  await messenger.stop();
  await model.stop();
});

async function requests(): Promise<string[]> {
  return (await host.report()).recent.map(({ method, path }) => `${method} ${path}`);
}

/**
 * Calls a tool once, with a decision of the reviewer.
 *
 * @returns the reviewer's message, the requests to the service before and after the decision, and
 *   the tool responses that the model received
 */
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

const definition = JSON.stringify({
  root: { field: 'industry', operator: 'equals', value: 'Software' },
});

test('holds a tool call until a reviewer decides, then sends it once, or tells the model of the rejection', async () => {
  const list = `/v1/lists/${listId}`;
  // The last call deletes the list.
  for (const [tool, args, request] of [
    ['replace_definition', { List: listId, Definition: definition }, `PUT ${list}/definition`],
    ['remove_domain', { List: listId, Domain: member }, `DELETE ${list}/domains/${member}`],
    ['delete_list', { List: listId }, `DELETE ${list}`],
  ] as const) {
    const declined = await reviewed('Decline', tool, args);
    expect(declined.text).toContain(tool);
    expect(declined.text).toContain(listId);
    expect([...declined.held, ...declined.sent]).toEqual([]);
    expect(declined.told).toEqual([expect.stringContaining('rejected')]);

    const { held, sent, told } = await reviewed('Approve', tool, args);
    expect(held).toEqual([]);
    expect(sent.filter((one) => !one.startsWith('GET'))).toEqual([request]);
    expect(JSON.parse(told[0] ?? '')).toMatchObject([{ list_id: listId }]);
  }
});
