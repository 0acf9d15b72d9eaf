import { parse } from 'tldts';

/** Reserved for documentation and tests (RFC 2606): nobody has them, and examples use them. */
const RESERVED = /\.(?:example|test)$/;

/** What the public suffix list knows of a host. */
export interface Suffix {
  /** Whether there is such a top-level domain. */
  readonly exists: boolean;
  /** Whether the host is a suffix itself (`com.au`), below which others register their names. */
  readonly isBare: boolean;
  /** Whether a company gives the names below it away (`github.io`), and no registry. */
  readonly isPrivate: boolean;
  /** The host without its subdomains. */
  readonly domain: string;
}

/**
 * @param host in lower case, without a dot at its end.
 */
export function suffixOf(host: string): Suffix {
  const { isIcann, isPrivate, domain } = parse(host, {
    // Private suffixes count, so that shops on a shared host (name.myshopify.com) stay apart.
    allowPrivateDomains: true,
    detectIp: false,
    extractHostname: false,
    validateHostname: false,
  });
  return {
    exists: isIcann === true || isPrivate === true || RESERVED.test(host),
    isBare: domain === null,
    isPrivate: isPrivate === true,
    domain: domain ?? host,
  };
}
