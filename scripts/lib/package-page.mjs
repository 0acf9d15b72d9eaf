/**
 * The package's page on npm and in n8n shows README.md, where relative links lead nowhere. So a
 * package is packed with absolute ones, to the files of its own version in the repository that
 * package.json names: the one place where the repository's address stands.
 */

/** Markdown links and pictures to files: no scheme, no heading of the same page. */
const RELATIVE = /(!?)(\[(?:[^\]\\]|\\.)*\])\((?![a-z]+:|[#/])([^)\s]+)\)/g;

/**
 * @typedef {object} Manifest the part of package.json that says where the package comes from
 * @property {string} version
 * @property {string | {url?: string}} [repository]
 */

/**
 * The repository's address on GitHub, or undefined when package.json names none.
 *
 * @param {Manifest} manifest
 * @throws {Error} when it names one that no link can be made of
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
 * Makes relative links absolute. Without a repository the text stays as it is.
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
 * Takes back what {@link withAbsoluteLinks} did, also when an earlier run was interrupted.
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
 * What n8n shows as documentation of a node: its reference page. Nothing without a repository.
 *
 * @param {string} folder of the node, below nodes/
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
