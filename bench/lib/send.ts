import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import { inProcess } from './processes';
import type { Call, Order, Sent } from './sender-process';

/** Lookups of companies that the service knows, one for each. */
export function lookups({ world }: Sandbox): Call[] {
  return world.companies.map(({ primaryDomain }) => ({
    method: 'GET',
    path: `/v1/companies/${primaryDomain}`,
  }));
}

/** Sends what an order says from a process of its own. */
export async function send(order: Order): Promise<Sent> {
  return await inProcess(join(__dirname, 'sender-process.ts'), order);
}
