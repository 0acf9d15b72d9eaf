#!/usr/bin/env node
/**
 * `npm run dev`: a real n8n with the nodes of this folder, next to the local service. Each change
 * in `nodes/`, `credentials/` or `src/` is built and loaded into the running n8n.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEndAsked, runLogged, stopAll } from './lib/command.mjs';
import { demoOwner, importExample } from './lib/example-workflow.mjs';
import { ensureHost } from './lib/host.mjs';
import { N8nRest } from './lib/n8n-rest.mjs';
import { startN8n } from './lib/n8n.mjs';
import { cacheDir, logsDir, projectRoot } from './lib/paths.mjs';
import { step } from './lib/progress.mjs';
import { ensureDependencies } from './lib/project.mjs';
import { startSandbox } from './lib/sandbox.mjs';
import { reportFailure } from './lib/setup-error.mjs';
import { onSave } from './lib/watch.mjs';

const PORT = 5678;
const SANDBOX_PORT = 4010;

const userFolder = join(cacheDir, 'dev');
const nodesFolder = join(userFolder, '.n8n', 'nodes');
const installed = join(nodesFolder, 'node_modules', 'n8n-nodes-company-intelligence');

onEndAsked();

try {
  await main();
} catch (error) {
  reportFailure(error);
}
await stopAll();
process.exit();

async function main() {
  await ensureDependencies();
  const host = await ensureHost();
  await build();
  const filesFolder = join(userFolder, 'files');
  const [sandbox, n8n] = await step('Starting n8n and the local service', () =>
    Promise.all([
      startSandbox({ port: SANDBOX_PORT, logPath: join(logsDir, 'dev-sandbox.log') }),
      startN8n(host, {
        userFolder,
        filesFolder,
        port: PORT,
        logPath: join(logsDir, 'dev-n8n.log'),
        // n8n loads the nodes again when their files change.
        env: { N8N_DEV_RELOAD: 'true' },
      }),
    ]),
  );
  const rest = new N8nRest(n8n.url);
  await rest.signIn(demoOwner);
  await importExample(rest, { ...sandbox, filesFolder });
  await onSave(projectRoot, ['nodes', 'credentials', 'src'], () => build().catch(reportFailure));
  console.log(`\n  Editor    ${n8n.url}\n  Login     ${demoOwner.email} / ${demoOwner.password}`);
  console.log(
    '\nEach change is built and loaded. Reload the editor to see new parameters. Ctrl-C stops.',
  );
  await Promise.race([n8n.exited, sandbox.exited]);
}

/** Builds dist/ and copies it to the place where n8n loads an installed package from. */
async function build() {
  await step('Building the nodes', () =>
    runLogged('npx', ['gulp', 'build'], {
      cwd: projectRoot,
      logPath: join(logsDir, 'dev-build.log'),
      what: 'Building the nodes (npx gulp build)',
      fix: 'fix the error; the next change is built again',
    }),
  );
  mkdirSync(installed, { recursive: true });
  const manifest = { name: 'installed-nodes', private: true, dependencies: {} };
  writeFileSync(join(nodesFolder, 'package.json'), JSON.stringify(manifest));
  for (const name of ['package.json', 'dist']) {
    cpSync(join(projectRoot, name), join(installed, name), { recursive: true });
  }
}
