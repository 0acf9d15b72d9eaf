#!/usr/bin/env node
/** `npm run demo`: enriches messy leads in a real n8n. It works in a fresh clone. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { onEndAsked, stopAll } from './lib/command.mjs';
import { demoOwner, importExample } from './lib/example-workflow.mjs';
import { errorOf } from './lib/execution-data.mjs';
import { ensureHost } from './lib/host.mjs';
import { takeLock } from './lib/lock.mjs';
import { N8nRest } from './lib/n8n-rest.mjs';
import { installNodes, startN8n } from './lib/n8n.mjs';
import { demoDir, logsDir, projectRoot } from './lib/paths.mjs';
import { isFree } from './lib/ports.mjs';
import { step } from './lib/progress.mjs';
import { buildAndPack, ensureDependencies } from './lib/project.mjs';
import { startSandbox } from './lib/sandbox.mjs';
import { SetupError, reportFailure } from './lib/setup-error.mjs';

const DEFAULT_PORT = 5678;
const DEFAULT_SANDBOX_PORT = 4010;

const HELP = `npm run demo -- [options]

Starts a local copy of the service and a real n8n with this package installed. It enriches
300 messy leads, writes a CSV file, and keeps the editor running for you.

  --exit               stop after writing the CSV file
  --port <n>           port of the n8n editor (default ${DEFAULT_PORT})
  --sandbox-port <n>   port of the local service (default ${DEFAULT_SANDBOX_PORT})
  --help               this text

The first start installs n8n into .cache/ (2.4 GB; N8N_HOST_DIR=<folder> shares it between clones).
Each start resets the demo's workflow and credentials; your own workflows stay.
To start over, delete .cache/demo.`;

const lockPath = join(demoDir, 'running.lock');
const userFolder = join(demoDir, 'n8n-home');

/** True after a signal to stop. Later failures are only consequences of that signal. */
let interrupted = false;
/** True while the editor is open and Ctrl-C is the normal way to exit. */
let open = false;

onEndAsked((code, signal) => interrupt(signal === 'SIGINT' && open ? 0 : code));

try {
  await main();
} catch (error) {
  if (!interrupted) reportFailure(error);
}
if (!interrupted) {
  await stopAll();
  process.exit();
}

async function main() {
  const options = readOptions();
  if (options.help) {
    console.log(HELP);
    return;
  }
  await checkPrerequisites(options);
  await runDemo(options);
}

/** @param {{port: number, sandboxPort: number, exit?: boolean}} options */
async function runDemo({ port, sandboxPort, exit }) {
  console.log('Company intelligence for n8n: demo\n');
  await ensureDependencies();
  const host = await ensureHost();
  const tarball = await buildAndPack();
  await step('Installing the nodes into n8n', () => installNodes(userFolder, tarball));

  const sandbox = await step('Starting the local service', () =>
    startSandbox({ port: sandboxPort, logPath: join(logsDir, 'demo-sandbox.log') }),
  );
  const filesFolder = join(demoDir, 'files');
  const n8n = await step(`Starting n8n ${host.version}`, () =>
    startN8n(host, {
      userFolder,
      filesFolder,
      logPath: join(logsDir, 'demo-n8n.log'),
      port,
    }),
  );
  const rest = new N8nRest(n8n.url);
  const example = await step('Importing credentials and workflow', async () => {
    await signIn(rest);
    return await importExample(rest, { ...sandbox, filesFolder });
  });
  const execution = await step('Enriching 300 messy leads in n8n', () => example.run());
  const editor = `${n8n.url}/workflow/${example.workflowId}`;
  if (execution.status !== 'success' || !existsSync(example.outputPath)) {
    throw new SetupError(
      `The workflow ended with "${execution.status}": ${errorOf(execution.data)}`,
      {
        fix: 'if you changed the nodes, the message says where it failed; otherwise please report it',
        logPath: n8n.logPath,
      },
    );
  }
  await printSummary(example, await sandbox.report());
  if (exit) return;

  console.log(`  Editor    ${editor}`);
  console.log(`  Login     ${demoOwner.email} / ${demoOwner.password}`);
  console.log(`  Service   ${sandbox.baseUrl} (local copy)`);
  console.log('\nn8n keeps running. Press Ctrl-C to stop everything.');
  open = true;
  // They end only if something went wrong.
  const [name, code, { logPath }] = await Promise.race([
    n8n.exited.then((code) => /** @type {const} */ (['n8n', code, n8n])),
    sandbox.exited.then((code) => /** @type {const} */ (['The local service', code, sandbox])),
  ]);
  throw SetupError.ofLog(
    `${name} ended (exit code ${code}).`,
    'see the log, then start the demo again',
    logPath,
  );
}

/**
 * @param {{inputPath: string, outputPath: string}} files
 * @param {import('./lib/sandbox.mjs').Report} report
 */
async function printSummary({ inputPath, outputPath }, { requests, charged }) {
  // Import it late: it is missing until the demo has installed the project's dependencies.
  const { parse } = await import('csv-parse/sync');
  const read = (/** @type {string} */ path) =>
    /** @type {Array<Record<string, string>>} */ (
      parse(readFileSync(path), { columns: true, bom: true })
    );
  const rows = read(outputPath);
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { enriched_status: status = 'no status' } of rows)
    counts[status] = (counts[status] ?? 0) + 1;
  const statuses = Object.entries(counts).map(
    ([status, count]) => `${count} ${status.replace('_', ' ')}`,
  );
  console.log(`
  Rows in   ${read(inputPath).length}
  Rows out  ${rows.length}: ${statuses.join(', ')}
  Requests  ${requests}
  Credits   ${charged}
  CSV       ${outputPath}`);
}

/** @param {N8nRest} rest */
async function signIn(rest) {
  try {
    await rest.signIn(demoOwner);
  } catch (cause) {
    throw new SetupError("Cannot sign in to the demo's n8n.", {
      fix: `if you changed its password, delete ${userFolder} and start again`,
      logPath: join(logsDir, 'demo-n8n.log'),
      cause,
    });
  }
}

/**
 * Checks everything that would make the demo fail later.
 *
 * @param {{port: number, sandboxPort: number}} options
 */
async function checkPrerequisites({ port, sandboxPort }) {
  const { engines } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  if (process.versions.node.localeCompare(needed, undefined, { numeric: true }) < 0) {
    throw new SetupError(
      `Node ${process.versions.node} is too old: the demo needs ${needed} or newer.`,
      { fix: 'install the current Node from https://nodejs.org' },
    );
  }
  for (const [what, number, flag] of /** @type {const} */ ([
    ['the n8n editor', port, '--port'],
    ['the local service', sandboxPort, '--sandbox-port'],
  ])) {
    if (!(await isFree(number))) {
      throw new SetupError(`Port ${number} for ${what} is already in use.`, {
        fix: `stop the program that uses it (perhaps an earlier demo or your own n8n), or choose another port: npm run demo -- ${flag} ${number + 1}`,
      });
    }
  }
  const owner = takeLock(lockPath);
  if (owner !== undefined) {
    throw new SetupError(`A demo is already running in this folder (process ${owner}).`, {
      fix: `use that demo, or stop it first: kill ${owner}`,
    });
  }
  // A process that ended can stay in the table of processes for a while.
  process.on('exit', () => rmSync(lockPath, { force: true }));
}

function readOptions() {
  try {
    const { 'sandbox-port': sandboxPort, ...values } = parseArgs({
      options: {
        exit: { type: 'boolean' },
        help: { type: 'boolean' },
        port: { type: 'string', default: String(DEFAULT_PORT) },
        'sandbox-port': { type: 'string', default: String(DEFAULT_SANDBOX_PORT) },
      },
    }).values;
    return {
      ...values,
      port: readPort('--port', values.port),
      sandboxPort: readPort('--sandbox-port', sandboxPort),
    };
  } catch (error) {
    if (error instanceof SetupError) throw error;
    throw new SetupError(/** @type {Error} */ (error).message, { fix: 'npm run demo -- --help' });
  }
}

/**
 * @param {string} flag
 * @param {string} text
 */
function readPort(flag, text) {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new SetupError(`${flag} ${text} is not a port.`, { fix: 'enter a number from 1 to 65535' });
}

/** @param {number} exitCode */
async function interrupt(exitCode) {
  // A second signal exits immediately. The child processes exit when this process is gone.
  if (interrupted) process.exit(exitCode);
  interrupted = true;
  process.stderr.write('\nStopping…\n');
  await stopAll();
  process.stderr.write('Stopped.\n');
  process.exit(exitCode);
}
