import { mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process does.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 */
export async function withLock(path, work) {
  let owner = takeLock(path);
  if (owner) process.stderr.write(`  … Waiting for process ${owner}, which does this (${path})\n`);
  for (; owner; owner = takeLock(path)) await sleep(500);
  return await work().finally(() => rmSync(path));
}

/**
 * Takes a lock, also one of a process that has ended. It is a symbolic link, because that is created
 * together with its content, the owner's process id.
 * @param {string} path
 * @returns {number | undefined} the process that holds it instead
 */
export function takeLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  try {
    symlinkSync(String(process.pid), path);
    return undefined;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  try {
    const pid = Number(readlinkSync(path));
    process.kill(pid, 0);
    return pid;
  } catch {
    rmSync(path, { force: true });
    return takeLock(path);
  }
}
