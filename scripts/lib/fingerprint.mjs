import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Hashes the names and contents of files and folders (recursively). Scripts repeat work only if the
 * hash of its inputs has changed. The hash does not depend on the location of the root. A missing
 * entry is not an error.
 *
 * @param {string} root
 * @param {string[]} names files and folders below the root
 * @returns {string} 64 hexadecimal digits
 */
export function fingerprint(root, names) {
  const hash = createHash('sha256');
  for (const name of names) add(name);
  return hash.digest('hex');

  /** @param {string} name */
  function add(name) {
    const path = join(root, name);
    if (!existsSync(path)) {
      hash.update(`${name}\0absent\0`);
    } else if (lstatSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) add(`${name}/${entry}`);
    } else {
      hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
    }
  }
}

/**
 * Returns the text of a stamp file, or undefined if the work that it stands for was never finished.
 *
 * @param {string} path
 */
export function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
