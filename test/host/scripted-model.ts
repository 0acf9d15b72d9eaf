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
  readonly stream?: boolean;
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
    // n8n Agents requests the list of models.
    if (received.method === 'GET') {
      json({ object: 'list', data: [{ id: 'scripted', object: 'model' }] })(received, response);
      return;
    }
    const request = JSON.parse(received.body) as ChatRequest;
    const message = reply(request);
    const choice = { index: 0, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const chat = { id: 'chat', created: 0, model: 'scripted', usage };
    if (request.stream === true) {
      const choices = [{ ...choice, delta: message }];
      const chunk = { ...chat, object: 'chat.completion.chunk', choices };
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
      return;
    }
    const choices = [{ ...choice, message }];
    json({ ...chat, object: 'chat.completion', choices })(received, response);
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
