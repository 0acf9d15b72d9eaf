import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { envWithNode } from './host.mjs';
import { logsDir } from './paths.mjs';
import { freePort } from './ports.mjs';
import { startService } from './service.mjs';

/**
 * Options that all processes of one n8n share.
 *
 * @typedef {object} N8nOptions
 * @property {string} userFolder where n8n keeps its database; created when missing
 * @property {string} filesFolder the only folder that workflows can read and write
 * @property {string} logPath
 * @property {Record<string, string>} [env] additional settings of n8n
 * @property {number} [redisPort] enables queue mode, with the queue in this Redis
 */

/** Modules of n8n that the demo does not use. Several of them contact n8n's servers at the start. */
const DISABLED_MODULES = ['mcp', 'chat-hub'];

/** The same modules for n8n 2. n8n 1 does not start if the setting names an unknown module. */
const DISABLED_MODULES_OF_2 = ['mcp-registry', 'instance-ai', 'agents', ...DISABLED_MODULES];

/**
 * Installs the packed nodes into an n8n user folder with npm, as n8n's documentation tells users
 * to. Skips this if the folder already has the same tarball.
 *
 * @param {string} userFolder
 * @param {string} tarball
 * @throws {import('./setup-error.mjs').SetupError}
 */
export async function installNodes(userFolder, tarball) {
  const folder = join(userFolder, '.n8n', 'nodes');
  const stamp = join(folder, `.installed-${fingerprint(tarball, [''])}`);
  if (existsSync(stamp)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Write the same file as n8n. Without it, npm would install into the nearest parent folder with a
  // package.json.
  const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  await npmInstall(['install', tarball, '--legacy-peer-deps'], {
    cwd: folder,
    logPath: join(logsDir, 'install-nodes.log'),
    what: 'Installing the packed nodes into n8n',
  });
  writeFileSync(stamp, '');
}

/**
 * Starts n8n on loopback, and waits until its REST API responds. n8n's settings turn off network
 * access as far as they can. With `redisPort` it is the main process of queue mode, which needs
 * workers (`startWorker`) to execute anything.
 *
 * @param {import('./host.mjs').Host} host
 * @param {N8nOptions & {port?: number}} options uses a free port if none is given
 */
export async function startN8n(host, { port, ...options }) {
  const n8nPort = port ?? (await freePort());
  const url = `http://localhost:${n8nPort}`;
  const env = { N8N_PORT: String(n8nPort) };
  return await start(host, ['start'], { ...options, extra: env, url, isReady: isMainReady });
}

/**
 * Starts a worker of queue mode for an n8n with the same folders and Redis, and waits until the
 * worker accepts jobs.
 *
 * @param {import('./host.mjs').Host} host
 * @param {N8nOptions & {redisPort: number}} options
 * @returns its `url` responds only to health checks
 */
export async function startWorker(host, options) {
  const port = await freePort();
  const extra = { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(port) };
  const url = `http://localhost:${port}`;
  const command = ['worker', '--concurrency=5'];
  return await start(host, command, { ...options, extra, url, isReady: isHealthy });
}

/**
 * @param {import('./host.mjs').Host} host
 * @param {string[]} command command of n8n with its arguments
 * @param {N8nOptions & {
 *   extra: Record<string, string>, url: string, isReady: (url: string) => Promise<boolean>
 * }} options
 */
async function start(
  host,
  command,
  { userFolder, filesFolder, logPath, redisPort, env = {}, extra, url, isReady },
) {
  mkdirSync(userFolder, { recursive: true });
  mkdirSync(filesFolder, { recursive: true });
  const n8n = await startService(host.node, [host.n8n, ...command], {
    name: 'n8n',
    fix: `see the log; to start over, delete ${userFolder}`,
    isReady: () => isReady(url),
    cwd: userFolder,
    logPath,
    env: {
      ...withoutForeignSettings(envWithNode(host.node)),
      N8N_USER_FOLDER: userFolder,
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      N8N_RESTRICT_FILE_ACCESS_TO: realpathSync(filesFolder),
      // n8n uses plain HTTP on loopback, where browsers would drop a secure cookie.
      N8N_SECURE_COOKIE: 'false',
      N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
      N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
      // These settings keep all data on the machine.
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
      N8N_DYNAMIC_BANNERS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_HIRING_BANNER_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
      N8N_VERIFIED_PACKAGES_ENABLED: 'false',
      N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
      N8N_DISABLED_MODULES: (host.version.startsWith('1.')
        ? DISABLED_MODULES
        : DISABLED_MODULES_OF_2
      ).join(','),
      ...(redisPort === undefined ? {} : queueMode(redisPort)),
      ...extra,
      ...env,
    },
  });
  return { ...n8n, url };
}

/**
 * @param {number} redisPort
 * @returns {Record<string, string>}
 */
function queueMode(redisPort) {
  return {
    EXECUTIONS_MODE: 'queue',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(redisPort),
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
  };
}

/**
 * Returns whether n8n is ready. It checks both health and the REST API, because n8n reports health
 * before the REST API exists.
 *
 * @param {string} url
 */
async function isMainReady(url) {
  if (!(await isHealthy(url))) return false;
  try {
    const settings = await fetch(`${url}/rest/settings`);
    return settings.ok && (settings.headers.get('content-type') ?? '').includes('json');
  } catch {
    return false;
  }
}

/** @param {string} url */
async function isHealthy(url) {
  try {
    return (await fetch(`${url}/healthz/readiness`)).ok;
  } catch {
    return false;
  }
}

/**
 * Environment variables to remove: settings of another n8n on this machine, and variables that npm
 * and jest set for child processes.
 */
const FOREIGN_SETTINGS =
  /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_|NODES_|GENERIC_|JEST_|npm_|NODE_OPTIONS$|NODE_ENV$)/;

/** @param {NodeJS.ProcessEnv} env */
function withoutForeignSettings(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN_SETTINGS.test(name)));
}
