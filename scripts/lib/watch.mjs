import { once } from 'node:events';

/** An editor saves several files at once. */
const QUIET_MS = 200;

/**
 * Calls `build` after each save below these folders; not twice at the same time.
 *
 * @param {string} cwd
 * @param {string[]} folders
 * @param {() => Promise<void>} build
 * @returns {Promise<{close: () => Promise<void>}>}
 */
export async function onSave(cwd, folders, build) {
  // Import it late: it is missing until the project's dependencies are installed.
  // @ts-expect-error -- gulp ships no types
  const { default: gulp } = await import('gulp');
  const globs = folders.map((folder) => `${folder}/**`);
  const watcher = gulp.watch(globs, { cwd, delay: QUIET_MS }, build);
  await once(watcher, 'ready');
  return watcher;
}
