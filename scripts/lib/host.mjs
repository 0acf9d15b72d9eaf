import { cpSync, existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { runLogged } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { ensureNode24, installTool } from './node24.mjs';
import { hostDir, hostManifestDir, logsDir, onPath } from './paths.mjs';
import { step } from './progress.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * An installed n8n that can be started.
 *
 * @typedef {object} Host
 * @property {string} version n8n's version
 * @property {string} node path of the Node 24 that runs it
 * @property {string} n8n path of n8n's entry script
 */

const MANIFEST_FILES = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'];

/**
 * Makes sure that the n8n pinned in host/ is installed, with a Node 24 and a compiled sqlite3. The
 * first call takes about two minutes, later calls take milliseconds. The next call resumes an
 * interrupted install. Concurrent callers wait for each other.
 *
 * @param {string} [manifestDir] the folder that pins another n8n
 * @returns {Promise<Host>}
 * @throws {SetupError} with the failed step, the path of its log and a fix
 */
export async function ensureHost(manifestDir = hostManifestDir) {
  /** @type {{packageManager: string, dependencies: {n8n: string}}} */
  const manifest = JSON.parse(readFileSync(join(manifestDir, 'package.json'), 'utf8'));
  const version = manifest.dependencies.n8n;
  const content = fingerprint(manifestDir, MANIFEST_FILES);
  // The lockfile's hash is part of the name, so that clones with different versions can share one
  // N8N_HOST_DIR.
  const folder = join(hostDir, `n8n-${version}-${content.slice(0, 8)}`);
  const stamp = join(folder, '.complete');

  return await withLock(join(hostDir, '.lock'), async () => {
    const node = await ensureNode24();
    if (!existsSync(stamp)) {
      for (const name of MANIFEST_FILES) cpSync(join(manifestDir, name), join(folder, name));
      const pnpm = await ensurePnpm(manifest.packageManager);
      await installN8n(folder, version, pnpm, node);
      await buildSqlite(folder, pnpm, node);
      writeFileSync(stamp, '');
    }
    return { version, node: node.binary, n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
  });
}

/**
 * Returns an environment in which `node` is the given executable, also for the processes that n8n
 * starts.
 *
 * @param {string} node path of the executable
 * @returns {NodeJS.ProcessEnv}
 */
export function envWithNode(node) {
  return { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Fetches the pnpm that host/package.json names, such as "pnpm@10.34.9".
 *
 * @param {string} packageManager
 * @returns {Promise<string>} the folder of the installed package
 */
async function ensurePnpm(packageManager) {
  const [name = '', version = ''] = packageManager.split('@');
  const folder = join(hostDir, packageManager.replace('@', '-'));
  await installTool(name, version, folder);
  return join(folder, 'node_modules', name);
}

/**
 * @param {string} folder folder with the manifests, which gets `node_modules`
 * @param {string} version
 * @param {string} pnpm
 * @param {import('./node24.mjs').NodeRuntime} node
 */
async function installN8n(folder, version, pnpm, node) {
  const install = () =>
    runLogged(
      node.binary,
      [
        join(pnpm, 'bin', 'pnpm.cjs'),
        'install',
        '--frozen-lockfile',
        '--ignore-scripts',
        '--reporter=append-only',
        '--store-dir',
        join(hostDir, 'store'),
      ],
      {
        cwd: folder,
        env: { ...envWithNode(node.binary), CI: 'true' },
        logPath: join(logsDir, 'install-n8n.log'),
        what: `Installing n8n ${version}`,
        fix: 'check the network, the npm registry and the disk (n8n needs 2.4 GB), then run this again: it continues where it stopped',
      },
    );
  await step(`Installing n8n ${version} (once, about a minute and 2.4 GB)`, async () => {
    try {
      await install();
    } catch (error) {
      // An attempt that was interrupted can leave a broken folder.
      if (!existsSync(join(folder, 'node_modules'))) throw error;
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
      await install();
    }
  });
}

/**
 * Compiles n8n's database driver, because its prebuilt file is published outside the registry.
 * Without a compiler, it downloads that file.
 *
 * @param {string} folder
 * @param {string} pnpm folder of pnpm, which includes node-gyp
 * @param {import('./node24.mjs').NodeRuntime} node
 */
async function buildSqlite(folder, pnpm, node) {
  // pnpm links packages, so a package finds its dependencies only from its real path.
  const fromN8n = createRequire(realpathSync(join(folder, 'node_modules', 'n8n', 'package.json')));
  const sqlite = dirname(fromN8n.resolve('sqlite3/package.json'));
  const options = {
    cwd: sqlite,
    env: { ...envWithNode(node.binary), npm_config_nodedir: node.headers },
    logPath: join(logsDir, 'build-sqlite3.log'),
  };
  const missing = ['python3', 'make', 'g++'].filter((tool) => onPath(tool) === undefined);

  if (missing.length === 0) {
    const nodeGyp = join(pnpm, 'dist', 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
    await step("Compiling sqlite3, n8n's database (once, about a minute)", () =>
      runLogged(node.binary, [nodeGyp, 'rebuild', `--nodedir=${node.headers}`, '--jobs=max'], {
        ...options,
        what: 'Compiling sqlite3',
        fix: 'see the log; on Debian and Ubuntu `apt-get install -y build-essential python3` installs everything it needs',
      }),
    );
  } else {
    const fromSqlite = createRequire(join(sqlite, 'package.json'));
    await step("Fetching sqlite3, n8n's database (once; there is no compiler here)", () =>
      runLogged(node.binary, [fromSqlite.resolve('prebuild-install/bin.js'), '-r', 'napi'], {
        ...options,
        what: `Fetching a compiled sqlite3 (which cannot be compiled here, missing: ${missing.join(', ')})`,
        fix: 'install a compiler and run this again; on Debian and Ubuntu: apt-get install -y build-essential python3',
      }),
    );
  }
  if (!existsSync(join(sqlite, 'build', 'Release', 'node_sqlite3.node'))) {
    throw new SetupError('sqlite3 was built, but its result is missing.', {
      fix: `delete ${folder} and run this again`,
      logPath: options.logPath,
    });
  }
}
