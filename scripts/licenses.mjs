#!/usr/bin/env node
/**
 * `npm run licenses`: writes THIRD_PARTY_LICENSES.md, the packages that are installed with this one and
 * their licences, as package-lock.json has them. A test fails when the file is not what this writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/paths.mjs';

const HEAD = `# Third-party licences

The package itself is under the MIT licence (LICENSE). These packages are installed with it; the text of
each licence is in its package. The font in \`dist/src/drawing/fonts\` has its licence beside it.

| Package | Version | Licence |
| ------- | ------- | ------- |
`;

/**
 * @param {Record<string, {version?: string, license?: string, dev?: boolean, peer?: boolean, devOptional?: boolean}>} packages
 * of package-lock.json, by their folders
 * @returns {string} the file's text
 */
export function listLicenses(packages) {
  const rows = Object.entries(packages)
    .filter(
      ([folder, { dev, peer, devOptional }]) => folder !== '' && !dev && !peer && !devOptional,
    )
    .map(([folder, { version, license }]) => {
      const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return `| ${name} | ${version} | ${license ?? 'see its package'} |\n`;
    });
  return HEAD + [...new Set(rows)].sort().join('');
}

if (process.argv[1] === import.meta.filename) {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  writeFileSync(join(projectRoot, 'THIRD_PARTY_LICENSES.md'), listLicenses(packages));
}
