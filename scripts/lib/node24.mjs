import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmInstall } from './command.mjs';
import { hostDir, logsDir } from './paths.mjs';
import { step } from './progress.mjs';

/**
 * The Node version that n8n 2.x needs. Its native modules are built for even releases, of which
 * this is the first.
 */
const NEEDED_MAJOR = 24;

/** The Node version to download if the machine's own does not fit. */
const NODE_VERSION = '24.21.0';

/**
 * @typedef {object} NodeRuntime
 * @property {string} binary path of the `node` executable
 * @property {string} headers folder that holds `include/node`, for compiling native modules
 */

/**
 * Returns a Node 24 with its headers. Uses the Node that runs this script if possible. Otherwise
 * downloads one from the npm registry (the dependencies of npm's `node` package, one per platform).
 *
 * @returns {Promise<NodeRuntime>}
 * @throws {SetupError} if the registry cannot be reached or has no package for this platform
 */
export async function ensureNode24() {
  const own = dirname(dirname(process.execPath));
  if (Number(process.versions.node.split('.')[0]) === NEEDED_MAJOR && hasHeaders(own)) {
    return { binary: process.execPath, headers: own };
  }

  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(hostDir, `node-${NODE_VERSION}`);
  await installTool(packageName, NODE_VERSION, folder);
  const home = join(folder, 'node_modules', packageName);
  return { binary: join(home, 'bin', 'node'), headers: home };
}

/**
 * Installs an exact version of an npm package into a separate folder, either completely or not at
 * all.
 *
 * @param {string} name
 * @param {string} version
 * @param {string} folder
 * @throws {SetupError}
 */
export async function installTool(name, version, folder) {
  if (existsSync(folder)) return;
  const partial = `${folder}.partial`;
  const wanted = `${name}@${version}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  await step(`Fetching ${wanted} (once)`, () =>
    npmInstall(['install', '--prefix', partial, wanted], {
      // In another folder, npm would read the settings of the project there.
      cwd: partial,
      logPath: join(logsDir, `install-${name}.log`),
      what: `Fetching ${wanted} from the npm registry`,
    }),
  );
  renameSync(partial, folder);
}

/** @param {string} home */
function hasHeaders(home) {
  return existsSync(join(home, 'include', 'node', 'node_api.h'));
}
