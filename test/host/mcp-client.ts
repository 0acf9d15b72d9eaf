import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { Row } from './service';

/** How a client connects to n8n. */
export type Transport = 'http' | 'sse';

/** A client that has completed the MCP handshake. */
export interface McpClient {
  listTools(): Promise<{ tools: ReadonlyArray<{ name: string; description?: string }> }>;
  callTool(call: { name: string; arguments: Row }): Promise<{
    isError?: boolean;
    content: ReadonlyArray<{ type: string; text: string }>;
  }>;
  close(): Promise<void>;
}

interface Sdk {
  readonly Client: new (about: { name: string; version: string }) => McpClient & {
    connect(transport: unknown): Promise<void>;
  };
  readonly StreamableHTTPClientTransport: new (url: URL, options: object) => unknown;
  readonly SSEClientTransport: new (url: URL, options: object) => unknown;
}

/**
 * Connects the client of the MCP SDK, which n8n installs.
 *
 * @param address address of the MCP Server Trigger
 */
export async function connectMcp(
  address: string,
  token: string,
  transport: Transport,
): Promise<McpClient> {
  const { Client, StreamableHTTPClientTransport, SSEClientTransport } = await loadSdk();
  const headers = { Authorization: `Bearer ${token}` };
  const options = {
    requestInit: { headers },
    eventSourceInit: {
      fetch: async (url: string | URL, init: RequestInit = {}) =>
        await fetch(url, { ...init, headers: { ...(init.headers as Row), ...headers } as never }),
    },
  };
  const client = new Client({ name: 'test', version: '1.0.0' });
  const Channel = transport === 'http' ? StreamableHTTPClientTransport : SSEClientTransport;
  await client.connect(new Channel(new URL(address), options));
  return client;
}

async function loadSdk(): Promise<Sdk> {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { n8n } = await ensureHost();
  // pnpm stores the dependencies of n8n's packages next to them.
  const packages = join(dirname(n8n), '..', '..', '.pnpm', 'node_modules');
  const load = createRequire(join(packages, 'index.js'));
  return Object.assign(
    {},
    load('@modelcontextprotocol/sdk/client/index.js'),
    load('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    load('@modelcontextprotocol/sdk/client/sse.js'),
  ) as Sdk;
}
