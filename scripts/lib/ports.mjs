import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a free loopback port, below those that systems give to programs that take any. */
export async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

/** @param {number} port */
export async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').catch(() => false);
  if (isListening) await once(server.close(), 'close');
  return Boolean(isListening);
}
