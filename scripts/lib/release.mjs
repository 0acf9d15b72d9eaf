import { repositoryAddress } from './package-page.mjs';

/**
 * The part of package.json that says who stands behind the package and where they are found.
 *
 * @typedef {object} Identity
 * @property {string | {name?: string, email?: string}} [author]
 * @property {string} [homepage]
 * @property {string | {url?: string, email?: string}} [bugs]
 */

/**
 * What stands between a state of the project and its release.
 *
 * @param {object} state
 * @param {import('./package-page.mjs').Manifest & Identity} state.manifest package.json
 * @param {string} state.changelog CHANGELOG.md
 * @param {string} state.security SECURITY.md
 * @param {string} state.readme README.md
 * @param {string[]} state.tags of the commit that is released
 * @param {string[]} state.changedFiles that are in no commit
 * @returns {string[]} a sentence each; empty when it may be released
 */
export function obstaclesToRelease({ manifest, changelog, security, readme, tags, changedFiles }) {
  const wanted = `v${manifest.version}`;
  const obstacles = [];
  if (repositoryAddress(manifest) === undefined) {
    obstacles.push(
      'package.json has no "repository": pictures and links of the README, and provenance, need it.',
    );
  }
  obstacles.push(...missingIdentity(manifest));
  if (security.includes('Nothing is published yet')) {
    obstacles.push('SECURITY.md does not say where to report a hole.');
  }
  if (readme.includes('Until the first release')) {
    obstacles.push('README.md says how to install the package before its first release.');
  }
  const newest = newestVersion(changelog);
  if (newest !== manifest.version) {
    obstacles.push(`CHANGELOG.md begins with ${newest}, package.json says ${manifest.version}.`);
  }
  if (!tags.includes(wanted)) {
    const instead = tags.length > 0 ? `, but ${tags.join(', ')}` : '';
    obstacles.push(`The commit does not have the tag ${wanted}${instead}.`);
  }
  if (changedFiles.length > 0) {
    obstacles.push(`Some files differ from the commit: ${changedFiles.join(', ')}.`);
  }
  return obstacles;
}

/**
 * The version that the changelog describes first.
 *
 * @param {string} changelog
 */
export function newestVersion(changelog) {
  return /^## (.+)$/m.exec(changelog)?.[1] ?? 'nothing';
}

/**
 * @param {Identity} manifest
 * @returns {string[]} what users need to find the people behind the package, and package.json lacks
 */
function missingIdentity({ author, homepage, bugs }) {
  const { name = '', email = '' } = typeof author === 'object' ? author : {};
  const missing = [];
  if (name === '' || / authors$/.test(name)) {
    missing.push('package.json has no "author" with the name of a person or company.');
  }
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    missing.push('package.json has no e-mail address of the "author": n8n asks for it.');
  }
  if (!homepage) missing.push('package.json has no "homepage".');
  if (!bugs) missing.push('package.json has no "bugs": where users report what does not work.');
  return missing;
}
