import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while holding a lock file, so that two scripts never install into one folder at once.
 * A lock whose owner is gone (killed) is taken over.
 *
 * @template T
 * @param {string} path the lock file; its content is the owner's process id
 * @param {(owner: number) => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  mkdirSync(dirname(path), { recursive: true });
  let told = false;
  while (!tryTake(path)) {
    const owner = ownerOf(path);
    if (owner === undefined || !isAlive(owner)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) onWait(owner);
    told = true;
    await sleep(500);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Creates the lock with its content in one step (a link), so that nobody ever reads it half written.
 *
 * @param {string} path
 */
function tryTake(path) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** @param {string} path */
function ownerOf(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a process with this id runs now.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
