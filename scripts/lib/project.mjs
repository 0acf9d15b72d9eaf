import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLogged } from './command.mjs';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { cacheDir, logsDir, projectRoot } from './paths.mjs';
import { step } from './progress.mjs';

/** Inputs of the build. A change in any of them causes a new build. */
const BUILD_INPUTS = [
  'nodes',
  'credentials',
  'src',
  'gulpfile.js',
  'scripts/lib/bundle.mjs',
  'scripts/lib/package-page.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
];

/** Outputs of the build. */
const BUILT = ['dist', 'sbom.cdx.json'];

/** Contents of the package. A change in any of them causes a new tarball. */
const PACKAGE_CONTENT = [
  'dist',
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'THIRD_PARTY_LICENSES.md',
];

const registryFix = 'check the network and the npm registry (npm ping), then run this again';

/**
 * Installs the project's dependencies if they are missing or differ from the lockfile.
 *
 * @throws {import('./setup-error.mjs').SetupError}
 */
export async function ensureDependencies() {
  if (dependenciesMatchLockfile()) return;
  await withLock(join(cacheDir, 'dependencies.lock'), announceWait, async () => {
    if (dependenciesMatchLockfile()) return;
    await step('Installing the dependencies of the project', () =>
      // Skip install scripts: supply-chain attacks use them, and one of n8n-workflow's needs Node
      // 24.
      runLogged('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
        cwd: projectRoot,
        logPath: join(logsDir, 'npm-ci.log'),
        what: 'Installing the dependencies (npm ci)',
        fix: registryFix,
      }),
    );
  });
}

/**
 * Builds and packs the package as for publishing. Skips both if nothing has changed.
 *
 * @returns {Promise<string>} path of the tarball
 * @throws {import('./setup-error.mjs').SetupError}
 */
export async function buildAndPack() {
  return await withLock(join(cacheDir, 'build.lock'), announceWait, async () => {
    await build();
    return await pack();
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

async function build() {
  const stampPath = join(cacheDir, 'build.stamp');
  const state = () => fingerprint(projectRoot, [...BUILD_INPUTS, ...BUILT]);
  if (readStamp(stampPath) === state()) return;
  rmSync(stampPath, { force: true });
  await step('Building the nodes', () =>
    runLogged('npx', ['gulp', 'pack'], {
      cwd: projectRoot,
      logPath: join(logsDir, 'build.log'),
      what: 'Building the nodes (npx gulp pack)',
      fix: 'fix the error in the log, then run this again',
    }),
  );
  writeFileSync(stampPath, state());
}

async function pack() {
  const folder = join(cacheDir, 'package');
  const content = fingerprint(projectRoot, PACKAGE_CONTENT).slice(0, 12);
  const target = join(folder, content);
  const tarball = () => readdirSync(target).find((name) => name.endsWith('.tgz'));
  if (!existsSync(target) || !tarball()) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    await step('Packing the nodes', () =>
      runLogged('npm', ['pack', '--ignore-scripts', '--pack-destination', target], {
        cwd: projectRoot,
        logPath: join(logsDir, 'pack.log'),
        what: 'Packing the nodes (npm pack)',
        fix: 'fix the error in the log, then run this again',
      }),
    );
  }
  return join(target, /** @type {string} */ (tarball()));
}

/** @param {number} owner */
function announceWait(owner) {
  process.stderr.write(
    `  … Waiting for process ${owner}, which is doing the same in this folder\n`,
  );
}
