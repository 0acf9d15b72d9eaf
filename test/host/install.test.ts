import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from './registry';

/**
 * Installs and removes the package as users do, in Settings → Community nodes. The registry is a
 * stand-in; n8n itself downloads, unpacks and loads the package.
 */

const NAME = 'n8n-nodes-company-intelligence';
const { version, n8n } = JSON.parse(
  readFileSync(join(__dirname, '../../package.json'), 'utf8'),
) as { version: string; n8n: { nodes: string[] } };

const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-install-'));
const userFolder = join(folder, 'n8n-home');
const running: Array<{ stop(): Promise<unknown> }> = [];
let rest: { request(method: string, path: string, body?: unknown): Promise<unknown> };

beforeAll(async () => {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { buildAndPack } = await import('../../scripts/lib/project.mjs');
  const { startN8n } = await import('../../scripts/lib/n8n.mjs');
  const { N8nRest } = await import('../../scripts/lib/n8n-rest.mjs');
  const { demoOwner } = await import('../../scripts/lib/example-workflow.mjs');

  const host = await ensureHost();
  const tarball = await buildAndPack();
  const registry = await startRegistry(folder, host.node, tarball);
  running.push(registry);
  const started = await startN8n(host, {
    userFolder,
    filesFolder: join(folder, 'files'),
    logPath: join(folder, 'n8n.log'),
    env: registry.env,
  });
  running.push(started);
  const client = new N8nRest(started.url);
  await client.signIn(demoOwner);
  rest = client;
  await rest.request('POST', '/rest/community-packages', { name: NAME });
});

afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

test('installs one package with all of its nodes and no dependencies', async () => {
  const installed = await rest.request('GET', '/rest/community-packages');
  expect(installed).toMatchObject([{ packageName: NAME, installedVersion: version }]);
  const [{ installedNodes } = { installedNodes: [] }] = installed as Array<{
    installedNodes: unknown[];
  }>;
  expect(installedNodes).toHaveLength(n8n.nodes.length);

  const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual([NAME]);
  expect(existsSync(join(modules, NAME, 'node_modules'))).toBe(false);
});

test('removes the package when it is uninstalled', async () => {
  await rest.request('DELETE', `/rest/community-packages?name=${NAME}`);

  expect(await rest.request('GET', '/rest/community-packages')).toEqual([]);
});
