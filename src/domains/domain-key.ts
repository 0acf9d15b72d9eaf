import { domainToASCII } from 'node:url';

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
  const bare = withoutWww(domain.trim().toLowerCase().replace(/\.$/, ''));
  // No domain is so long, and the ASCII form of a long text takes very long to find.
  return bare.length > MAX_COMPARED ? bare : asciiOf(bare) || bare;
}

/** The ASCII form of a host in lower case; empty if it has none. */
export function asciiOf(host: string): string {
  // For each row of a run, of which most are plain.
  return IS_PLAIN.test(host) ? host : domainToASCII(host);
}
