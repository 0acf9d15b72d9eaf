import { byId } from './example';
import type { RealHost } from './harness';
import { savedUserCredential } from './production-workflow';
import type { ScriptedModel } from './scripted-model';
import { nodeOf, publishNew, send, to, webhookOf } from './workflows';

/** A node of the package as an agent's tool, with the name that the model uses. */
export interface Tool {
  readonly name: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

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
  const key = await savedUserCredential(host);
  const account = await chatAccount(host, model, path);
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
        { credentials: { openAiApi: account } },
      ),
      ...tools.map(({ name, type, parameters }) =>
        nodeOf(name, `n8n-nodes-company-intelligence.${type}Tool`, 1, parameters, {
          credentials: { companyIntelligenceUserApi: { id: key?.id, name: key?.name } },
        }),
      ),
      ...(review === undefined ? [] : [review]),
    ],
    connections: {
      Webhook: toAgent('main'),
      Model: toAgent('ai_languageModel'),
      ...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool', review?.name)])),
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
