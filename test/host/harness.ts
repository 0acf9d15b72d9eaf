import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real n8n with the packed nodes and the example in it, beside a real sandbox. */
export interface RealHost {
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
  /** What the sandbox saw since its start. */
  report(): Promise<SandboxReport>;
  /** Stops n8n and the sandbox and removes their files. */
  stop(): Promise<void>;
}

interface Execution {
  readonly id: string;
  readonly status: string;
  readonly data: unknown;
}

interface Rest {
  request(method: string, path: string, body?: unknown): Promise<unknown>;
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
export async function startRealHost(): Promise<RealHost> {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { buildAndPack } = await import('../../scripts/lib/project.mjs');
  const { installNodes, startN8n } = await import('../../scripts/lib/n8n.mjs');
  const { startSandbox } = await import('../../scripts/lib/sandbox.mjs');
  const { N8nRest } = await import('../../scripts/lib/n8n-rest.mjs');
  const { demoOwner, importExample } = await import('../../scripts/lib/example-workflow.mjs');

  const host = await ensureHost();
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
    await installNodes(userFolder, tarball);
    const sandbox = await startSandbox({ logPath: join(folder, 'sandbox.log') });
    running.push(sandbox);
    const n8nLog = join(folder, 'n8n.log');
    const n8n = await startN8n(host, { userFolder, filesFolder, logPath: n8nLog });
    running.push(n8n);

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
      n8nUrl: n8n.url,
      n8nLog,
      userFolder,
      sandboxUrl: sandbox.baseUrl,
      keys,
      owner: demoOwner,
      rest,
      example,
      report: async () => (await sandbox.report()) as unknown as SandboxReport,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All files below a folder, their paths and bytes. */
export function* filesBelow(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield { path, bytes: readFileSync(path) };
  }
}
