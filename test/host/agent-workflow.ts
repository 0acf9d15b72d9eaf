import { setTimeout as sleep } from 'node:timers/promises';

import type { RealHost } from './harness';
import { savedUserCredential } from './production-workflow';
import type { ScriptedModel } from './scripted-model';

/** A node of the package as an agent's tool, named as the model calls it. */
export interface Tool {
  readonly name: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** An agent that a webhook starts. */
export interface AgentWorkflow {
  /** Says something to the agent, as a chat page does: with cookies and a session. */
  say(prompt: string): Promise<Answered>;
}

/** What comes with a message and is nobody's business but n8n's. */
export const SECRETS = {
  cookie: 'session=cookie-of-the-visitor',
  authorization: 'Bearer token-of-the-visitor',
  sessionId: 'session-id-of-the-visitor',
};

/** What the model is to fill in. */
export function fromAi(name: string): string {
  return `={{ $fromAI('${name}', '', 'string') }}`;
}

/**
 * Makes a workflow `Webhook → AI Agent` with a scripted model and tools, and switches it on.
 *
 * @param version of the agent node; from 3 on tools run in the engine, before it inside the agent
 */
export async function agentWorkflow(
  host: RealHost,
  model: ScriptedModel,
  version: number,
  tools: readonly Tool[],
): Promise<AgentWorkflow> {
  const path = `agent-${String(version).replace('.', '-')}`;
  const key = await savedUserCredential(host);
  const account = await chatAccount(host, model, path);
  const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
    id: `${path}-${name}`,
    name,
    type,
    typeVersion,
    position: [0, 0],
    parameters,
  });
  const to = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
  const { id } = (await host.rest.request('POST', '/rest/workflows', {
    name: path,
    active: false,
    nodes: [
      {
        ...node('Webhook', 'n8n-nodes-base.webhook', 2, {
          path,
          httpMethod: 'POST',
          responseMode: 'lastNode',
        }),
        webhookId: path,
      },
      node('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
        promptType: 'define',
        text: '={{ $json.body.chatInput }}',
        options: {},
      }),
      {
        ...node('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', 1.2, {
          model: { __rl: true, mode: 'id', value: 'scripted' },
          options: {},
        }),
        credentials: { openAiApi: { id: account.id, name: account.name } },
      },
      ...tools.map(({ name, type, parameters }) => ({
        ...node(name, `n8n-nodes-company-intelligence.${type}Tool`, 1, parameters),
        credentials: { companyIntelligenceUserApi: { id: key?.id, name: key?.name } },
      })),
    ],
    connections: {
      Webhook: to('main'),
      Model: to('ai_languageModel'),
      ...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
    },
    settings: { executionOrder: 'v1' },
  })) as { id: string };
  const post = switchedOn(host, id, path);
  const { sessionId, ...headers } = SECRETS;
  return { say: async (chatInput) => await post({ chatInput, sessionId }, headers) };
}

/** A credential for the scripted model. */
export async function chatAccount(
  host: RealHost,
  model: ScriptedModel,
  name: string,
): Promise<{ id: string; name: string }> {
  const { id } = (await host.rest.request('POST', '/rest/credentials', {
    name,
    type: 'openAiApi',
    data: { apiKey: 'none', url: model.url, allowedHttpRequestDomains: 'all' },
  })) as { id: string };
  return { id, name };
}

/** What a webhook answered. */
interface Answered {
  readonly status: number;
  readonly body: string;
}

/** Sends to a webhook of a workflow, which is switched on first. */
export function switchedOn(
  host: RealHost,
  workflowId: string,
  path: string,
): (body: object, headers?: Readonly<Record<string, string>>) => Promise<Answered> {
  let activation: Promise<unknown> | undefined;
  return async (body, headers = {}) => {
    activation ??= activate(host, workflowId);
    await activation;
    // n8n says "active" a moment before the webhook is there.
    for (let attempt = 0; ; attempt += 1) {
      const response = await fetch(`${host.n8nUrl}/webhook/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      if (response.status !== 404 || attempt === 100) {
        return { status: response.status, body: await response.text() };
      }
      await sleep(100);
    }
  };
}

async function activate(host: RealHost, workflowId: string): Promise<void> {
  const path = `/rest/workflows/${workflowId}`;
  const { versionId } = (await host.rest.request('GET', path)) as { versionId: string };
  await host.rest.request('POST', `${path}/activate`, { versionId });
}
