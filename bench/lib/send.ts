import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox';
import type { Call, Order, Sent } from './sender-process';

const PROCESS = join(__dirname, 'sender-process.ts');

/** Lookups of companies that the service knows, one for each. */
export function lookups({ world }: Sandbox): Call[] {
  return world.companies.map(({ primaryDomain }) => ({
    method: 'GET',
    path: `/v1/companies/${primaryDomain}`,
  }));
}

/**
 * Sends what an order says from a process of its own.
 *
 * @throws when the process ends without an answer; it says why on stderr.
 */
export async function send(order: Order): Promise<Sent> {
  const child = fork(PROCESS, { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The sending process ended early; see above.');
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
