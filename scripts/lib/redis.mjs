import { connect } from 'node:net';
import { onPath } from './paths.mjs';
import { freePort } from './ports.mjs';
import { startService } from './service.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * @param {string[]} commands in addition to redis-server; each has the name of its package
 * @throws {SetupError} if this machine lacks one
 */
export function needRedis(...commands) {
  const missing = ['redis-server', ...commands].find((one) => onPath(one) === undefined);
  if (missing === undefined) return;
  throw new SetupError(`no ${missing}`, {
    fix: `on Debian and Ubuntu: apt-get install -y ${missing}`,
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
