#!/usr/bin/env node
/**
 * `npm run licenses`: writes THIRD_PARTY_LICENSES.md, the packed packages and their licenses. It
 * reads sbom.cdx.json, which packing creates. A test fails if the file is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/paths.mjs';

/**
 * The part of sbom.cdx.json that this script reads.
 *
 * @typedef {object} Bom
 * @property {Array<{
 *   name: string,
 *   version: string,
 *   licenses: Array<{ license: { id: string, text: { content: string } } }>,
 *   externalReferences: Array<{ url: string }>,
 * }>} components
 */

const HEAD = `# Third-party licenses

The package itself is under the MIT license (LICENSE). It includes these packages, in \`dist/index.js\` and
next to it.
`;

/**
 * @param {Bom} bom
 * @returns {string} the file's text
 */
export function licenseTexts({ components }) {
  const chapters = components.flatMap(({ name, version, licenses, externalReferences }) => [
    `\n## ${name} ${version}\n`,
    ...externalReferences.map(({ url }) => `\n${url}\n`),
    ...licenses.map(
      ({ license }) => `\n${license.id}\n\n\`\`\`text\n${license.text.content}\n\`\`\`\n`,
    ),
  ]);
  return HEAD + chapters.join('');
}

if (process.argv[1] === import.meta.filename) {
  const bom = JSON.parse(readFileSync(join(projectRoot, 'sbom.cdx.json'), 'utf8'));
  writeFileSync(join(projectRoot, 'THIRD_PARTY_LICENSES.md'), licenseTexts(bom));
}
