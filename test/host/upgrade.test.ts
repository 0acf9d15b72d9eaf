import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow } from './harness';
import { startRegistry, type StandInRegistry } from './registry';

/**
 * Installed and updated as users do it, in Settings → Community nodes, with workflows of 0.1.0 that
 * go on running. Registries are stood in for; downloading, unpacking and loading are n8n's own.
 */

const NAME = 'n8n-nodes-company-intelligence';
const UPGRADE = join(__dirname, '../engine/upgrade');
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

interface StoredWorkflow {
  readonly title: string;
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One of each node, of those that the engine runs all of. */
const WORKFLOWS = (
  JSON.parse(readFileSync(join(UPGRADE, 'workflows.json'), 'utf8')) as StoredWorkflow[]
).filter(({ title }) =>
  [
    'bulkEnrich enrichCompanies: changed',
    'companyLookup get: minimal',
    'techUsers getByTechnology: added',
    'partnerGraph getGraph: minimal',
    'listMembers getMany: minimal',
    'refreshAndWait startRefresh: minimal',
    'flagData create: minimal',
    'companyList definition previewCount: minimal',
    'apiRequest: query',
  ].includes(title),
);

interface Named {
  readonly id: string;
  readonly name: string;
}
interface Rest {
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  signIn(owner: unknown): Promise<void>;
  saveCredential(credential: unknown): Promise<Named>;
  run(id: string, options: { triggerName: string }): Promise<{ status: string; data: unknown }>;
}

const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-upgrade-'));
const userFolder = join(folder, 'n8n-home');
const running: Array<{ stop(): Promise<unknown> }> = [];
let registry: StandInRegistry;
let rest: Rest;
let credential: Named;
let sandbox: { baseUrl: string; keys: { user: string } };

beforeAll(async () => {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { buildAndPack } = await import('../../scripts/lib/project.mjs');
  const { startN8n } = await import('../../scripts/lib/n8n.mjs');
  const { N8nRest } = await import('../../scripts/lib/n8n-rest.mjs');
  const { startSandbox } = await import('../../scripts/lib/sandbox.mjs');
  const { demoOwner } = await import('../../scripts/lib/example-workflow.mjs');

  const host = await ensureHost();
  const tarball = await buildAndPack();
  registry = await startRegistry(folder, host.node);
  running.push(registry);
  registry.publish(join(UPGRADE, `${NAME}-0.1.0.tgz`));
  const service = await startSandbox({ logPath: join(folder, 'sandbox.log') });
  running.push(service);
  sandbox = service;
  const n8n = await startN8n(host, {
    userFolder,
    filesFolder: join(folder, 'files'),
    logPath: join(folder, 'n8n.log'),
    env: registry.env,
  });
  running.push(n8n);
  rest = new N8nRest(n8n.url);
  await rest.signIn(demoOwner);
  await rest.request('POST', '/rest/community-packages', { name: NAME });
  registry.publish(tarball);
});

afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

test('workflows stored with 0.1.0 give the same after the update', async () => {
  expect(await installed()).toMatchObject({ installedVersion: '0.1.0', updateAvailable: version });
  credential = await rest.saveCredential({
    name: 'Service',
    type: 'companyIntelligenceUserApi',
    data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.user },
  });
  const stored = new Map<string, string>();
  for (const workflow of WORKFLOWS) stored.set(workflow.title, await store(workflow));
  const before = await runAll(stored);

  await rest.request('PATCH', '/rest/community-packages', { name: NAME, version });

  const { installedVersion, installedNodes } = await installed();
  expect(installedVersion).toBe(version);
  expect(installedNodes.length).toBeGreaterThanOrEqual(WORKFLOWS.length);
  expect(Object.values(before).map(({ status }) => status)).toEqual(WORKFLOWS.map(() => 'success'));
  expect(await runAll(stored)).toEqual(before);
});

test('it takes no more than 25 MB with what n8n installs for it', () => {
  const modules = join(userFolder, '.n8n', 'nodes', 'node_modules', NAME);
  const bytes = [...filesBelow(modules)].reduce((sum, file) => sum + file.bytes.length, 0);

  // The package alone would be a megabyte.
  expect(bytes).toBeGreaterThan(10_000_000);
  expect(bytes).toBeLessThan(25_000_000);
});

test('it can be uninstalled', async () => {
  await rest.request('DELETE', `/rest/community-packages?name=${NAME}`);

  expect(await rest.request('GET', '/rest/community-packages')).toEqual([]);
});

interface Installed {
  readonly installedVersion: string;
  readonly updateAvailable?: string;
  readonly installedNodes: readonly unknown[];
}

async function installed(): Promise<Installed> {
  const packages = (await rest.request('GET', '/rest/community-packages')) as Installed[];
  expect(packages).toHaveLength(1);
  return packages[0]!;
}

async function store({ title, type, parameters }: StoredWorkflow): Promise<string> {
  const node = (name: string, nodeType: string, typeVersion: number, more: object = {}) => ({
    id: name,
    name,
    type: nodeType,
    typeVersion,
    position: [0, 0],
    parameters: {},
    ...more,
  });
  const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
  const company = 'ambermarket.com';
  const { id } = (await rest.request('POST', '/rest/workflows', {
    name: title,
    active: false,
    nodes: [
      node('Start', 'n8n-nodes-base.manualTrigger', 1),
      node('Row', 'n8n-nodes-base.set', 3.4, {
        parameters: { mode: 'raw', jsonOutput: JSON.stringify({ company }) },
      }),
      node('Tested', `${NAME}.${type}`, 1, {
        parameters,
        credentials: {
          companyIntelligenceUserApi: { id: credential.id, name: credential.name },
        },
      }),
    ],
    connections: { Start: to('Row'), Row: to('Tested') },
    settings: { executionOrder: 'v1' },
  })) as Named;
  return id;
}

/** What each workflow came to: its state, and the items without times and numbers of jobs and flags. */
async function runAll(stored: ReadonlyMap<string, string>) {
  const results: Record<string, { status: string; items: unknown }> = {};
  for (const [title, id] of stored) {
    const { status, data } = await rest.run(id, { triggerName: 'Start' });
    const { resultData } = data as {
      resultData: { runData: Record<string, Array<{ data?: { main: unknown[][] } }>> };
    };
    const items = JSON.stringify(resultData.runData['Tested']?.[0]?.data?.main[0])
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some time')
      .replaceAll(/job_\d+/g, 'job')
      .replaceAll(/"flag_id":\d+/g, '"flag_id":0');
    results[title] = { status, items: JSON.parse(items) };
  }
  return results;
}
