import { toAsciiHost } from './hosts';

/** A bare host in the form in which it is sent. Most rows are one and skip the slower steps. */
export const IS_HOST = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
/** Allows the underscore, which no registry accepts but which occurs in host names. */
const LABEL = /^(?!-)(?=.*[a-z0-9])[a-z0-9_-]{1,63}(?<!-)$/;
const TOP_LEVEL_LABEL = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;
/**
 * Text before a host: schemes as people write, repeat and mistype them, field names (`Web:`, `url=`)
 * and stray punctuation. `localhost:3000` has no prefix.
 */
const PREFIXES =
  /^(?:[\p{L}\p{N}][\p{L}\p{N}_+-]*[:=](?!\d+(?:[/?#\\]|$))[/\\]*|https?\.?[/\\]+|www\.(?=https?:|\.)|\/+|[.,:!*#?+~^$=]+)+/iu;

/** The parts of a piece: in `https://jo@www.acme.com:80`, `www.acme.com` is the host. */
export interface UrlParts {
  readonly prefix: string;
  readonly authority: string;
  readonly host: string;
  /** The rest after the host: path, query and fragment. */
  readonly path: string;
}

/** Returns the parts of a bare host. */
export function toBareParts(host: string): UrlParts {
  return { prefix: '', authority: host, host, path: '' };
}

/** Splits a piece into its parts and removes the port and stray punctuation from the host. */
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

/** Returns whether the parts are a website's address. */
export function isWeb({ prefix }: UrlParts): boolean {
  return /[/\\]|https?:/i.test(prefix) && !/mailto:/i.test(prefix);
}

/** Returns whether the parts are an email address. A web URL can contain a user name and an @ too. */
export function isAddress(parts: UrlParts): boolean {
  return parts.authority.includes('@') && !isWeb(parts);
}

/** Returns the ASCII form of a host; undefined if it contains what no domain can have. */
export function toWellFormedHost(host: string): string | undefined {
  const ascii = toAsciiHost(host);
  const labels = ascii.split('.');
  const wellFormed =
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LEVEL_LABEL.test(labels.at(-1) ?? '');
  return wellFormed ? ascii : undefined;
}
