import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeHome } from './home';

/** n8n runs with this rule of n8n 3, of which there is no package to install. */
const asN8n3 = join(__dirname, 'deny-any-caller.cjs');

/** What a test wants to have otherwise than the demo has it. */
export interface HostOptions {
  /** Queue mode with this many workers, and a Redis; without it n8n is one process. */
  readonly workers?: number;
  /** Further options of the sandbox, as on its command line. */
  readonly sandboxArgs?: readonly string[];
  /** The folder that pins another n8n than the newest. */
  readonly manifestDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface N8nProcess {
  /** Of a worker: answers health checks only. */
  readonly url: string;
  readonly logPath: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<number>;
  stop(): Promise<number>;
}

/** A real n8n with the packed nodes and the examples in it, beside a real sandbox. */
export interface RealHost {
  readonly n8nVersion: string;
  readonly n8nUrl: string;
  readonly n8nLog: string;
  /** n8n's user folder: database, event log, binary data. */
  readonly userFolder: string;
  readonly sandboxUrl: string;
  readonly keys: Readonly<Record<'user' | 'organization' | 'otherOrganization', string>>;
  readonly owner: { email: string; password: string; firstName: string; lastName: string };
  /** n8n's REST interface, signed in as the owner. */
  readonly rest: Rest;
  readonly example: Example;
  /** Queue mode's workers, in the order they were started. */
  readonly workers: readonly N8nProcess[];
  /** Starts a worker in place of one that was killed; it finds what that one had written. */
  replaceWorker(killed: N8nProcess): Promise<N8nProcess>;
  /** Starts a worker on another machine: it knows nothing of what the others did. */
  addWorker(): Promise<N8nProcess>;
  /** The queue's Redis; undefined without queue mode. */
  readonly redisUrl: string | undefined;
  /** Kills n8n's main process; `restart` brings it back at the same address. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Settles when n8n's main process has ended, whoever ended it. */
  ended(): Promise<void>;
  /** Stops n8n in good order and leaves its files in place. */
  halt(): Promise<void>;
  report(): Promise<SandboxReport>;
  stop(): Promise<void>;
}

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly data: unknown;
}

interface Rest {
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Runs a workflow from its manual trigger and waits for the end. */
  run(workflowId: string, options: { triggerName: string; timeoutMs?: number }): Promise<Execution>;
}

interface Example {
  readonly workflowId: string;
  readonly inputPath: string;
  readonly outputPath: string;
  run(): Promise<Execution>;
}

/** The part of the sandbox's report that tests read. */
export interface SandboxReport {
  readonly byKey: Readonly<Record<string, { requests: number; charged: number; domains: number }>>;
  readonly violations: readonly string[];
}

/**
 * Starts both on free ports with files in a temporary folder. Installs n8n first if need be.
 *
 * @throws what the scripts' library throws, with its advice
 */
export async function startRealHost(options: HostOptions = {}): Promise<RealHost> {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { buildAndPack } = await import('../../scripts/lib/project.mjs');
  const { installNodes, startN8n, startWorker } = await import('../../scripts/lib/n8n.mjs');
  const { startRedis } = await import('../../scripts/lib/redis.mjs');
  const { startSandbox } = await import('../../scripts/lib/sandbox.mjs');
  const { N8nRest } = await import('../../scripts/lib/n8n-rest.mjs');
  const { demoOwner, importExample } = await import('../../scripts/lib/example-workflow.mjs');

  const host = await ensureHost(options.manifestDir);
  const tarball = await buildAndPack();
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-host-'));
  const userFolder = join(folder, 'n8n-home');
  const filesFolder = join(folder, 'files');
  const running: Array<{ stop(): Promise<number> }> = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((service) => service.stop()));
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    // Of another n8n there is one test only: nothing to share.
    if (options.manifestDir !== undefined) await installNodes(userFolder, tarball);
    else await makeHome(host, tarball, userFolder);
    const sandbox = await startSandbox({
      logPath: join(folder, 'sandbox.log'),
      args: [...(options.sandboxArgs ?? [])],
    });
    running.push(sandbox);
    const redis =
      options.workers === undefined
        ? undefined
        : await startRedis({ logPath: join(folder, 'redis.log') });
    if (redis !== undefined) running.push(redis);
    const settings = {
      userFolder,
      filesFolder,
      env: {
        ...options.env,
        NODE_OPTIONS: `--require=${JSON.stringify(asN8n3)} ${options.env?.['NODE_OPTIONS'] ?? ''}`,
      },
    };
    const n8nLog = join(folder, 'n8n.log');
    const startMain = async (port?: number) => {
      const main = await startN8n(host, {
        ...settings,
        logPath: n8nLog,
        ...(redis === undefined ? {} : { redisPort: redis.port }),
        ...(port === undefined ? {} : { port }),
      });
      running.push(main);
      return main;
    };
    let n8n = await startMain();
    if (!readFileSync(n8nLog, 'utf8').includes('Caller policy "any" is denied')) {
      throw new Error(`${asN8n3} found nothing to change in this n8n`);
    }
    const workers: N8nProcess[] = [];
    const startWorkerNumber = async (number: string): Promise<N8nProcess> => {
      const logPath = join(folder, `worker-${number}.log`);
      const worker = await startWorker(host, {
        ...settings,
        // Workers on machines of their own have an event log each, from which they learn what their
        // predecessor left unfinished. From a common one they would take each other for dead.
        env: { ...settings.env, N8N_EVENTBUS_LOGWRITER_LOGBASENAME: `n8nEventLog-${number}` },
        logPath,
        redisPort: redis?.port ?? 0,
      });
      running.push(worker);
      return worker;
    };
    for (let number = 1; number <= (options.workers ?? 0); number += 1) {
      workers.push(await startWorkerNumber(String(number)));
    }

    const keys = sandbox.keys as RealHost['keys'];
    const rest = new N8nRest(n8n.url);
    await rest.signIn(demoOwner);
    const example = await importExample(rest, {
      baseUrl: sandbox.baseUrl,
      userKey: keys.user,
      organizationKey: keys.organization,
      filesFolder,
    });
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
      workers,
      replaceWorker: async ({ logPath }) => {
        const [, number = ''] = /worker-(\d+)\.log$/.exec(logPath) ?? [];
        return await startWorkerNumber(number);
      },
      addWorker: async () => {
        const worker = await startWorkerNumber(String(workers.length + 1));
        workers.push(worker);
        return worker;
      },
      redisUrl: redis?.url,
      kill: async () => {
        await n8n.kill();
      },
      ended: async () => {
        await n8n.exited;
      },
      restart: async () => {
        n8n = await startMain(Number(new URL(n8n.url).port));
      },
      halt: async () => {
        await Promise.all([n8n, ...workers].map((one) => one.stop()));
      },
      report: async () => (await sandbox.report()) as unknown as SandboxReport,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts both for a test file, and stops them after it.
 *
 * @param options what the file wants to have otherwise, or how to find it out
 */
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

/** All files below a folder, their paths and bytes. */
export function* filesBelow(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield { path, bytes: readFileSync(path) };
  }
}
