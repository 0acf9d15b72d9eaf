import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { indent, logTail, startGuarded } from './command.mjs';
import { onPath } from './paths.mjs';
import { freePort } from './ports.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * A running Redis that saves nothing to disk.
 *
 * @typedef {object} RunningRedis
 * @property {number} port
 * @property {string} url
 * @property {() => Promise<number>} stop
 * @property {() => Promise<number>} kill kills it immediately, like a power cut
 */

const START_TIMEOUT_MS = 10_000;

/** @returns {string | undefined} why Redis is not available on this machine */
export function whyNoRedis() {
  return whyNo('redis-server');
}

/** @returns {string | undefined} why Redis with TLS is not available on this machine */
export function whyNoRedisOverTls() {
  return whyNoRedis() ?? whyNo('openssl');
}

/**
 * @param {string} command command, which is also the name of its package
 * @returns {string | undefined}
 */
function whyNo(command) {
  if (onPath(command) !== undefined) return undefined;
  return `no ${command}; on Debian and Ubuntu: apt-get install -y ${command}`;
}

/**
 * Starts Redis on loopback.
 *
 * @param {{logPath: string, port?: number, args?: string[]}} options uses a free port if none is
 *   given; `args` are additional command-line arguments
 * @returns {Promise<RunningRedis>}
 * @throws {SetupError} if Redis is not installed or does not become ready; quotes its log
 */
export async function startRedis({ logPath, port, args = [] }) {
  const redisPort = port ?? (await freePort());
  const settings = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''];
  const redis = startGuarded('redis-server', [...settings, '--appendonly', 'no', ...args], {
    logPath,
  });
  let ended = false;
  void redis.exited.then(() => (ended = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(redisPort))) {
    if (ended || Date.now() > deadline) {
      await redis.stop();
      throw new SetupError(`Redis did not start.\n${indent(logTail(logPath, 12))}`, {
        fix: whyNoRedis() ?? 'see the log',
        logPath,
      });
    }
    await sleep(50);
  }
  const { stop, kill } = redis;
  return { port: redisPort, url: `redis://127.0.0.1:${redisPort}`, stop, kill };
}

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether a server accepts connections there
 */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
