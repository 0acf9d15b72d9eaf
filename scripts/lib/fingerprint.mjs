import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string[]} files whose names and contents it hashes
 */
export function fingerprint(folder, files) {
  const hash = createHash('sha256');
  for (const name of files)
    for (const part of [`${name}\0`, readFileSync(join(folder, name)), '\0']) hash.update(part);
  return hash.digest('hex');
}
