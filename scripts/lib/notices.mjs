import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/**
 * A package in the bundle.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {string} version
 * @property {string} license SPDX expression
 * @property {string} text complete text of its license
 * @property {string} source URL of its source code
 *
 * @typedef {Pick<Part, 'name' | 'version' | 'license'>} Component
 */

const MODULES = join(projectRoot, 'node_modules');

/** Folder of license texts, for packages that only name their license. */
const TEXTS = join(import.meta.dirname, '../licenses');

/** tldts contains it as a table. axios contains the code of proxy-from-env. */
const SUFFIX_LIST = {
  name: 'publicsuffix-list',
  license: 'MPL-2.0',
  text: `The Public Suffix List, as of this version of tldts.\n\n${readFileSync(join(TEXTS, 'MPL-2.0.txt'), 'utf8').trim()}`,
  source: 'https://github.com/publicsuffix/list',
};

/**
 * @param {string[]} paths paths of bundled files
 * @returns {Part[]} the packages of these files, and what these packages contain of others
 */
export function partsOf(paths) {
  const folders = paths.map((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const parts = [...new Set(folders)].filter((folder) => folder !== undefined).map(partIn);
  const names = parts.map(({ name }) => name);
  if (names.includes('axios')) parts.push(partIn(join(MODULES, 'proxy-from-env')));
  const suffixes = parts.find(({ name }) => name === 'tldts');
  if (suffixes !== undefined) parts.push({ ...SUFFIX_LIST, version: suffixes.version });
  return parts.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * @param {string} folder folder of an installed package
 * @returns {Part}
 */
function partIn(folder) {
  const { name, version, license, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    license,
    text: licenceText(folder, license),
    source: addressOf(repository),
  };
}

/**
 * Returns the complete text of a license, from the package's license files. Adds texts that these
 * only name. Without such files, uses the end of its README.
 *
 * @param {string} folder folder of an installed package
 * @param {string} license name of the license
 * @throws {Error} if no text is found
 */
function licenceText(folder, license) {
  const named = (/** @type {RegExp} */ name) =>
    readdirSync(folder)
      .filter((file) => name.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const texts = named(/^(licen[cs]e|notice|copying)/i);
  const isComplete = (/** @type {string} */ text) =>
    /1\. Definitions|Permission (?:is|to)/.test(text);
  if (texts.length === 0) {
    const [readme = ''] = named(/^readme/i);
    const [, end] = /^License\n-+\n+([^]*Permission is hereby granted[^]*)$/m.exec(readme) ?? [];
    if (end !== undefined) texts.push(end);
  }
  const known = join(TEXTS, `${license}.txt`);
  if (existsSync(known) && !texts.some(isComplete)) texts.push(readFileSync(known, 'utf8').trim());
  if (texts.length === 0) throw new Error(`No license text in ${folder}; see ${TEXTS}.`);
  return texts.join('\n\n');
}

/**
 * @param {string | {url: string}} repository field of a package.json
 * @returns {string} the repository's address in a browser
 */
function addressOf(repository) {
  const url = typeof repository === 'object' ? repository.url : repository;
  const [, path] = /(?:github\.com[:/]|^)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url) ?? [];
  return path === undefined ? url : `https://github.com/${path}`;
}

/**
 * Returns the list of a bundle's packages in the format for scanners (CycloneDX).
 *
 * @param {Component} manifest package.json
 * @param {Part[]} parts
 */
export function bomOf(manifest, parts) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf(manifest) },
    components: parts.map(({ text, source, ...part }) => ({
      ...componentOf(part, { text: { content: text } }),
      externalReferences: [{ type: 'vcs', url: source }],
    })),
  };
}

/** @param {Component} component @param {object} [text] text of its license */
function componentOf({ name, version, license }, text) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = [{ license: { id: license, ...text } }];
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses };
}

/**
 * @param {Part[]} parts
 * @returns {string} the text of THIRD_PARTY_LICENSES.md
 */
export function noticesOf(parts) {
  const chapters = parts.map(
    ({ name, version, license, text, source }) =>
      `\n## ${name} ${version}\n\n${source}\n\n${license}\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  );
  const head = `# Third-party licenses

The package itself is under the MIT license (LICENSE). It includes these packages, in \`dist/index.js\` and
next to it.
`;
  return head + chapters.join('');
}
