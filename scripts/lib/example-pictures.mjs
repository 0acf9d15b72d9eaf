import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

const workflowsFolder = join(projectRoot, 'examples', 'workflows');

/** The file with the hash of each example at the time its picture was taken. */
export const picturedPath = join(projectRoot, 'docs', 'images', 'examples', 'pictured.json');

/**
 * Returns the example workflows, sorted by file name.
 *
 * @returns {{file: string, name: string, text: string}[]}
 */
export function exampleFiles() {
  return readdirSync(workflowsFolder)
    .sort()
    .map((file) => {
      const text = readFileSync(join(workflowsFolder, file), 'utf8');
      return { file, name: JSON.parse(text).name, text };
    });
}

/**
 * Returns a hash of each example, by its file.
 *
 * @returns {Record<string, string>}
 */
export function examplesNow() {
  return Object.fromEntries(
    exampleFiles().map(({ file, text }) => [
      file,
      createHash('sha256').update(text).digest('hex').slice(0, 16),
    ]),
  );
}
