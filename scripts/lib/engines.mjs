import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from './command.mjs';
import { fingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { enginesDir, enginesManifestDir, logsDir } from './paths.mjs';
import { step } from './progress.mjs';

/**
 * The engine (n8n-core) of an older n8n, installed next to the others.
 *
 * @typedef {object} Engine
 * @property {string} version of n8n-core
 * @property {Record<string, string[]>} modules for each package of n8n that tests import, its
 *   possible paths, the likelier first
 */

const MANIFEST_FILES = ['package.json', 'package-lock.json'];

/** @type {{dependencies: Record<string, string>}} */
const { dependencies } = JSON.parse(readFileSync(join(enginesManifestDir, 'package.json'), 'utf8'));

/**
 * Folder in which npm installs the engines. The lockfile's hash is part of the name, so that clones
 * can share `N8N_ENGINES_DIR`.
 */
const folder = join(
  enginesDir,
  `engines-${fingerprint(enginesManifestDir, MANIFEST_FILES).slice(0, 8)}`,
);

/** Packages that every engine installs in its own version. */
const OWN_PACKAGES = ['n8n-workflow', '@n8n/backend-common', '@n8n/di'];

/** All engines in host/engines, oldest first, whether or not they are installed. */
export const engines = Object.keys(dependencies).map((name) => {
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

/**
 * Makes sure that the engines are completely installed. The first call takes a minute or two, later
 * calls take milliseconds. Concurrent callers wait for each other.
 *
 * @throws {import('./setup-error.mjs').SetupError} with the path of the log and a fix
 */
export async function ensureEngines() {
  if (existsSync(folder)) return;
  await withLock(join(enginesDir, '.lock'), async () => {
    if (existsSync(folder)) return;
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    for (const name of MANIFEST_FILES) {
      cpSync(join(enginesManifestDir, name), join(partial, name));
    }
    await step("Installing older n8n versions' engines (once, a minute or two and 1 GB)", () =>
      npmInstall(['ci', '--legacy-peer-deps', '--omit=optional'], {
        cwd: partial,
        logPath: join(logsDir, 'install-engines.log'),
        what: "Installing older n8n versions' engines",
      }),
    );
    renameSync(partial, folder);
  });
}
