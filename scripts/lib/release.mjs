import { repositoryAddress } from './package-page.mjs';

/**
 * The fields of package.json that name the author and where to reach them.
 *
 * @typedef {object} Identity
 * @property {string | {name?: string, email?: string}} [author]
 * @property {string} [homepage]
 * @property {string | {url?: string, email?: string}} [bugs]
 */

/**
 * Returns everything that must be fixed before this state of the project can be released.
 *
 * @param {object} state
 * @param {import('./package-page.mjs').Manifest & Identity} state.manifest package.json
 * @param {string} state.changelog CHANGELOG.md
 * @param {string} state.security SECURITY.md
 * @param {string} state.readme README.md
 * @param {string} state.codeOwners .github/CODEOWNERS
 * @param {string[]} state.tags tags of the commit to release
 * @param {string[]} state.changedFiles files with uncommitted changes
 * @returns {string[]} one sentence per obstacle; empty if there is none
 */
export function obstaclesToRelease({
  manifest,
  changelog,
  security,
  readme,
  codeOwners,
  tags,
  changedFiles,
}) {
  const wanted = `v${manifest.version}`;
  const obstacles = [];
  if (repositoryAddress(manifest) === undefined) {
    obstacles.push(
      'package.json has no "repository". The README\'s pictures and links and the provenance need it.',
    );
  }
  obstacles.push(...missingIdentity(manifest));
  if (security.includes('Nothing is published yet')) {
    obstacles.push('SECURITY.md does not say where to report a vulnerability.');
  }
  if (/Once the package is published|Until the first release/.test(readme)) {
    obstacles.push(
      'README.md still has the installation steps for the time before the first release.',
    );
  }
  if (!/^\*\s+@\S/m.test(codeOwners)) {
    obstacles.push('.github/CODEOWNERS does not name the owner of all files (* @account).');
  }
  const newest = newestVersion(changelog);
  if (newest !== manifest.version) {
    obstacles.push(`CHANGELOG.md starts with ${newest}, but package.json has ${manifest.version}.`);
  }
  if (!tags.includes(wanted)) {
    const instead = tags.length > 0 ? `; it has ${tags.join(', ')}` : '';
    obstacles.push(`The commit does not have the tag ${wanted}${instead}.`);
  }
  if (changedFiles.length > 0) {
    obstacles.push(`Files have uncommitted changes: ${changedFiles.join(', ')}.`);
  }
  return obstacles;
}

/**
 * Returns the first version in the changelog, which is the newest.
 *
 * @param {string} changelog
 */
export function newestVersion(changelog) {
  return /^## (.+)$/m.exec(changelog)?.[1] ?? 'nothing';
}

/**
 * @param {Identity} manifest
 * @returns {string[]} one sentence per missing field about the author
 */
function missingIdentity({ author, homepage, bugs }) {
  const { name = '', email = '' } = typeof author === 'object' ? author : {};
  const missing = [];
  if (name === '' || / authors$/.test(name)) {
    missing.push('package.json has no "author" with the name of a person or company.');
  }
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    missing.push('package.json has no email address for the "author". n8n requires one.');
  }
  if (!homepage) missing.push('package.json has no "homepage".');
  if (!bugs) missing.push('package.json has no "bugs", the address for bug reports.');
  return missing;
}
