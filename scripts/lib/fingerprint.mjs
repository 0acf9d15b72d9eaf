import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string[]} files whose names and contents it hashes
 */
export function fingerprint(folder, files) {
  const entries = files.map((name) => [name, readFileSync(join(folder, name), 'base64')]);
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}
