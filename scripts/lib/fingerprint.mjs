import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string[]} files whose names and contents it hashes
 */
export function fingerprint(folder, files) {
  const hash = createHash('sha256');
  for (const name of files) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0');
  }
  return hash.digest('hex');
}
