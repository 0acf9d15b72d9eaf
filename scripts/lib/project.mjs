import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall, runLogged } from './command.mjs';
import { withLock } from './lock.mjs';
import { cacheDir, logsDir, projectRoot } from './paths.mjs';
import { step } from './progress.mjs';

/** Inputs of the package. A change in any of them causes a new build. */
const INPUTS = [
  ...['nodes', 'credentials', 'src', 'scripts', 'gulpfile.js', 'tsconfig.json', 'package.json'],
  ...['tsconfig.build.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE'],
];

/** Folder of the packed package. */
const packageDir = join(cacheDir, 'package');

/**
 * Installs the project's dependencies if they are missing or differ from the lockfile.
 *
 * @throws {import('./setup-error.mjs').SetupError}
 */
export async function ensureDependencies() {
  if (dependenciesMatchLockfile()) return;
  await withLock(join(cacheDir, 'dependencies.lock'), async () => {
    if (dependenciesMatchLockfile()) return;
    await step('Installing the dependencies of the project', () =>
      // One of n8n-workflow's install scripts, which are skipped, needs Node 24.
      npmInstall(['ci'], {
        cwd: projectRoot,
        logPath: join(logsDir, 'npm-ci.log'),
        what: 'Installing the dependencies (npm ci)',
      }),
    );
  });
}

/** Compares the lockfile with the copy that npm keeps next to the installed modules. */
function dependenciesMatchLockfile() {
  const installedPath = join(projectRoot, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  const installed = readPackages(installedPath);
  return Object.entries(readPackages(join(projectRoot, 'package-lock.json'))).every(
    ([path, wanted]) =>
      path === '' || wanted.optional === true || installed[path]?.version === wanted.version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, {version?: string, optional?: boolean}>}
 */
function readPackages(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/**
 * Builds and packs the package as for publishing, unless the last one is newer than its inputs.
 *
 * @returns {Promise<string>} path of the tarball
 * @throws {import('./setup-error.mjs').SetupError}
 */
export async function buildAndPack() {
  return await withLock(join(cacheDir, 'build.lock'), async () => {
    const packed = tarball();
    if (packed !== undefined && INPUTS.every((name) => newestIn(name) < changedAt(packed)))
      return packed;
    rmSync(packageDir, { recursive: true, force: true });
    mkdirSync(packageDir, { recursive: true });
    await step('Building and packing the nodes', async () => {
      await build('gulp', 'npx', ['gulp', 'pack']);
      const target = ['--pack-destination', packageDir];
      await build('npm', 'npm', ['pack', '--ignore-scripts', ...target]);
    });
    return /** @type {string} */ (tarball());
  });
}

/**
 * @param {string} name of the log
 * @param {string} command
 * @param {string[]} args
 */
async function build(name, command, args) {
  await runLogged(command, args, {
    cwd: projectRoot,
    logPath: join(logsDir, `pack-${name}.log`),
    what: `Building the nodes (${command} ${args.slice(0, 2).join(' ')})`,
    fix: 'fix the error in the log, then run this again',
  });
}

function tarball() {
  const names = existsSync(packageDir) ? readdirSync(packageDir) : [];
  return names.map((name) => join(packageDir, name)).find((path) => path.endsWith('.tgz'));
}

/**
 * Returns when the newest file or folder was changed. Folders show what was removed.
 *
 * @param {string} name below the project
 */
function newestIn(name) {
  const path = join(projectRoot, name);
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return Math.max(changedAt(path), ...inside.map((one) => changedAt(join(path, String(one)))));
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path).mtimeMs;
}
