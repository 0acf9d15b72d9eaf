import { byId } from './example';
import type { RealHost } from './harness';
import type { ScriptedModel } from './scripted-model';
import type { Row } from './service';
import { nodeOf, ownNode, publishNew, send, to, webhookOf } from './workflows';

/** A node of the package as an agent's tool, with the name that the model uses. */
export type Tool = readonly [name: string, type: string, parameters: Row];

export type AgentWorkflow = Awaited<ReturnType<typeof agentWorkflow>>;

/** Data of a chat message that only n8n may see. */
export const SECRETS = {
  cookie: 'session=cookie-of-the-visitor',
  authorization: 'Bearer token-of-the-visitor',
  sessionId: 'session-id-of-the-visitor',
};

/** Returns an expression for a parameter that the model fills in. */
export function fromAi(name: string): string {
  return `={{ $fromAI('${name}', '', 'string') }}`;
}

/**
 * Creates and publishes a workflow `Webhook → AI Agent` with a scripted model and tools.
 *
 * @param version version of the agent node; from 3 on, tools run in the engine, and before that
 *   inside the agent
 * @param review a Human Review node between the tools and the agent
 */
export async function agentWorkflow(
  host: RealHost,
  model: ScriptedModel,
  version: number,
  tools: readonly Tool[],
  review?: ReturnType<typeof nodeOf>,
) {
  const path = `agent-${String(version).replace('.', '-')}`;
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
    /** Sends a message to the agent as a chat page does: with cookies and a session. */
    say: async (chatInput: string) =>
      await send(host, `webhook/${path}`, { chatInput, sessionId }, headers),
  };
}

export async function chatAccount({ rest }: RealHost, model: ScriptedModel, name: string) {
  const data = { apiKey: 'none', url: model.url, allowedHttpRequestDomains: 'all' };
  return await rest.saveCredential({ name, type: 'openAiApi', data });
}
