import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { KeyName, Report } from '../../sandbox';
import { makeHome } from './home';

/** Applies a rule of n8n 3, because n8n 3 itself is not available as a package. */
const asN8n3 = join(__dirname, 'deny-any-caller.cjs');

const USER_TYPE = 'companyIntelligenceUserApi';

export interface HostOptions {
  readonly workers?: number;
  readonly sandboxArgs?: readonly string[];
  /** The folder that pins an n8n version other than the newest. */
  readonly manifestDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

type SavedCredential = Record<'id' | 'name' | 'type', string>;

export type RealHost = Awaited<ReturnType<typeof startRealHost>>;

/** Installs n8n first if necessary. All ports are free ones, and all files in a temporary folder. */
export async function startRealHost(options: HostOptions = {}) {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { buildAndPack } = await import('../../scripts/lib/project.mjs');
  const { installNodes, startN8n, startWorker } = await import('../../scripts/lib/n8n.mjs');
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  const { startSandbox } = await import('../../scripts/lib/sandbox.mjs');
  const { freePort } = await import('../../scripts/lib/ports.mjs');
  const { N8nRest } = await import('../../scripts/lib/n8n-rest.mjs');
  const { demoOwner, importExample } = await import('../../scripts/lib/example-workflow.mjs');

  const host = await ensureHost(options.manifestDir);
  const tarball = await buildAndPack();
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-host-'));
  const userFolder = join(folder, 'n8n-home');
  const filesFolder = join(folder, 'files');
  const running: Array<{ stop(): Promise<number> }> = [];
  const start = async <T extends { stop(): Promise<number> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting;
    running.push(started);
    return started;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    // Only one test uses another n8n, so a shared user folder would not save time.
    if (options.manifestDir !== undefined) await installNodes(userFolder, tarball);
    else await makeHome(tarball, userFolder);
    const args = [...(options.sandboxArgs ?? [])];
    const sandbox = await start(startSandbox({ logPath: join(folder, 'sandbox.log'), args }));
    const redis =
      options.workers === undefined
        ? undefined
        : await start(startRedis({ logPath: join(folder, 'redis.log') }));
    const NODE_OPTIONS = `--require=${JSON.stringify(asN8n3)} ${options.env?.['NODE_OPTIONS'] ?? ''}`;
    const settings = { userFolder, filesFolder, env: { ...options.env, NODE_OPTIONS } };
    const n8nLog = join(folder, 'n8n.log');
    const queue = redis === undefined ? {} : { redisPort: redis.port };
    const port = await freePort();
    const startMain = async () =>
      await start(startN8n(host, { ...settings, ...queue, port, logPath: n8nLog }));
    let n8n = await startMain();
    if (!readFileSync(n8nLog, 'utf8').includes('Changed SubworkflowPolicyChecker')) {
      throw new Error(`${asN8n3} found nothing to change in this n8n`);
    }
    const startNumber = async (number: number) => {
      // Each worker has its own event log, as on its own machine. The log tells a worker what its
      // predecessor left unfinished. With a shared log, workers would assume that the others are
      // dead.
      const env = { ...settings.env, N8N_EVENTBUS_LOGWRITER_LOGBASENAME: `n8nEventLog-${number}` };
      const logPath = join(folder, `worker-${number}.log`);
      const redisPort = redis?.port ?? 0;
      return await start(startWorker(host, { ...settings, env, logPath, redisPort }));
    };
    const workers: Array<Awaited<ReturnType<typeof startWorker>>> = [];
    const addWorker = async () => {
      workers.push(await startNumber(workers.length + 1));
    };
    for (let count = 0; count < (options.workers ?? 0); count += 1) await addWorker();

    const keys = sandbox.keys as Record<KeyName, string>;
    const rest = new N8nRest(n8n.url);
    await rest.signIn(demoOwner);
    const example = await importExample(rest, { ...sandbox, filesFolder });
    const credentials: SavedCredential[] = await rest.request('GET', '/rest/credentials');
    const userCredential = credentials.find(({ type }) => type === USER_TYPE);
    return {
      n8nVersion: host.version,
      n8nUrl: n8n.url,
      n8nLog,
      userFolder,
      sandboxUrl: sandbox.baseUrl,
      keys,
      owner: demoOwner,
      rest,
      example,
      /** The examples' user credential, as a node refers to it. */
      credentials: { [USER_TYPE]: { id: userCredential?.id, name: userCredential?.name } },
      /** Gives the examples' user credential other data, as a user would. */
      changeCredential: async (data: object) =>
        await rest.saveCredential({
          name: userCredential?.name ?? '',
          type: USER_TYPE,
          data: {
            ...{ baseUrl: sandbox.baseUrl, apiKey: keys.user },
            ...{ allowedHttpRequestDomains: 'all', ...data },
          },
        }),
      workers,
      /** Starts a worker in place of a killed one, whose files it finds. */
      replaceWorker: async (index: number) => {
        workers[index] = await startNumber(index + 1);
      },
      /** Starts a worker as if on another machine: it does not know the other workers' files. */
      addWorker,
      redisUrl: redis?.url,
      kill: async () => await n8n.kill(),
      restart: async () => {
        n8n = await startMain();
      },
      ended: async () => await n8n.exited,
      halt: async () => await Promise.all([n8n, ...workers].map((one) => one.stop())),
      report: async () => (await sandbox.report()) as Report & { readonly violations: string[] },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param options settings of the test file, or a function that returns them */
export function useRealHost(options: HostOptions | (() => Promise<HostOptions>) = {}): RealHost {
  let running: RealHost | undefined;
  beforeAll(async () => {
    running = await startRealHost(typeof options === 'function' ? await options() : options);
  });
  afterAll(async () => {
    await running?.stop();
  });
  return new Proxy({} as RealHost, {
    get: (_none, name): unknown => {
      if (running === undefined) throw new Error('n8n is not running yet.');
      return Reflect.get(running, name);
    },
  });
}
