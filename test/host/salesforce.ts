/** A Salesforce in this process: n8n's Salesforce node reads and updates accounts there. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import type { RealHost } from './harness';

export type Account = Readonly<Record<string, unknown>> & { readonly Id: string };

const QUERY = /^SELECT (?<fields>.+) FROM Account WHERE (?<empty>\w+) = null LIMIT (?<limit>\d+)$/;
const API = '/services/data/v59.0';

export async function startSalesforce(host: RealHost, given: readonly Account[]) {
  const accounts = new Map(given.map((account) => [account.Id, account]));

  const respond = async (request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const body = await text(request);
    if (pathname === '/services/oauth2/token') return { access_token: 'one', instance_url: url };
    if (pathname === `${API}/query`) {
      const { fields = '', empty = '', limit } = QUERY.exec(searchParams.get('q') ?? '')!.groups!;
      const open = [...accounts.values()].filter((account) => account[empty] === undefined);
      const names = fields.split(', ');
      const records = open
        .slice(0, Number(limit))
        .map((account) => Object.fromEntries(names.map((name) => [name, account[name] ?? null])));
      return { totalSize: records.length, done: true, records };
    }
    const id = pathname.replace(`${API}/sobjects/account/`, '');
    accounts.set(id, { ...accounts.get(id)!, ...(JSON.parse(body) as object) });
    return undefined;
  };

  const server = createServer((request, response) => {
    void respond(request).then((answer) => {
      response.writeHead(answer === undefined ? 204 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { id, name } = await host.rest.saveCredential({
    name: 'Salesforce',
    type: 'salesforceJwtApi',
    data: {
      ...{ environment: 'production', clientId: 'test', username: 'test', myDomainUrl: url },
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    },
  });
  return {
    accounts,
    credentials: { salesforceJwtApi: { id, name } },
    stop: () => server.close(),
  };
}
