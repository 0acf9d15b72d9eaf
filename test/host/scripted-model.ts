import { json, TestService } from '../src/client/support/service';

export interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_call_id?: string;
}

interface ChatRequest {
  readonly messages: readonly Message[];
  readonly tools?: ReadonlyArray<{
    readonly function: { readonly name: string; readonly description: string };
  }>;
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/** A chat model that calls tools as a script says, as far as n8n's chat model node needs one. */
export async function startScriptedModel() {
  const scripts = new Map<string, readonly ToolCall[]>();
  const requests = new Map<string, ChatRequest[]>();

  const reply = (request: ChatRequest): Message & { tool_calls?: unknown } => {
    const prompt = textOf(request.messages.find(({ role }) => role === 'user')?.content);
    requests.set(prompt, [...(requests.get(prompt) ?? []), request]);
    const isAnswered = request.messages.some(({ role }) => role === 'tool');
    const calls = isAnswered ? [] : (scripts.get(prompt) ?? []);
    if (calls.length === 0) return { role: 'assistant', content: 'That is all.' };
    return {
      role: 'assistant',
      content: null,
      tool_calls: calls.map(({ tool, args }, index) => ({
        index,
        id: `call_${String(index)}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(args) },
      })),
    };
  };
  const service = await TestService.start((received, response) => {
    const request = JSON.parse(received.body) as ChatRequest;
    const message = reply(request);
    const reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
    json({
      ...{ id: 'chat', object: 'chat.completion', created: 0, model: 'scripted' },
      choices: [{ index: 0, finish_reason: reason, message }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })(received, response);
  });
  const last = (prompt: string): ChatRequest => {
    const request = requests.get(prompt)?.at(-1);
    if (request === undefined) throw new Error(`Nobody asked the model: ${prompt}`);
    return request;
  };
  return {
    url: `${service.baseUrl}/v1`,
    play: (prompt: string, calls: readonly ToolCall[]) => void scripts.set(prompt, calls),
    answers: (prompt: string): string[] => {
      const answers = last(prompt).messages.flatMap(({ role, tool_call_id: id, content }) =>
        role === 'tool' ? [[Number(id?.replace('call_', '')), textOf(content)] as const] : [],
      );
      return answers.sort(([a], [b]) => a - b).map(([, answer]) => answer);
    },
    tools: (prompt: string) => {
      const { tools = [] } = last(prompt);
      return new Map(tools.map(({ function: { name, description } }) => [name, description]));
    },
    seen: (prompt: string) => JSON.stringify(requests.get(prompt)),
    stop: async () => {
      await service.stop();
    },
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = content as ReadonlyArray<{ readonly text?: string }>;
  return parts.map(({ text: part = '' }) => part).join('');
}
