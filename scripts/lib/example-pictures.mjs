import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

const workflowsFolder = join(projectRoot, 'examples', 'workflows');

/** Of which version of each example there is a picture. */
export const picturedPath = join(projectRoot, 'docs', 'images', 'examples', 'pictured.json');

/**
 * The example workflows, in the order of their files.
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
 * What tells a version of each example from others, by its file.
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
