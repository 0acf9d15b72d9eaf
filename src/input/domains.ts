import { isIP } from 'node:net';

import { isDottedName } from './dotted-names';
import {
  isFreeMailHost,
  isOnlyMail,
  listedOf,
  pageKindOf,
  wrappedIn,
  type Place,
} from './host-kinds';
import { asciiOf, suffixOf, withoutWww, type Suffix } from './hosts';
import { LIMITS } from './limits';
import { MAX_SEARCHED, piecesOf } from './pieces';
import { isPlaceholderText } from './placeholders';
import { quote } from './quote';
import { textsIn } from './values';

/** What to do about a host that is not the company's own. */
const GIVE = "give the company's own website or an email address there";

/** Why a value holds no domain that the service could know; `it` is the host, or the text. */
const MESSAGES = {
  empty: () => 'The field is empty',
  not_text: () => 'The field holds no text',
  no_dot: () => 'There is no domain in it (a domain has a dot, like example.com)',
  too_long: () => `The domain is longer than ${String(LIMITS.domainLength)} characters`,
  ip_address: () => 'It is an IP address, not a domain',
  localhost: () => 'It is the name of a local machine, not a domain',
  malformed: () => 'It contains characters or parts that no domain has',
  not_a_domain: (it) => `${it} is a name with a dot in it, not a domain: ${GIVE}`,
  unknown_tld: () => 'Its ending is not a known top-level domain',
  public_suffix: () =>
    'It is an ending under which many have their domains (like co.uk), not a domain',
  free_mail: (it) => `${it} belongs to a mail provider, not to a company: ${GIVE}`,
  placeholder: (it) => `${it} stands where nothing is known: ${GIVE}`,
  profile_page: (it) => `${it} has pages about companies and people, not their own sites: ${GIVE}`,
  short_link: (it) => `${it} links to another site that the link does not show: ${GIVE}`,
  store_page: (it) => `${it} is a store or marketplace, not the company's own site: ${GIVE}`,
  hosted_site: (it) => `${it} is rented from a provider, not the company's own domain: ${GIVE}`,
  ignored: (it) => `${it} is among Ignore Domains`,
} as const satisfies Readonly<Record<string, (it: string) => string>>;

export type InvalidReason = keyof typeof MESSAGES;

/** Of several reasons that say as much, the first counts; those at the end say least. */
const SAYING_LITTLE: readonly InvalidReason[] = ['placeholder', 'empty', 'no_dot'];

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
  | {
      readonly valid: false;
      readonly reason: InvalidReason;
      readonly message: string;
      /** The domain of the host that the reason is about, without subdomains. */
      readonly about?: string;
    };

export interface NormalizeOptions {
  /** `strip` turns `app.example.com` into `example.com`; `keep` leaves it. */
  readonly subdomains: 'strip' | 'keep';
  /**
   * Whether hosts of free mail providers (gmail.com, …) are invalid. Undefined: those of e-mail
   * addresses are, because a person's address is no sign of a company, and so are bare hosts that are
   * known for mail alone; those given as a website are not, because providers are companies too.
   */
  readonly rejectFreeMail: boolean | undefined;
  /** Domains that are left out, with all below them: they are invalid, `ignored`. */
  readonly ignoreDomains?: ReadonlySet<string> | undefined;
  /** Domains that are companies whatever the lists say, with all below them. */
  readonly acceptDomains?: ReadonlySet<string>;
  /** Whether every host counts as a company's own: of domains that the service itself has given. */
  readonly anyHost?: boolean;
}

const LOCAL_NAMES = /^(?:localhost|.*\.localhost|.*\.localdomain|.*\.local|broadcasthost)$/;
/** Nothing but a host as it is sent; most rows hold that, and go past what others need. */
const IS_HOST = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
/** With the underscore, which no registry gives away but hosts have. */
const LABEL = /^(?!-)(?=.*[a-z0-9])[a-z0-9_-]{1,63}(?<!-)$/;
const TOP_LEVEL_LABEL = /^(?=.*[a-z])[a-z0-9-]{2,63}$/;
/**
 * What is before a host: schemes as people write, repeat and mistype them, the names of fields
 * (`Web:`, `url=`), and stray punctuation; `localhost:3000` has none of these.
 */
const PREFIXES =
  /^(?:[\p{L}\p{N}][\p{L}\p{N}_+-]*[:=](?!\d+(?:[/?#\\]|$))[/\\]*|https?[/\\]+|www\.(?=https?:|\.)|\/+|[.,:!*#?+~^$=]+)+/iu;

/** Links within links within links are none that people have. */
const MOST_WRAPPED = 3;

/**
 * Finds the company domain in whatever a lead list holds: a domain, a URL, an e-mail address, or
 * either of them inside other text, a list or an object. Of several the first one counts that can be a
 * company.
 *
 * The result is a fixed point of the service's own normalization (interface: Enrichment, rule 1), so
 * that answers can be matched to rows by domain.
 */
export function normalizeDomain(value: unknown, options: NormalizeOptions): NormalizedDomain {
  if (value === undefined || value === null) return invalid('empty');
  if (typeof value === 'string') return best([value], options);
  const texts = textsIn(value);
  return texts.length === 0 ? invalid('not_text') : best(texts, options);
}

function best(texts: readonly string[], options: NormalizeOptions): NormalizedDomain {
  const found = texts.flatMap((text) => readText(text.trim(), options));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const domains = found.filter((result) => result.valid);
  const reasons = found.filter((result) => !result.valid);
  return (
    // "jo@gmail.com, acme.com" means acme.com.
    domains.find(({ freeMail }) => !freeMail) ??
    domains[0] ??
    reasons.find(({ reason }) => reason === 'ignored') ??
    reasons.find(({ about }) => about !== undefined) ??
    reasons.find(({ reason }) => !SAYING_LITTLE.includes(reason)) ??
    reasons.find(({ reason }) => reason === 'placeholder') ??
    reasons.find(({ reason }) => reason === 'no_dot') ??
    invalid('empty')
  );
}

function readText(text: string, options: NormalizeOptions): NormalizedDomain[] {
  if (text === '') return [invalid('empty')];
  if (IS_HOST.test(text)) return [readPiece(text, options, true)];
  if (isPlaceholderText(text)) return [invalid('placeholder', quote(text))];
  const pieces = piecesOf(text);
  const [only] = pieces;
  if (only !== undefined && only === text) return [readPiece(only, options, true)];
  // The name of a field, as in "url: github.io", is none of them.
  const isAlone = pieces.filter((piece) => partsOf(piece).host !== '').length === 1;
  const found = pieces.map((piece) =>
    isPlaceholderText(piece)
      ? invalid('placeholder', quote(piece))
      : readPiece(piece, options, isAlone),
  );
  if (text.length > MAX_SEARCHED && found.every(isNoDot)) return [notInTheBeginning()];
  return found.length === 0 ? [invalid('no_dot')] : found;
}

function isNoDot(found: NormalizedDomain): boolean {
  return !found.valid && SAYING_LITTLE.includes(found.reason);
}

function notInTheBeginning(): NormalizedDomain {
  const searched = MAX_SEARCHED.toLocaleString('en-US');
  const message = `There is no domain in its first ${searched} characters, and no more are searched`;
  return { valid: false, reason: 'too_long', message };
}

/** @param isAlone whether nothing else is in the text. */
function readPiece(
  piece: string,
  options: NormalizeOptions,
  isAlone: boolean,
  depth = 0,
): NormalizedDomain {
  const isHost = IS_HOST.test(piece);
  const parts = isHost ? bare(piece) : partsOf(piece);
  const { host } = parts;
  if (!isHost && (isIP(piece) !== 0 || isIP(host) !== 0)) return invalid('ip_address');
  if (LOCAL_NAMES.test(host)) return invalid('localhost');
  if (!host.includes('.')) return invalid('no_dot');
  if (host.length > LIMITS.domainLength) return invalid('too_long');
  if (isBare(parts) && isDottedName(parts.written, isAlone)) {
    return invalid('not_a_domain', quote(parts.written));
  }
  const ascii = isHost ? host : toAscii(host);
  if (ascii === undefined) return invalid('malformed');
  if (ascii.length > LIMITS.domainLength) return invalid('too_long');
  const suffix = reduce(ascii, options);
  if (!suffix.exists) return invalid('unknown_tld');
  // A shared host (github.io) is a company's too, unless it is what a comma has cut off.
  if (suffix.isBare && !(suffix.isPrivate && isAlone)) return invalid('public_suffix');
  return judge({ ...parts, ascii, domain: suffix.domain }, options, depth);
}

/** A place that has a domain; whether it is a company's own is open. */
interface Candidate extends Parts {
  readonly ascii: string;
  readonly domain: string;
}

function judge(candidate: Candidate, options: NormalizeOptions, depth: number): NormalizedDomain {
  const { ascii, domain, path } = candidate;
  const ignored = among(options.ignoreDomains, ascii);
  if (ignored !== undefined) return invalid('ignored', ignored, ignored);
  const accepted = among(options.acceptDomains, ascii);
  const host = withoutWww(ascii);
  if (accepted !== undefined) {
    const chosen = options.subdomains === 'strip' ? accepted : host;
    return { valid: true, domain: chosen, host: ascii, freeMail: false };
  }
  const listed = listedOf(host);
  const freeMail = listed.some(({ name, mail }) => name === domain && mail !== undefined);
  const valid = { valid: true, domain, host: ascii, freeMail } as const;
  if (listed.length === 0 || options.anyHost === true) return valid;
  const isMail = isAddress(candidate);
  const registered = suffixOf(host).domain;
  const place = { listed, host, domain: registered, path, isMail };
  if (listed.some(({ name, isPlaceholder }) => isPlaceholder && (isMail || name === domain))) {
    return invalid('placeholder', host, registered);
  }
  if (isMailbox(place, options.rejectFreeMail ?? isPersonal(candidate, place))) {
    return invalid('free_mail', mailHost(place), registered);
  }
  const target = depth < MOST_WRAPPED ? wrappedIn(place) : undefined;
  if (typeof target === 'string') return readPiece(target, options, true, depth + 1);
  const kind = pageKindOf(place) ?? (target === null && path.length > 1 ? 'short_link' : undefined);
  return kind === undefined ? valid : invalid(kind, host, registered);
}

/** @param isRefused whether mail providers are no companies where the place was found. */
function isMailbox({ listed, domain, isMail }: Place, isRefused: boolean): boolean {
  return (
    isRefused &&
    listed.some(
      ({ name, mail }) => mail === 'alone' || (mail === 'free' && (isMail || name === domain)),
    )
  );
}

/** The name that people know a provider by; the whole of a relay's. */
function mailHost({ host, domain }: Place): string {
  return isFreeMailHost(domain) ? domain : host;
}

/** The entry of a list that a host is, or is below of. */
function among(domains: ReadonlySet<string> | undefined, host: string): string | undefined {
  if (domains === undefined || domains.size === 0) return undefined;
  for (let name = host; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (domains.has(name)) return name;
  }
  return undefined;
}

/** A piece as it is written: `https://`, `jo@www.acme.com:80`, of which `www.acme.com` is the host. */
interface Parts {
  readonly prefix: string;
  readonly authority: string;
  readonly host: string;
  /** The host with its capital letters. */
  readonly written: string;
  /** What follows: path, query and fragment. */
  readonly path: string;
}

/** A host that stands alone. */
function bare(host: string): Parts {
  return { prefix: '', authority: host, host, written: host, path: '' };
}

/** Takes scheme, user, port, path, query and stray punctuation off. */
function partsOf(piece: string): Parts {
  const [prefix = ''] = PREFIXES.exec(piece) ?? [];
  const rest = piece.slice(prefix.length);
  const [authority = ''] = rest.split(/[/?#\\]/, 1);
  const written = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    // The lookbehind keeps long runs of punctuation from taking quadratic time.
    .replace(/^[.,:!*]+|(?<![.,:!*+~^$=&])[.,:!*+~^$=&]+$/g, '');
  const path = rest.slice(authority.length);
  return { prefix, authority, written, host: written.toLowerCase(), path };
}

/** Whether nothing says that it is a host: no scheme, no path, no @, no www. */
function isBare({ prefix, authority, host, path }: Parts): boolean {
  return prefix === '' && path === '' && !authority.includes('@') && !host.startsWith('www.');
}

function isWeb({ prefix }: Parts): boolean {
  return /[/\\]|https?:/i.test(prefix) && !/mailto:/i.test(prefix);
}

/** Addresses of the web may hold a user's name too. */
function isAddress(parts: Parts): boolean {
  return parts.authority.includes('@') && !isWeb(parts);
}

/**
 * Whether a mail provider's host says nothing of a company: it comes from an e-mail address, or is
 * there without scheme and path and is known for mail alone.
 */
function isPersonal(parts: Parts, place: Place): boolean {
  return place.isMail || (!isWeb(parts) && parts.path === '' && isOnlyMail(place));
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
function reduce(host: string, options: Pick<NormalizeOptions, 'subdomains'>): Suffix {
  const name = withoutWww(host);
  const suffix = suffixOf(name);
  if (options.subdomains === 'strip' && suffix.domain !== name)
    return reduce(suffix.domain, options);
  if (name !== withoutWww(name)) return reduce(name, options);
  return suffix.domain === name ? suffix : { ...suffix, domain: name };
}

/** @param it the host, or the text in quotation marks. */
function invalid(reason: InvalidReason, it = '', about?: string): NormalizedDomain {
  const message = MESSAGES[reason](it);
  return { valid: false, reason, message, ...(about === undefined ? {} : { about }) };
}
