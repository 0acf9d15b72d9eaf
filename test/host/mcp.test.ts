import { setTimeout as sleep } from 'node:timers/promises';

import { changeExample } from './example';
import { useRealHost } from './harness';
import { connectMcp } from './mcp-client';
import { Service, type Row } from './service';
import { publish } from './workflows';

/** The example that offers tools to MCP clients, with a scripted client over Streamable HTTP. */

const EXAMPLE = 'Company Data for MCP Clients';
const TOKEN = 'a-long-random-token';

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
/**
 * Reads as another organization, so that the clients' user still has to pay for the same companies.
 */
const stranger = new Service(host, 'otherOrganization');
let address: string;

beforeAll(async () => {
  const { id } = (await host.rest.request('POST', '/rest/credentials', {
    name: 'MCP clients',
    type: 'httpBearerAuth',
    data: { token: TOKEN, allowedHttpRequestDomains: 'all' },
  })) as { id: string };
  const example = await changeExample(host, EXAMPLE, ({ type }) =>
    type.endsWith('.mcpTrigger')
      ? { credentials: { httpBearerAuth: { id, name: 'MCP clients' } } }
      : {},
  );
  await publish(host, example);
  address = `${host.n8nUrl}/mcp/company-intelligence`;
  // n8n marks a workflow as active a moment before its address responds.
  for (let attempt = 0; attempt < 100 && (await strangersStatus()) === 404; attempt += 1) {
    await sleep(200);
  }
});

const charged = async (): Promise<number> => (await host.report()).byKey['user']?.charged ?? 0;

/** Returns the status of a request without the token. */
async function strangersStatus(): Promise<number> {
  return (await fetch(address, { method: 'POST', body: '{}' })).status;
}

/** Connects a client and completes the MCP handshake. */
async function connect(): Promise<(method: string, params?: Row) => Promise<Row>> {
  let session: string | undefined;
  let number = 0;
  const post = async (message: Row): Promise<Response> =>
    await fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...(session === undefined ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const ask = async (method: string, params: Row = {}): Promise<Row> => {
    number += 1;
    const response = await post({ id: number, method, params });
    session = response.headers.get('mcp-session-id') ?? session;
    const { result, error } = messageIn(await response.text());
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  await ask('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'scripted', version: '1.0.0' },
  });
  await post({ method: 'notifications/initialized' });
  return ask;
}

/** Returns the message in a response, which can be JSON or a stream with one event. */
function messageIn(text: string): { result?: Row; error?: unknown } {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as { result?: Row; error?: unknown };
}

/** Calls a tool and returns the items of its node, without the note. */
async function call(
  ask: Awaited<ReturnType<typeof connect>>,
  name: string,
  args: Row,
): Promise<Row[]> {
  const { content } = await ask('tools/call', { name, arguments: args });
  const [{ text } = { text: '' }] = content as Array<{ text: string }>;
  const items = JSON.parse(text) as Row | Row[];
  return (Array.isArray(items) ? items : [items]).filter((item) => !('note' in item));
}

test('rejects a client without the token with status 403', async () => {
  expect(await strangersStatus()).toBe(403);
});

test('a client lists the tools, gets a company, and finds technologies', async () => {
  const [a = ''] = await stranger.domains(1);
  const before = await charged();
  const ask = await connect();
  const { tools } = (await ask('tools/list')) as { tools: Array<{ name: string }> };

  expect(tools.map(({ name }) => name).sort()).toEqual(['Get_Company', 'Search_Technologies']);
  const found = await call(ask, 'Get_Company', { identifier: a });
  expect(found).toMatchObject([{ domain: a, technology_count: expect.any(Number) }]);
  const technologies = await call(ask, 'Search_Technologies', { query: 'google' });
  expect(technologies[0]).toMatchObject({ tech_key: expect.stringContaining('google') });
  expect((await charged()) - before).toBe(1);
});

test.each(['http', 'sse'] as const)(
  'serves the tools to the client of the MCP SDK over %s',
  async (transport) => {
    const [a = ''] = await stranger.domains(1);
    const client = await connectMcp(address, TOKEN, transport);
    const items = async (name: string, args: Row): Promise<Row[]> => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      expect(isError ?? false).toBe(false);
      return JSON.parse(content[0]?.text ?? '') as Row[];
    };
    const { tools } = await client.listTools();
    const described = tools.map(({ description = '' }) => description);

    expect(tools).toHaveLength(2);
    expect(described.join(' ')).toMatch(/Costs 1 credit.*Returns domain/);
    expect(await items('Get_Company', { identifier: a })).toMatchObject([
      { domain: a },
      { note: expect.stringContaining('Cost: up to 1 credit') },
    ]);
    expect(await items('Search_Technologies', { query: 'zzzz' })).toEqual([
      { note: 'No results: nothing matches.' },
    ]);
    // An unknown company is a result. Invalid input is an error with a reason.
    const wrong = await client.callTool({ name: 'Get_Company', arguments: { identifier: 'none' } });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toMatch(
      /neither a domain nor a slug: "none".*Enter a company domain/s,
    );
    const unknown = { identifier: 'nobody-tracks-this.com' };
    expect((await items('Get_Company', unknown))[0]).toMatchObject({ found: false });
    await expect(
      client.callTool({ name: 'No_Tool', arguments: {} }).then(({ isError }) => {
        if (isError === true) throw new Error('is an error');
      }),
    ).rejects.toThrow();
    await client.close();
  },
);
