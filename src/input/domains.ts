import { isIP } from 'node:net';

import {
  isFreeMailHost,
  isMailOnlyProvider,
  isPublicBody,
  findHostEntries,
  findPageKind,
  findPublicPage,
  findNextPage,
  unwrapLink,
  type HostAndPath,
} from './host-kinds';
import {
  readSuffix,
  withoutWww,
  type HostSuffix,
  IS_HOST,
  isAddress,
  isWeb,
  splitUrl,
  toWellFormedHost,
  type UrlParts,
} from './hosts';
import { LIMITS } from './limits';
import { splitIntoTokens } from './tokens';
import { isExpressionText, isPlaceholderText } from './placeholders';
import { quote } from '../values/text';
import { collectTexts } from './value-texts';

const FIX_HINT = "use the company's own website or a company email address";

/** `it` is the host or the text. */
const MESSAGES = {
  empty: () => 'The field is empty',
  not_text: () => 'The field contains no text',
  no_dot: () => 'The value contains no domain (a domain has a dot, like example.com)',
  too_long: () => `The domain is longer than ${String(LIMITS.domainLength)} characters`,
  ip_address: () => 'The value is an IP address, not a domain',
  localhost: () => 'The value is the name of a local machine, not a domain',
  malformed: () => 'The domain contains characters or parts that no domain can have',
  unknown_tld: (it) =>
    `${it} does not end in a known top-level domain: correct the ending, such as .con for .com`,
  public_suffix: (it) =>
    `${it} is an ending that many domains share: enter the whole domain, and check its dots`,
  free_mail: (it) => `${it} is a free email host, not a company: ${FIX_HINT}`,
  placeholder: (it) => `${it} is a placeholder, not a company: ${FIX_HINT}`,
  profile_page: (it) =>
    `${it} hosts pages about companies and people, not their own sites: ${FIX_HINT}`,
  short_link: (it) => `${it} is a link service, and the link does not show its target: ${FIX_HINT}`,
  store_page: (it) => `${it} is a store or marketplace, not the company's own site: ${FIX_HINT}`,
  hosted_site: (it) => `${it} is on a provider's domain, not on the company's own: ${FIX_HINT}`,
} as const satisfies Readonly<Record<string, (it: string) => string>>;

/** Names of platforms that are not their domain's first label with a capital letter. */
const BRANDS: Readonly<Record<string, string>> = {
  ...{ ebay: 'eBay', github: 'GitHub', linkedin: 'LinkedIn', tiktok: 'TikTok', youtube: 'YouTube' },
  ...{ bit: 'Bitly', linktr: 'Linktree', t: 'Telegram', wa: 'WhatsApp' },
};

function formatTypedPage(domain: string, reason: InvalidReason): string {
  const what = reason === 'short_link' ? 'short link or link page' : 'page';
  const [label = ''] = domain.split('.', 1);
  const brand = BRANDS[label] ?? `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  return `This is a ${what} at ${domain}: enter the company's own website, or ${domain} for ${brand}`;
}

const EXPRESSION_MESSAGE = 'The value is the text of an expression: turn on Expression';

export type InvalidReason = keyof typeof MESSAGES;

/** Of several reasons, one that is not in this list is reported first. */
const LEAST_SPECIFIC: readonly InvalidReason[] = ['placeholder', 'empty', 'no_dot'];

export type NormalizedDomain =
  | {
      readonly valid: true;
      /** Lower case, ASCII, without `www.`. */
      readonly domain: string;
      /** The host in ASCII as the text had it, with the subdomains that `domain` no longer has. */
      readonly host: string;
      readonly freeMail: boolean;
    }
  | {
      readonly valid: false;
      readonly reason: InvalidReason;
      readonly message: string;
      /** The domain of the host that caused the reason, without subdomains. */
      readonly about?: string;
    };

export interface NormalizeOptions {
  /** `strip` turns `app.example.com` into `example.com`; `keep` keeps the subdomain. */
  readonly subdomains: 'strip' | 'keep';
  /**
   * If undefined, free email hosts (gmail.com, …) are invalid in email addresses and as bare hosts that only offer
   * email: as a website, providers are companies too.
   */
  readonly rejectFreeMail: boolean | undefined;
  /** Whatever the lists say, with all their subdomains. */
  readonly acceptDomains?: ReadonlySet<string>;
  /** What the lists refuse; `pages` are only profiles, shops and links of others on listed hosts. */
  readonly refused?: 'all' | 'pages' | 'nothing';
}

/** Settings for domains that the service returned or a person lists: no list refuses a host. */
export const SERVICE_DOMAIN_OPTIONS = {
  subdomains: 'keep',
  rejectFreeMail: false,
  refused: 'nothing',
} as const satisfies NormalizeOptions;

const LOCAL_NAMES = /^(?:localhost|.*\.localhost|.*\.localdomain|.*\.local|broadcasthost)$/;
/** Real data does not nest redirect links deeper than this. */
const MAX_NESTED_LINKS = 3;

/**
 * Finds the company domain in a cell of a lead list: a domain, a URL, an email address, or one of these inside
 * other text, a list or an object. Of several, the first that can be a company is used; a domain of its own comes
 * before a free email host and a shared host. The service's own normalization (API spec: Enrichment, rule 1) does
 * not change the result, so responses can be matched to rows by domain.
 */
export function normalizeDomain(value: unknown, options: NormalizeOptions): NormalizedDomain {
  if (value === undefined || value === null) return toInvalid('empty');
  if (typeof value === 'string') return pickBest([value], options);
  const texts = collectTexts(value);
  return texts.length === 0 ? toInvalid('not_text') : pickBest(texts, options);
}

function pickBest(texts: readonly string[], options: NormalizeOptions): NormalizedDomain {
  const found = texts.flatMap((text) => readText(text.trim(), options));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const domains = found.filter((result) => result.valid);
  const reasons = found.filter((result) => !result.valid);
  return (
    // "jo@gmail.com, acme.com" means acme.com, and so does "acme.myshopify.com, acme.com".
    domains.find(({ freeMail, domain }) => !freeMail && !readSuffix(domain).isPrivate) ??
    domains.find(({ freeMail }) => !freeMail) ??
    domains[0] ??
    reasons.find(({ about }) => about !== undefined) ??
    reasons.find(({ reason }) => !LEAST_SPECIFIC.includes(reason)) ??
    reasons.find(({ reason }) => reason === 'placeholder') ??
    reasons.find(({ reason }) => reason === 'no_dot') ??
    toInvalid('empty')
  );
}

function readText(text: string, options: NormalizeOptions): NormalizedDomain[] {
  if (text === '') return [toInvalid('empty')];
  if (IS_HOST.test(text)) return [readPiece(text, options, true)];
  if (isExpressionText(text)) {
    return [{ valid: false, reason: 'placeholder', message: EXPRESSION_MESSAGE }];
  }
  if (isPlaceholderText(text)) return [toInvalid('placeholder', quote(text))];
  const pieces = splitIntoTokens(text);
  const [only] = pieces;
  if (only !== undefined && only === text) return [readPiece(only, options, true)];
  // A field name without a host, such as "url:" in "url: github.io", does not count as a piece.
  const isAlone = pieces.filter((piece) => splitUrl(piece).host !== '').length === 1;
  const found = pieces.map((piece) =>
    isPlaceholderText(piece)
      ? toInvalid('placeholder', quote(piece))
      : readPiece(piece, options, isAlone),
  );
  return found.length === 0 ? [toInvalid('no_dot')] : found;
}

/**
 * @param isAlone The text contains nothing else.
 * @param depth Redirect links around the piece that were already removed.
 */
function readPiece(
  piece: string,
  options: NormalizeOptions,
  isAlone: boolean,
  depth = 0,
): NormalizedDomain {
  const isHost = IS_HOST.test(piece);
  const parts = isHost ? { prefix: '', authority: piece, host: piece, path: '' } : splitUrl(piece);
  const { host } = parts;
  if (!isHost && (isIP(piece) !== 0 || isIP(host) !== 0)) return toInvalid('ip_address');
  if (LOCAL_NAMES.test(host)) return toInvalid('localhost');
  if (!host.includes('.')) return toInvalid('no_dot');
  if (host.length > LIMITS.domainLength) return toInvalid('too_long');
  const ascii = isHost ? host : toWellFormedHost(host);
  if (ascii === undefined) return toInvalid('malformed');
  if (ascii.length > LIMITS.domainLength) return toInvalid('too_long');
  const reduced = reduceToDomain(ascii, options);
  const { suffix } = reduced;
  if (!suffix.exists) return toInvalid('unknown_tld', host);
  // A shared host (github.io) also belongs to a company, unless a comma separated it from its tenant.
  if (suffix.isBare && !(suffix.isPrivate && isAlone)) return toInvalid('public_suffix', host);
  return judgeHost(ascii, reduced, parts, options, depth);
}

function judgeHost(
  ascii: string,
  { domain, suffix }: ReducedHost,
  parts: UrlParts,
  options: NormalizeOptions,
  depth: number,
): NormalizedDomain {
  const { path } = parts;
  const accepted = findEntry(options.acceptDomains, ascii);
  const host = withoutWww(ascii);
  if (accepted !== undefined) {
    const chosen = options.subdomains === 'strip' ? accepted : host;
    return { valid: true, domain: chosen, host: ascii, freeMail: false };
  }
  const registered = suffix.domain;
  const listed = findHostEntries(host, registered);
  const freeMail = listed.some(({ name, mail }) => name === domain && mail !== undefined);
  const valid = { valid: true, domain, host: ascii, freeMail } as const;
  if (listed.length === 0) return valid;
  const isMail = isAddress(parts);
  const place = { listed, host, domain: registered, path, isMail };
  const target = depth < MAX_NESTED_LINKS ? unwrapLink(place) : undefined;
  if (target !== undefined) return readPiece(target, options, true, depth + 1);
  if (options.refused === 'nothing' || isPublicBody(host, registered)) return valid;
  const next = depth < MAX_NESTED_LINKS ? findNextPage(place) : undefined;
  const found = next === undefined ? undefined : readPiece(next, options, true, depth + 1);
  // A login page that leads back to the home page of its host is refused as a page of the host.
  if (found?.valid === true && found.domain !== domain) return found;
  if (found?.valid === false && found.about !== undefined) return found;
  if (options.refused === 'pages') {
    const page = findPublicPage(place);
    if (page === undefined) return valid;
    const message = formatTypedPage(registered, page);
    return { valid: false, reason: page, message, about: registered };
  }
  if (listed.some(({ name, isPlaceholder }) => isPlaceholder && (isMail || name === domain))) {
    return toInvalid('placeholder', host, registered);
  }
  if (options.rejectFreeMail ?? isPersonal(parts, place)) {
    const isMailbox = listed.some(
      ({ name, mail }) => mail === 'alone' || (mail && (isMail || name === registered)),
    );
    const provider = isFreeMailHost(registered) ? registered : host;
    if (isMailbox) return toInvalid('free_mail', provider, registered);
  }
  const kind = findPageKind(place);
  return kind === undefined ? valid : toInvalid(kind, host, registered);
}

function findEntry(domains: ReadonlySet<string> | undefined, host: string): string | undefined {
  if (domains === undefined || domains.size === 0) return undefined;
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (domains.has(name)) return name;
  }
  return undefined;
}

/** A free email host is no company in an address, or bare if it only offers email. */
function isPersonal(parts: UrlParts, place: HostAndPath): boolean {
  return place.isMail || (!isWeb(parts) && parts.path === '' && isMailOnlyProvider(place));
}

interface ReducedHost {
  readonly domain: string;
  readonly suffix: HostSuffix;
}

/** Repeats, because removing one part can expose another leading `www.`. */
function reduceToDomain(host: string, options: Pick<NormalizeOptions, 'subdomains'>): ReducedHost {
  const name = withoutWww(host);
  const suffix = readSuffix(name);
  const { domain: registered, isGovernment } = suffix;
  // Below the ending of a government, each host is another authority.
  const isBody = isGovernment || isPublicBody(name, registered);
  if (options.subdomains === 'strip' && registered !== name && !isBody)
    return reduceToDomain(registered, options);
  if (name !== withoutWww(name)) return reduceToDomain(name, options);
  return { domain: name, suffix };
}

function toInvalid(reason: InvalidReason, it = '', about?: string): NormalizedDomain {
  const message = MESSAGES[reason](it);
  return { valid: false, reason, message, ...(about === undefined ? {} : { about }) };
}
