import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { inProcess } from './processes';
import type { Call, Order, Sent } from './sender-process';

/** Returns one lookup for each company of the service. */
export function lookups({ world }: Sandbox): Call[] {
  return world.companies.map(({ primaryDomain }) => ({
    method: 'GET',
    path: `/v1/companies/${primaryDomain}`,
  }));
}

/** Sends the requests of an order from a separate process. */
export async function send(order: Order): Promise<Sent> {
  return await inProcess(join(__dirname, 'sender-process.ts'), order);
}
