import { setTimeout as sleep } from 'node:timers/promises';

import { changeExample } from './example';
import { useRealHost } from './harness';
import { connectMcp } from './mcp-client';
import { Service, type Row } from './service';
import { publish } from './workflows';

const TOKEN = 'a-long-random-token';

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
let address: string;

beforeAll(async () => {
  const httpBearerAuth = await host.rest.saveCredential({
    name: 'MCP clients',
    type: 'httpBearerAuth',
    data: { token: TOKEN, allowedHttpRequestDomains: 'all' },
  });
  const example = await changeExample(host, 'Company Data for MCP Clients', ({ type }) =>
    type.endsWith('.mcpTrigger') ? { credentials: { httpBearerAuth } } : {},
  );
  await publish(host, example);
  address = `${host.n8nUrl}/mcp/company-intelligence`;
  // n8n marks a workflow as active a moment before its address responds.
  for (let attempt = 0; attempt < 100 && (await strangersStatus()) === 404; attempt += 1) {
    await sleep(200);
  }
});

const charged = async (): Promise<number> => (await host.report()).byKey['user']?.charged ?? 0;

async function strangersStatus(): Promise<number> {
  return (await fetch(address, { method: 'POST', body: '{}' })).status;
}

test.each(['http', 'sse'] as const)('serves the tools over %s', async (transport) => {
  expect(await strangersStatus()).toBe(403);
  // Read as another organization, so that the clients' user still has to pay for the company.
  const companies = await new Service(host, 'otherOrganization').domains(2);
  const domain = companies[transport === 'http' ? 0 : 1];
  const before = await charged();
  const client = await connectMcp(address, TOKEN, transport);
  const items = async (name: string, args: Row): Promise<Row[]> => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    expect(isError ?? false).toBe(false);
    return JSON.parse(content[0]?.text ?? '') as Row[];
  };
  const { tools } = await client.listTools();

  expect(tools.map(({ name }) => name).sort()).toEqual(['Get_Company', 'Search_Technologies']);
  expect(tools.map(({ description = '' }) => description).join(' ')).toMatch(
    /Costs 1 credit.*Returns domain/,
  );
  expect(await items('Get_Company', { identifier: domain })).toMatchObject([
    { domain, technology_count: expect.any(Number) },
    { note: expect.stringContaining('Cost: up to 1 credit') },
  ]);
  expect((await items('Search_Technologies', { query: 'google' }))[0]).toMatchObject({
    tech_key: expect.stringContaining('google'),
  });
  expect(await items('Search_Technologies', { query: 'zzzz' })).toEqual([
    { note: 'No results: nothing matches.' },
  ]);
  expect((await charged()) - before).toBe(1);
  // An unknown company is a result. Invalid input is an error with a reason.
  const wrong = await client.callTool({ name: 'Get_Company', arguments: { identifier: 'none' } });
  expect(wrong.isError).toBe(true);
  expect(wrong.content[0]?.text).toMatch(
    /neither a domain nor a slug: "none".*Enter a company domain/s,
  );
  const unknown = { identifier: 'nobody-tracks-this.com' };
  expect((await items('Get_Company', unknown))[0]).toMatchObject({ found: false });
  await client.close();
});
