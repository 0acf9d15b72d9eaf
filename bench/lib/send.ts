import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import type { Call, Order, Sent } from './sender-process';

/** Returns one lookup for each company of the service. */
export function lookups({ world }: Sandbox): Call[] {
  return world.companies.map(({ primaryDomain }) => ({
    method: 'GET',
    path: `/v1/companies/${primaryDomain}`,
  }));
}

/**
 * Sends the requests of an order from a separate process.
 *
 * @throws if the process ends without a result; its stderr has the reason
 */
export async function send(order: Order): Promise<Sent> {
  const child = fork(join(__dirname, 'sender-process.ts'), { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that sends ended early; see above.');
  });
  child.send(order);
  try {
    const [sent] = (await Promise.race([once(child, 'message'), ended])) as [Sent];
    return sent;
  } finally {
    ended.catch(() => undefined);
    if (child.connected) child.disconnect();
  }
}
