import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeHome } from './home';

/** Applies a rule of n8n 3, because n8n 3 itself is not available as a package. */
const asN8n3 = join(__dirname, 'deny-any-caller.cjs');

/** Settings of a test that differ from the demo's settings. */
export interface HostOptions {
  /** Starts queue mode with this many workers and a Redis. Without it, n8n is one process. */
  readonly workers?: number;
  /** Additional command-line options of the sandbox. */
  readonly sandboxArgs?: readonly string[];
  /** The folder that pins an n8n version other than the newest. */
  readonly manifestDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface N8nProcess {
  /** URL of the process. A worker responds only to health checks. */
  readonly url: string;
  readonly logPath: string;
  /** Ends the process immediately, as a power cut would. */
  kill(): Promise<number>;
  stop(): Promise<number>;
}

/** A real n8n with the packed nodes and the examples, next to a real sandbox. */
export interface RealHost {
  readonly n8nVersion: string;
  readonly n8nUrl: string;
  readonly n8nLog: string;
  /** n8n's user folder: database, event log, binary data. */
  readonly userFolder: string;
  readonly sandboxUrl: string;
  readonly keys: Readonly<Record<'user' | 'organization' | 'otherOrganization', string>>;
  readonly owner: { email: string; password: string; firstName: string; lastName: string };
  /** n8n's REST API, signed in as the owner. */
  readonly rest: Rest;
  readonly example: Example;
  /** Queue mode's workers, in the order in which they were started. */
  readonly workers: readonly N8nProcess[];
  /** Starts a worker in place of a killed one. The new worker finds the files of the killed one. */
  replaceWorker(killed: N8nProcess): Promise<N8nProcess>;
  /** Starts a worker as if on another machine: it does not know the other workers' files. */
  addWorker(): Promise<N8nProcess>;
  /** The queue's Redis; undefined without queue mode. */
  readonly redisUrl: string | undefined;
  /** Kills n8n's main process. `restart` starts it again at the same address. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Settles when n8n's main process has ended for any reason. */
  ended(): Promise<void>;
  /** Stops n8n cleanly and keeps its files. */
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
 * Starts n8n and the sandbox on free ports, with files in a temporary folder. Installs n8n first if
 * necessary.
 *
 * @throws {Error} if the scripts' library fails, with its advice
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
    // Only one test uses another n8n, so a shared user folder would not save time.
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
        // Each worker has its own event log, as on its own machine. The log tells a worker what its
        // predecessor left unfinished. With a shared log, workers would assume that the others are
        // dead.
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
 * Starts n8n and the sandbox for a test file, and stops them after it.
 *
 * @param options settings of the test file, or a function that returns them
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

/** Returns the paths and contents of all files below a folder. */
export function* filesBelow(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield { path, bytes: readFileSync(path) };
  }
}
