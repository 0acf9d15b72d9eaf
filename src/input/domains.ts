import { isIP } from 'node:net';

import { asciiOf, isFreeMailHost, isOnlyMail, suffixOf, withoutWww, type Suffix } from './hosts';
import { LIMITS } from './limits';
import { MAX_SEARCHED, piecesOf } from './pieces';

/** Why a text holds no domain that the service could know. */
const MESSAGES = {
  empty: 'The field is empty',
  not_text: 'The field holds no text',
  no_dot: 'There is no domain in it (a domain has a dot, like example.com)',
  too_long: `The domain is longer than ${String(LIMITS.domainLength)} characters`,
  ip_address: 'It is an IP address, not a domain',
  localhost: 'It is the name of a local machine, not a domain',
  malformed: 'It contains characters or parts that no domain has',
  unknown_tld: 'Its ending is not a known top-level domain',
  public_suffix: 'It is an ending under which many have their domains (like co.uk), not a domain',
  free_mail: 'It belongs to a free mail provider, not to a company',
} as const;

export type InvalidReason = keyof typeof MESSAGES;

/** What was found in a text. */
export type NormalizedDomain =
  | {
      readonly valid: true;
      /** Lower case, ASCII, without `www.`; fit for every endpoint of the interface. */
      readonly domain: string;
      /** The host as the text had it, when it was a subdomain that has been removed. */
      readonly host: string;
      /** Whether it belongs to a mail provider that anybody can have an address with. */
      readonly freeMail: boolean;
    }
  | { readonly valid: false; readonly reason: InvalidReason; readonly message: string };

export interface NormalizeOptions {
  /** `strip` turns `app.example.com` into `example.com`; `keep` leaves it. */
  readonly subdomains: 'strip' | 'keep';
  /**
   * Whether hosts of free mail providers (gmail.com, …) are invalid. Undefined: those of e-mail
   * addresses are, because a person's address is no sign of a company, and so are bare hosts that are
   * known for mail alone; those given as a website are not, because providers are companies too.
   */
  readonly rejectFreeMail: boolean | undefined;
}

const LOCAL_NAMES = /^(?:localhost|.*\.localhost|.*\.localdomain|.*\.local|broadcasthost)$/;
/** With the underscore, which no registry gives away but hosts have. */
const LABEL = /^(?!-)(?=.*[a-z0-9])[a-z0-9_-]{1,63}(?<!-)$/;
const TOP_LEVEL_LABEL = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;
/**
 * What is before a host: schemes as people write, repeat and mistype them, the names of fields
 * (`Web:`, `url=`), and stray punctuation; `localhost:3000` has none of these.
 */
const PREFIXES =
  /^(?:[\p{L}\p{N}][\p{L}\p{N}_+-]*[:=](?!\d+(?:[/?#\\]|$))[/\\]*|https?[/\\]+|\/+|[.,:!*#?+~^$=]+)+/iu;

/**
 * Finds the company domain in whatever a lead list holds: a domain, a URL, an e-mail address, or
 * either of them inside other text. Where there are several, the first one of a company wins.
 *
 * The result is a fixed point of the service's own normalization (interface: Enrichment, rule 1), so
 * that answers can be matched to rows by domain.
 */
export function normalizeDomain(value: unknown, options: NormalizeOptions): NormalizedDomain {
  if (value === undefined || value === null) return invalid('empty');
  if (typeof value !== 'string' && typeof value !== 'number') return invalid('not_text');
  const text = String(value).trim();
  if (text === '') return invalid('empty');
  const pieces = piecesOf(text);
  const found = pieces.map((piece) => readPiece(piece, options, pieces.length === 1));
  const domains = found.filter((result) => result.valid);
  return (
    // "jo@gmail.com, acme.com" means acme.com.
    domains.find((result) => !result.freeMail) ??
    domains[0] ??
    found.find((result) => !result.valid && result.reason !== 'no_dot') ??
    (text.length > MAX_SEARCHED ? NOT_IN_THE_BEGINNING : invalid('no_dot'))
  );
}

const NOT_IN_THE_BEGINNING: NormalizedDomain = {
  valid: false,
  reason: 'too_long',
  message: `There is no domain in its first ${MAX_SEARCHED.toLocaleString('en-US')} characters, and no more are searched`,
};

/** @param isAlone whether nothing else is in the text. */
function readPiece(piece: string, options: NormalizeOptions, isAlone: boolean): NormalizedDomain {
  const parts = partsOf(piece);
  const { host } = parts;
  if (isIP(piece) !== 0 || isIP(host) !== 0) return invalid('ip_address');
  if (LOCAL_NAMES.test(host)) return invalid('localhost');
  if (!host.includes('.')) return invalid('no_dot');
  if (host.length > LIMITS.domainLength) return invalid('too_long');
  const ascii = toAscii(host);
  if (ascii === undefined) return invalid('malformed');
  if (ascii.length > LIMITS.domainLength) return invalid('too_long');
  const suffix = reduce(ascii, options);
  if (!suffix.exists) return invalid('unknown_tld');
  // A shared host (github.io) is a company's too, unless it is what a comma has cut off.
  if (suffix.isBare && !(suffix.isPrivate && isAlone)) return invalid('public_suffix');
  const { domain } = suffix;
  const freeMail = isFreeMailHost(domain);
  if (freeMail && (options.rejectFreeMail ?? isPersonal(parts, domain))) {
    return invalid('free_mail');
  }
  return { valid: true, domain, host: ascii, freeMail };
}

/** A piece as it is written: `https://`, `jo@www.acme.com:80`, of which `www.acme.com` is the host. */
interface Parts {
  readonly prefix: string;
  readonly authority: string;
  readonly host: string;
  /** Whether a path, a query or a fragment follows. */
  readonly hasPath: boolean;
}

/** Takes scheme, user, port, path, query and stray punctuation off. */
function partsOf(piece: string): Parts {
  const [prefix = ''] = PREFIXES.exec(piece) ?? [];
  const rest = piece.slice(prefix.length);
  const [authority = ''] = rest.split(/[/?#\\]/, 1);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    // The lookbehind keeps long runs of punctuation from taking quadratic time.
    .replace(/^[.,:!*]+|(?<![.,:!*+~^$=&])[.,:!*+~^$=&]+$/g, '')
    .toLowerCase();
  return { prefix, authority, host, hasPath: rest !== authority };
}

/**
 * Whether a mail provider's host says nothing of a company: it comes from an e-mail address, or is
 * there without scheme and path and is known for mail alone. Addresses of the web may hold a user's name too.
 */
function isPersonal(parts: Parts, domain: string): boolean {
  const { prefix, authority, hasPath } = parts;
  const isWeb = /[/\\]|https?:/i.test(prefix) && !/mailto:/i.test(prefix);
  if (isWeb) return false;
  if (authority.includes('@')) return true;
  return !hasPath && isOnlyMail(domain);
}

function toAscii(host: string): string | undefined {
  const ascii = asciiOf(host);
  const labels = ascii.split('.');
  const wellFormed =
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    TOP_LEVEL_LABEL.test(labels.at(-1) ?? '');
  return wellFormed ? ascii : undefined;
}

/** Repeated until nothing changes: taking one part off can leave another leading `www.`. */
function reduce(host: string, options: NormalizeOptions): Suffix {
  const bare = withoutWww(host);
  const suffix = suffixOf(bare);
  if (options.subdomains === 'strip' && suffix.domain !== bare)
    return reduce(suffix.domain, options);
  return bare === withoutWww(bare) ? { ...suffix, domain: bare } : reduce(bare, options);
}

function invalid(reason: InvalidReason): NormalizedDomain {
  return { valid: false, reason, message: MESSAGES[reason] };
}
