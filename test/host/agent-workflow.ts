import { byId } from './example';
import type { RealHost } from './harness';
import type { ScriptedModel } from './scripted-model';
import type { Row } from './service';
import { nodeOf, ownNode, publishNew, send, to, webhookOf } from './workflows';

export type Tool = readonly [name: string, type: string, parameters: Row];

export type AgentWorkflow = Awaited<ReturnType<typeof agentWorkflow>>;

/** Data of a chat message that only n8n may see. */
export const SECRETS = {
  cookie: 'session=cookie-of-the-visitor',
  authorization: 'Bearer token-of-the-visitor',
  sessionId: 'session-id-of-the-visitor',
};

export function fromAi(name: string): string {
  return `={{ $fromAI('${name}', '', 'string') }}`;
}

/**
 * Publishes a workflow `Webhook → AI Agent`. From version 3 of the agent node on, tools run in the
 * engine, and before that inside the agent. A `review` stands between the tools and the agent.
 */
export async function agentWorkflow(
  host: RealHost,
  model: ScriptedModel,
  version: number,
  tools: readonly Tool[],
  review?: ReturnType<typeof nodeOf>,
) {
  const path = `agent-${String(version).replace('.', '-')}${review === undefined ? '' : '-reviewed'}`;
  const credentials = { openAiApi: await chatAccount(host, model, path) };
  const toAgent = (type: string, node = 'Agent') => ({ [type]: [[{ ...to(node), type }]] });
  await publishNew(host, {
    name: path,
    nodes: [
      webhookOf(path, 'lastNode'),
      nodeOf('Agent', '@n8n/n8n-nodes-langchain.agent', version, {
        promptType: 'define',
        text: '={{ $json.body.chatInput }}',
        options: {},
      }),
      nodeOf(
        'Model',
        '@n8n/n8n-nodes-langchain.lmChatOpenAi',
        1.2,
        { model: byId('scripted'), options: {} },
        { credentials },
      ),
      ...tools.map(([name, type, parameters]) => ownNode(host, name, `${type}Tool`, parameters)),
      ...(review === undefined ? [] : [review]),
    ],
    connections: {
      Webhook: toAgent('main'),
      Model: toAgent('ai_languageModel'),
      ...Object.fromEntries(tools.map(([name]) => [name, toAgent('ai_tool', review?.name)])),
      ...(review === undefined ? {} : { [review.name]: toAgent('ai_tool') }),
    },
  });
  const { sessionId, ...headers } = SECRETS;
  return {
    say: async (chatInput: string) =>
      await send(host, `webhook/${path}`, { chatInput, sessionId }, headers),
  };
}

export async function chatAccount({ rest }: RealHost, model: ScriptedModel, name: string) {
  const data = { apiKey: 'none', url: model.url, allowedHttpRequestDomains: 'all' };
  return await rest.saveCredential({ name, type: 'openAiApi', data });
}
