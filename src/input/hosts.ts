import { domainToASCII } from 'node:url';

import type * as Tldts from 'tldts';

import { lazily } from '../lazily';

const tldts = lazily(() => require('tldts') as typeof Tldts);

/** Longer texts have no ASCII form as a domain. */
const MAX_COMPARED = 1000;

/** Its own ASCII form, and no number that would be read as an address. */
const IS_PLAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** Takes a leading `www.` off, unless that is the name itself (`www.com`). */
export function withoutWww(host: string): string {
  return /^www\..+\../.test(host) ? host.slice('www.'.length) : host;
}

/**
 * The form in which a domain that was sent and its echo in an answer are the same (interface:
 * Enrichment, rule 1).
 */
export function domainKey(domain: string): string {
  // For each row of a run, of which most are plain.
  if (IS_PLAIN.test(domain) && !domain.startsWith('www.')) return domain;
  const bare = withoutWww(domain.trim().toLowerCase().replace(/\.$/, ''));
  // No domain is so long, and the ASCII form of a long text takes very long to find.
  return bare.length > MAX_COMPARED ? bare : asciiOf(bare) || bare;
}

/** The ASCII form of a host in lower case; empty if it has none. */
export function asciiOf(host: string): string {
  return IS_PLAIN.test(host) ? host : domainToASCII(host);
}

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
  const { isIcann, isPrivate, domain } = tldts().parse(host, {
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
