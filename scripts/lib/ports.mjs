import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * @param {number} [wanted] rejects if it is taken
 * @returns a loopback port that is free at the moment
 */
export async function freePort(wanted = 0) {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await once(server.close(), 'close');
  return port;
}
