import { fromAi } from './agent-workflow';
import { byId } from './example';
import { useRealHost } from './harness';
import { startScriptedModel, type ScriptedModel } from './scripted-model';
import { Service } from './service';

/** A tool that deletes data, used by an agent of n8n Agents that requires approval. */

const host = useRealHost({
  sandboxArgs: ['--companies', '400'],
  // Disables the same modules as the other tests, except `agents`.
  env: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,mcp,chat-hub' },
});
let model: ScriptedModel;
let chat: string;
let cookie: string;

type Event = Readonly<Record<string, unknown>>;

beforeAll(async () => {
  model = await startScriptedModel();
  const { rest, owner, n8nUrl } = host;
  const login = await fetch(`${n8nUrl}/rest/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ emailOrLdapLoginId: owner.email, password: owner.password }),
  });
  cookie = login.headers.getSetCookie().join('; ');

  const { id: project } = (await rest.request('GET', '/rest/projects/personal')) as { id: string };
  const account = await rest.saveCredential({
    name: 'Scripted',
    type: 'deepSeekApi',
    data: { apiKey: 'none', url: model.url },
  });
  const agents = `/rest/projects/${project}/agents/v2`;
  const { id } = (await rest.request('POST', agents, { name: 'Cleaner' })) as { id: string };
  const config: { configHash: unknown } = await rest.request('GET', `${agents}/${id}/config`);
  await rest.request('PUT', `${agents}/${id}/config`, {
    config: {
      name: 'Cleaner',
      model: 'deepseek/scripted',
      credential: account.id,
      instructions: 'Clean up.',
      tools: [
        {
          type: 'node',
          name: 'Delete List',
          requireApproval: true,
          node: {
            ...{ nodeType: 'n8n-nodes-company-intelligence.companyList', nodeTypeVersion: 1 },
            nodeParameters: { operation: 'delete', listId: byId(fromAi('List')) },
            credentials: host.credentials,
          },
        },
      ],
    },
    baseConfigHash: config.configHash,
  });
  chat = `${n8nUrl}${agents}/${id}/chat`;
});

afterAll(async () => {
  await model.stop();
});

async function send(path: '' | '/resume', body: object): Promise<Event[]> {
  const answer = await fetch(`${chat}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);
}

async function deleted(): Promise<string[]> {
  const { recent } = await host.report();
  return recent.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : []));
}

test.each([true, false])('holds a tool call until the user decides: %j', async (approved) => {
  const listId = await new Service(host).createManualList('To go');
  const before = await deleted();
  const message = `Delete ${listId}`;
  model.play(message, [{ tool: 'Delete_List', args: { List: listId } }]);

  const held = await send('', { message });
  const { payload } = held.find(({ type }) => type === 'tool-call-suspended') ?? {};
  const { runId, toolCallId, input } = payload as Event;
  expect(input).toMatchObject({ displayName: 'Delete List', args: { List: listId } });
  expect(await deleted()).toEqual(before);

  await send('/resume', { runId, toolCallId, resumeData: { approved } });
  const [told = ''] = model.answers(message);
  expect(told).toContain(approved ? '"deleted":true' : 'was not approved');
  expect(await deleted()).toEqual([...before, ...(approved ? [`/v1/lists/${listId}`] : [])]);
});
