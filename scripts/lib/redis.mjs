import { connect } from 'node:net';
import { onPath } from './paths.mjs';
import { freePort } from './ports.mjs';
import { startService } from './service.mjs';
import { SetupError } from './setup-error.mjs';

/** @throws {SetupError} if this machine has no redis-server */
export function needRedis() {
  if (onPath('redis-server') !== undefined) return;
  throw new SetupError('no redis-server', {
    fix: 'on Debian and Ubuntu: apt-get install -y redis-server',
  });
}

/**
 * Starts a Redis on loopback that saves nothing to disk.
 *
 * @param {{logPath: string, port?: number, args?: string[]}} options uses a free port if none is
 *   given; `args` are additional command-line arguments
 */
export async function startRedis({ logPath, port: wanted, args = [] }) {
  needRedis();
  const port = wanted ?? (await freePort());
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly'];
  const redis = await startService('redis-server', [...settings, 'no', ...args], {
    name: 'Redis',
    fix: 'see the log',
    logPath,
    isReady: () => accepts(port),
  });
  return { ...redis, port, url: `redis://127.0.0.1:${port}` };
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether a server accepts connections there
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
