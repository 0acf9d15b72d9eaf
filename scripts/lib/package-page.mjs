/**
 * The package's pages on npm and in n8n show README.md, but relative links do not work there. So
 * the packed README.md has absolute links to the files of its own version in the repository. The
 * repository's address is only in package.json.
 */

/**
 * Matches Markdown links and pictures that point to files: without a scheme, and not to a heading
 * of the same page.
 */
const RELATIVE = /(!?)(\[(?:[^\]\\]|\\.)*\])\((?![a-z]+:|[#/])([^)\s]+)\)/g;

/**
 * @typedef {object} Manifest the part of package.json that says where the package comes from
 * @property {string} version
 * @property {string | {url?: string}} [repository]
 */

/**
 * Returns the repository's address on GitHub, or undefined if package.json names none.
 *
 * @param {Manifest} manifest
 * @throws {Error} if package.json names an address that cannot become a link
 */
export function repositoryAddress({ repository }) {
  const url = typeof repository === 'object' ? repository.url : repository;
  if (!url) return undefined;
  const [, address] =
    /^(?:git\+)?(https:\/\/github\.com\/[\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url) ?? [];
  if (address === undefined) {
    throw new Error(
      `package.json: repository is "${url}"; it must be git+https://github.com/<owner>/<name>.git`,
    );
  }
  return address;
}

/**
 * Makes relative links absolute. Without a repository, the text does not change.
 *
 * @param {string} markdown
 * @param {Manifest} manifest
 */
export function withAbsoluteLinks(markdown, manifest) {
  const address = repositoryAddress(manifest);
  if (address === undefined) return markdown;
  return markdown.replace(
    RELATIVE,
    (_, picture, text, path) =>
      `${picture}${text}(${address}/${picture ? 'raw' : 'blob'}/v${manifest.version}/${path})`,
  );
}

/**
 * Reverses {@link withAbsoluteLinks}, also after an interrupted run.
 *
 * @param {string} markdown
 * @param {Manifest} manifest
 */
export function withRelativeLinks(markdown, manifest) {
  const address = repositoryAddress(manifest);
  if (address === undefined) return markdown;
  return ['raw', 'blob'].reduce(
    (text, kind) => text.replaceAll(`](${address}/${kind}/v${manifest.version}/`, ']('),
    markdown,
  );
}

/**
 * Returns the documentation link that n8n shows for a node: its reference page. Without a
 * repository, returns an empty object.
 *
 * @param {string} folder folder of the node, below nodes/
 * @param {Manifest} manifest
 * @returns {{primaryDocumentation?: Array<{url: string}>}} for `resources` of the codex file
 */
export function documentationOf(folder, manifest) {
  const address = repositoryAddress(manifest);
  if (address === undefined) return {};
  return {
    primaryDocumentation: [{ url: `${address}/blob/v${manifest.version}/docs/nodes/${folder}.md` }],
  };
}
