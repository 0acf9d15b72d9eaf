import { isIP } from 'node:net';

import { parse } from 'tldts';

import { asciiOf, withoutWww } from './domain-key';
import { isFreeMailHost } from './free-mail';

/** Why a text holds no domain that the service could know. */
export type InvalidReason =
  | 'empty'
  | 'not_text'
  | 'no_dot'
  | 'too_long'
  | 'ip_address'
  | 'localhost'
  | 'malformed'
  | 'free_mail';

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
   * addresses are, because a person's address is no sign of a company; those given as a website are
   * not, because providers are companies too.
   */
  readonly rejectFreeMail: boolean | undefined;
}

/** Longest domain entry the service reads (interface: Size and pagination bounds). */
export const MAX_DOMAIN_LENGTH = 253;

const MESSAGES: Readonly<Record<InvalidReason, string>> = {
  empty: 'The field is empty',
  not_text: 'The field holds no text',
  no_dot: 'There is no domain in it (a domain has a dot, like example.com)',
  too_long: `The domain is longer than ${String(MAX_DOMAIN_LENGTH)} characters`,
  ip_address: 'It is an IP address, not a domain',
  localhost: 'It is the name of a local machine, not a domain',
  malformed: 'It contains characters or parts that no domain has',
  free_mail: 'It belongs to a free mail provider, not to a company',
};

/** What is searched of a text: a cell that holds a whole page is not read to its end. */
const MAX_SEARCHED = 10_000;

const LOCAL_NAMES = /^(?:localhost|.*\.localhost|.*\.localdomain|.*\.local|broadcasthost)$/;
/** With the underscore, which no registry gives away but hosts have. */
const LABEL = /^(?!-)(?=.*[a-z0-9])[a-z0-9_-]{1,63}(?<!-)$/;
const TOP_LEVEL_LABEL = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;
/** Schemes as people write and mistype them; `example.com:8080` has none. */
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:\/+|(?:https?|mailto):|https?\/+|\/+)/i;
/** Those of addresses that are no e-mail addresses. */
const WEB_SCHEME = /^(?!mailto:)(?:[a-z][a-z0-9+.-]*:\/+|https?:|https?\/+|\/+)/i;
/** Full stops of Chinese and Japanese keyboards; browsers read them as dots too. */
const IDEOGRAPHIC_STOPS = /[\u3002\uff0e\uff61]/g;
/** Where a text may be cut into pieces, one of which is the host. */
const SEPARATORS = /[\s,;|<>()[\]{}"'`]+/;

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
  const found = piecesOf(text).map((piece) => readPiece(piece, options));
  const domains = found.filter((result) => result.valid);
  if (domains.length === 1 && domains[0] !== undefined) return domains[0];
  return (
    // "e.g. acme.com" and "jo@gmail.com, acme.com" both mean acme.com.
    domains.find((result) => !result.freeMail && parse(result.domain).isIcann) ??
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

/** The parts of a text that may be a host. One that would be cut off is left out: it could be another. */
function piecesOf(text: string): string[] {
  const pieces = text.slice(0, MAX_SEARCHED).split(SEPARATORS);
  const isCut = text.length > MAX_SEARCHED && !SEPARATORS.test(text.charAt(MAX_SEARCHED));
  // A single one is an address with a very long query, or no domain at all.
  if (isCut && pieces.length > 1) pieces.pop();
  return pieces.filter((piece) => piece !== '');
}

function readPiece(piece: string, options: NormalizeOptions): NormalizedDomain {
  const host = hostOf(piece);
  if (isIP(piece) !== 0 || isIP(host) !== 0) return invalid('ip_address');
  if (LOCAL_NAMES.test(host)) return invalid('localhost');
  if (!host.includes('.')) return invalid('no_dot');
  if (host.length > MAX_DOMAIN_LENGTH) return invalid('too_long');
  const ascii = toAscii(host);
  if (ascii === undefined) return invalid('malformed');
  if (ascii.length > MAX_DOMAIN_LENGTH) return invalid('too_long');
  // Again, because full-width letters have become plain ones.
  if (LOCAL_NAMES.test(ascii)) return invalid('localhost');
  const domain = reduce(ascii, options);
  const freeMail = isFreeMailHost(domain);
  if (freeMail && (options.rejectFreeMail ?? isAddress(piece))) return invalid('free_mail');
  return { valid: true, domain, host: ascii, freeMail };
}

/** Whether a piece is an e-mail address; one of the web may hold a user name too. */
function isAddress(piece: string): boolean {
  return !WEB_SCHEME.test(piece) && authorityOf(piece).includes('@');
}

function authorityOf(piece: string): string {
  return piece.replace(SCHEME, '').split(/[/?#\\]/, 1)[0] ?? '';
}

/** Takes scheme, user, port, path, query and stray punctuation off. */
function hostOf(piece: string): string {
  const authority = authorityOf(piece);
  return (
    authority
      .slice(authority.lastIndexOf('@') + 1)
      .replace(/:\d*$/, '')
      .replace(IDEOGRAPHIC_STOPS, '.')
      // The lookbehind keeps long runs of punctuation from taking quadratic time.
      .replace(/^[.,:!*]+|(?<![.,:!*])[.,:!*]+$/g, '')
      .toLowerCase()
  );
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
function reduce(host: string, options: NormalizeOptions): string {
  const reduced = reduceOnce(host, options);
  return reduced === host ? host : reduce(reduced, options);
}

function reduceOnce(host: string, options: NormalizeOptions): string {
  const bare = withoutWww(host);
  if (options.subdomains === 'keep') return bare;
  // Private suffixes count, so that shops on a shared host (name.myshopify.com) stay apart.
  return parse(bare, { allowPrivateDomains: true }).domain ?? bare;
}

function invalid(reason: InvalidReason): NormalizedDomain {
  return { valid: false, reason, message: MESSAGES[reason] };
}
