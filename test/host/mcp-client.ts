import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Row } from './service';

interface McpClient {
  listTools(): Promise<{ tools: ReadonlyArray<{ name: string; description?: string }> }>;
  callTool(call: { name: string; arguments: Row }): Promise<{
    isError?: boolean;
    content: ReadonlyArray<{ type: string; text: string }>;
  }>;
  close(): Promise<void>;
}

type Channel = new (url: URL, options: object) => unknown;

interface Sdk {
  readonly Client: new (about: { name: string; version: string }) => McpClient & {
    connect(transport: unknown): Promise<void>;
  };
  readonly StreamableHTTPClientTransport: Channel;
  readonly SSEClientTransport: Channel;
}

/** Connects the client of the MCP SDK, which n8n installs, to an MCP Server Trigger. */
export async function connectMcp(address: string, token: string, transport: 'http' | 'sse') {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { n8n } = await ensureHost();
  // pnpm stores the dependencies of n8n's packages next to them.
  const packages = join(dirname(n8n), '..', '..', '.pnpm', 'node_modules', 'index.js');
  const load = createRequire(packages);
  const { Client, StreamableHTTPClientTransport, SSEClientTransport } = Object.assign(
    {},
    ...['index', 'streamableHttp', 'sse'].map((name): unknown =>
      load(`@modelcontextprotocol/sdk/client/${name}.js`),
    ),
  ) as Sdk;
  const headers = { Authorization: `Bearer ${token}` };
  const options = {
    requestInit: { headers },
    eventSourceInit: {
      fetch: async (url: string | URL, init: RequestInit = {}) =>
        await fetch(url, { ...init, headers: { ...(init.headers as Row), ...headers } as never }),
    },
  };
  const client = new Client({ name: 'test', version: '1.0.0' });
  const Transport = transport === 'http' ? StreamableHTTPClientTransport : SSEClientTransport;
  await client.connect(new Transport(new URL(address), options));
  return client;
}
