import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runLogged } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { enginesDir, enginesManifestDir, logsDir } from './paths.mjs';
import { step } from './progress.mjs';

/**
 * The engine (n8n-core) of an older n8n, installed next to the others.
 *
 * @typedef {object} Engine
 * @property {string} version of n8n-core
 * @property {Record<string, string[]>} modules for each package of n8n that tests import, the places
 *   where it may be, the likelier first
 */

const MANIFEST_FILES = ['package.json', 'package-lock.json'];

/** Where npm puts them; the lockfile is part of the name, so that clones can share one folder. */
const folder = join(
  enginesDir,
  `engines-${fingerprint(enginesManifestDir, MANIFEST_FILES).slice(0, 8)}`,
);

/** What an engine brings with it, of which every engine has its own version. */
const OWN_PACKAGES = ['n8n-workflow', '@n8n/backend-common', '@n8n/di'];

/** The engines that host/engines names, oldest first, whether or not they are installed. */
export const engines = readManifest().map((name) => {
  const top = join(folder, 'node_modules');
  const own = OWN_PACKAGES.map((one) => [
    one,
    [join(top, name, 'node_modules', one), join(top, one)],
  ]);
  return /** @type {Engine} */ ({
    version: name.replace('engine-', ''),
    modules: { 'n8n-core': [join(top, name)], ...Object.fromEntries(own) },
  });
});

/** @returns {string[]} */
function readManifest() {
  const manifest = readFileSync(join(enginesManifestDir, 'package.json'), 'utf8');
  return Object.keys(JSON.parse(manifest).dependencies);
}

/**
 * Makes sure that the engines are installed, whole. Takes a minute or two the first time and
 * milliseconds afterwards; concurrent callers wait for each other.
 *
 * @throws {import('./setup-error.mjs').SetupError} saying where the log is and what to do
 */
export async function ensureEngines() {
  if (existsSync(folder)) return;
  await withLock(
    join(enginesDir, '.lock'),
    (owner) => process.stderr.write(`  … Waiting for process ${owner}, which is installing them\n`),
    async () => {
      if (existsSync(folder)) return;
      const partial = `${folder}.partial`;
      rmSync(partial, { recursive: true, force: true });
      mkdirSync(partial, { recursive: true });
      for (const name of MANIFEST_FILES) {
        copyFileSync(join(enginesManifestDir, name), join(partial, name));
      }
      await step("Installing older n8n versions' engines (once, a minute or two and 1 GB)", () =>
        runLogged(
          'npm',
          ['ci', '--ignore-scripts', '--legacy-peer-deps', '--omit=optional', '--no-audit'],
          {
            cwd: partial,
            logPath: join(logsDir, 'install-engines.log'),
            what: "Installing older n8n versions' engines",
            fix: 'check the network and the npm registry (npm ping), then run this again',
          },
        ),
      );
      renameSync(partial, folder);
    },
  );
}
