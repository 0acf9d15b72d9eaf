import { packageOfN8n } from './of-n8n';
import type { Row } from './service';

interface McpClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: ReadonlyArray<{ name: string; description?: string }> }>;
  callTool(call: { name: string; arguments: Row }): Promise<{
    isError?: boolean;
    content: ReadonlyArray<{ type: string; text: string }>;
  }>;
  close(): Promise<void>;
}

type Channel = new (url: URL, options: object) => unknown;

const CHANNELS = {
  http: ['streamableHttp', 'StreamableHTTPClientTransport'],
  sse: ['sse', 'SSEClientTransport'],
} as const;

/** Connects the client of the MCP SDK, which n8n installs, to an MCP Server Trigger. */
export async function connectMcp(address: string, token: string, transport: 'http' | 'sse') {
  const load = async <T>(file: string) =>
    await packageOfN8n<T>(`@modelcontextprotocol/sdk/client/${file}.js`);
  const { Client } = await load<{
    Client: new (about: { name: string; version: string }) => McpClient;
  }>('index');
  const [file, name] = CHANNELS[transport];
  const { [name]: Transport } = await load<Record<typeof name, Channel>>(file);
  const headers = { Authorization: `Bearer ${token}` };
  const options = {
    requestInit: { headers },
    eventSourceInit: {
      fetch: async (url: string | URL, init: RequestInit = {}) =>
        await fetch(url, { ...init, headers: { ...(init.headers as Row), ...headers } as never }),
    },
  };
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new Transport(new URL(address), options));
  return client;
}
