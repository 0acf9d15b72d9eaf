import { domainToASCII } from 'node:url';

import type * as Tldts from 'tldts';

const tldts = () => require('tldts') as typeof Tldts;

const MAX_COMPARED = 1000;

/** A host that equals its ASCII form and does not end in a number, as IP addresses do. */
const IS_PLAIN = /^(?!.*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** A bare host in the form in which it is sent. Most rows are one and skip the slower steps. */
export const IS_HOST = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
/** Allows the underscore, which no registry accepts but which occurs in host names. */
const LABEL = /^(?!-)(?=.*[a-z0-9])[a-z0-9_-]{1,63}(?<!-)$/;
const TOP_LEVEL_LABEL = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;
/**
 * Schemes as people write, repeat and mistype them, field names (`Web:`, `url=`) and stray punctuation.
 * `localhost:3000` has no prefix.
 */
const PREFIXES =
  /^(?:[\p{L}\p{N}][\p{L}\p{N}_+-]*[:=](?!\d+(?:[/?#\\]|$))[/\\]*|https?\.?[/\\]+|www\.(?=https?:|\.)|\/+|[.,:!*#?+~^$=]+)+/iu;

/** Not the domain's own name (`www.com`). */
export function withoutWww(host: string): string {
  return /^www\..+\../.test(host) ? host.slice('www.'.length) : host;
}

/** In this form, a sent domain equals its echo (API spec: Enrichment, rule 1). */
export function domainKey(domain: string): string {
  // Runs for each row, and most rows hold a plain host.
  if (IS_PLAIN.test(domain) && !domain.startsWith('www.')) return domain;
  const bare = withoutWww(domain.trim().toLowerCase().replace(/\.$/, ''));
  // No domain is that long, and computing the ASCII form of a long text takes very long.
  return bare.length > MAX_COMPARED ? bare : toAsciiHost(bare) || bare;
}

/** Empty for a host without an ASCII form. */
function toAsciiHost(host: string): string {
  return IS_PLAIN.test(host) ? host : domainToASCII(host);
}

/** The parts of a piece: in `https://jo@www.acme.com:80`, `www.acme.com` is the host. */
export interface UrlParts {
  readonly prefix: string;
  readonly authority: string;
  readonly host: string;
  /** Includes query and fragment. */
  readonly path: string;
}

export function splitUrl(piece: string): UrlParts {
  const [prefix = ''] = PREFIXES.exec(piece) ?? [];
  const rest = piece.slice(prefix.length);
  const [authority = ''] = rest.split(/[/?#\\]|&(?=\w+=)/, 1);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    // The lookbehind keeps long runs of punctuation from taking quadratic time.
    .replace(/^[.,:!*]+|(?<![.,:!*+~^$=&])[.,:!*+~^$=&]+$/g, '');
  const path = rest.slice(authority.length);
  return { prefix, authority, host: host.toLowerCase(), path };
}

export function isWeb({ prefix }: UrlParts): boolean {
  return /[/\\]|https?:/i.test(prefix) && !/mailto:/i.test(prefix);
}

/**
 * Also behind a scheme, which web forms put before what people type. A URL with a password or a path contains a
 * user name instead.
 */
export function isAddress(parts: UrlParts): boolean {
  const { authority, path } = parts;
  if (!isWeb(parts)) return authority.includes('@');
  return /^[^:@]+@/.test(authority) && /^[/\\]*(?:[?#]|$)/.test(path);
}

export function toWellFormedHost(host: string): string | undefined {
  const ascii = toAsciiHost(host);
  const labels = ascii.split('.');
  const wellFormed =
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LEVEL_LABEL.test(labels.at(-1) ?? '');
  return wellFormed ? ascii : undefined;
}

/** Reserved for documentation and tests (RFC 2606). */
const RESERVED = /\.(?:example|test)$/;

export interface HostSuffix {
  readonly exists: boolean;
  /** Whether the host is itself a suffix (`com.au`) under which others register their names. */
  readonly isBare: boolean;
  /** Whether a company, not a registry, assigns the names under it (`github.io`). */
  readonly isPrivate: boolean;
  /** Whether authorities register their names under it: `lg.jp`, `gov.au`, `gov`. */
  readonly isGovernment: boolean;
  readonly domain: string;
}

const GOVERNMENT = /^(?:gov|go|lg|gob|gouv|gv|mil|gub|govt)(?:\.|$)/;

/** @param host In lower case, without a dot at its end. */
export function readSuffix(host: string): HostSuffix {
  const { isIcann, isPrivate, domain, publicSuffix } = tldts().parse(host, {
    // Private suffixes count, so that shops on a shared host (name.myshopify.com) stay separate.
    allowPrivateDomains: true,
    detectIp: false,
    extractHostname: false,
    validateHostname: false,
  });
  return {
    exists: isIcann === true || isPrivate === true || RESERVED.test(host),
    isBare: domain === null,
    isPrivate: isPrivate === true,
    isGovernment: GOVERNMENT.test(publicSuffix ?? ''),
    domain: domain ?? host,
  };
}
