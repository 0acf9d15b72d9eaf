import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while holding a lock file, so that two scripts never write the same folder at the
 * same time.
 *
 * @template T
 * @param {string} path the lock file
 * @param {(owner: number) => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  let owner = takeLock(path);
  if (owner !== undefined) onWait(owner);
  while (owner !== undefined) {
    await sleep(500);
    owner = takeLock(path);
  }
  try {
    return await work();
  } finally {
    releaseLock(path);
  }
}

/**
 * Takes a lock without waiting. Takes over a lock if its owner no longer exists (was killed).
 *
 * @param {string} path the lock file; its content is the owner's process id
 * @returns {number | undefined} undefined if this process got the lock, otherwise the id of the
 *   process that holds it
 */
export function takeLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  while (!tryTake(path)) {
    const owner = ownerOf(path);
    if (owner !== undefined && isAlive(owner)) return owner;
    rmSync(path, { force: true });
  }
  return undefined;
}

/**
 * Releases a lock if this process holds it.
 *
 * @param {string} path
 */
export function releaseLock(path) {
  if (ownerOf(path) === process.pid) rmSync(path, { force: true });
}

/**
 * Creates the lock with its content in one step (a link), so that no process reads an incomplete
 * file.
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

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
