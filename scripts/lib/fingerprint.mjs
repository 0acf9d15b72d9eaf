import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} folder
 * @param {string[]} files whose names and contents it hashes
 */
export function fingerprint(folder, files) {
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name), 'base64');
  return hash('sha256', JSON.stringify(files.map((name) => [name, read(name)])));
}
