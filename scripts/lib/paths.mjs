import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's top folder, symbolic links resolved (n8n compares real paths). */
export const projectRoot = realpathSync(join(dirname(fileURLToPath(import.meta.url)), '..', '..'));

/** Folder for everything that the scripts download, build or write. Delete it to start over. */
export const cacheDir = join(projectRoot, '.cache');

/** Manifests and lockfiles of the n8n versions for the demo and the tests. */
const manifestsDir = join(projectRoot, 'host');

/**
 * Folder with the manifest and lockfile of the n8n for the demo and the tests.
 * `N8N_HOST_VERSION=1.123` selects an older n8n.
 */
export const hostManifestDir = join(manifestsDir, process.env.N8N_HOST_VERSION ?? '');

/**
 * Where n8n and its Node are installed. `N8N_HOST_DIR` lets several clones share one copy (2.4 GB).
 */
export const hostDir = process.env.N8N_HOST_DIR || join(cacheDir, 'host');

/** The folder of the last n8n 1, on which one of the tests runs. */
export const lastN8n1ManifestDir = join(manifestsDir, '1.123');

/** The folder with the manifest and lockfile of the engines of older n8n versions. */
export const enginesManifestDir = join(manifestsDir, 'engines');

/**
 * Where these engines are installed. `N8N_ENGINES_DIR` lets several clones share one copy (1 GB).
 */
export const enginesDir = process.env.N8N_ENGINES_DIR || join(cacheDir, 'engines');

/** Folder of the demo's n8n and its files. Tests use a different folder. */
export const demoDir = process.env.DEMO_DIR || join(cacheDir, 'demo');

/** Logs of everything the scripts run. */
export const logsDir = join(cacheDir, 'logs');

/**
 * Returns the path of a command on the PATH, or undefined if there is none with that name.
 *
 * @param {string} command
 * @returns {string | undefined}
 */
export function onPath(command) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}
