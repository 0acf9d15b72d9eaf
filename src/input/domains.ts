import { isIP } from 'node:net';

import { asciiOf, isFreeMailHost, isOnlyMail, suffixOf, withoutWww, type Suffix } from './hosts';
import { LIMITS } from './limits';

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
  const [only] = pieces;
  if (only !== undefined && only === text) return readPiece(only, options, true);
  // The name of a field, as in "url: github.io", is none of them.
  const isAlone = pieces.filter((piece) => partsOf(piece).host !== '').length === 1;
  const found = pieces.map((piece) => readPiece(piece, options, isAlone));
  const domains = found.filter((result) => result.valid);
  return (
    // "jo@gmail.com, acme.com" means acme.com.
    domains.find((result) => !result.freeMail) ??
    domains[0] ??
    found.find((result) => !result.valid && result.reason !== 'no_dot') ??
    (text.length > MAX_SEARCHED ? notInTheBeginning() : invalid('no_dot'))
  );
}

/** What is searched of a text: a cell that holds a whole page is not read to its end. */
const MAX_SEARCHED = 10_000;

function notInTheBeginning(): NormalizedDomain {
  const searched = MAX_SEARCHED.toLocaleString('en-US');
  const message = `There is no domain in its first ${searched} characters, and no more are searched`;
  return { valid: false, reason: 'too_long', message };
}

/** @param isAlone whether nothing else is in the text. */
function readPiece(piece: string, options: NormalizeOptions, isAlone: boolean): NormalizedDomain {
  const isHost = IS_HOST.test(piece);
  const parts = isHost ? bare(piece) : partsOf(piece);
  const { host } = parts;
  if (!isHost && (isIP(piece) !== 0 || isIP(host) !== 0)) return invalid('ip_address');
  if (LOCAL_NAMES.test(host)) return invalid('localhost');
  if (!host.includes('.')) return invalid('no_dot');
  if (host.length > LIMITS.domainLength) return invalid('too_long');
  const ascii = isHost ? host : toAscii(host);
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

/** A host that stands alone. */
function bare(host: string): Parts {
  return { prefix: '', authority: host, host, hasPath: false };
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
  if (bare !== withoutWww(bare)) return reduce(bare, options);
  return suffix.domain === bare ? suffix : { ...suffix, domain: bare };
}

function invalid(reason: InvalidReason): NormalizedDomain {
  return { valid: false, reason, message: MESSAGES[reason] };
}

// --- What may be a host within a text ------------------------------------------------------------

/** Nothing between which a text could be cut; most rows are so. */
const IS_ONE_PIECE = /^[\w.@:/?#%+=~-]+$/;
/** Where a text may be cut into pieces, one of which is the host. */
const SEPARATORS = /[\s\p{Cc},;|<>()[\]{}"'`]+/u;

const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/gi;
/** Named entities that may be within a domain or an address. All others are only around them. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', period: '.', commat: '@', colon: ':', sol: '/', hyphen: '-', dash: '-', num: '#' },
  ...{ shy: '\u00ad', zwj: '\u200d', zwnj: '\u200c', lrm: '\u200e', rlm: '\u200f' },
  ...{ szlig: 'ß', aelig: 'æ', oslash: 'ø', oelig: 'œ', eth: 'ð', thorn: 'þ' },
};
/** `&uuml;` and its kind: a letter and the name of its accent. */
const ACCENTED = /^([a-z])(acute|caron|cedil|circ|grave|ring|tilde|uml)$/i;
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', caron: '\u030c', cedil: '\u0327', circ: '\u0302', grave: '\u0300' },
  ...{ ring: '\u030a', tilde: '\u0303', uml: '\u0308' },
};

/** Letters and signs as Chinese and Japanese keyboards have them. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
/** Full stops of the same keyboards; browsers read them as dots too. */
const IDEOGRAPHIC_STOPS = /[\u3002\uff61]/g;

/** How people write addresses that are not to be clicked, or not to be harvested. */
const DEFANGED: ReadonlyArray<readonly [RegExp, string]> = [
  [/[[({]\.[\])}]| ?[[({] ?dot ?[\])}] ?/gi, '.'],
  [/[[({]@[\])}]| ?[[({] ?at ?[\])}] ?/gi, '@'],
  [/[[({](:(?:\/\/)?)[\])}]/g, '$1'],
];
/** An address of the network in brackets, with what follows it in a URL. */
const BRACKETED_IP = /\[(?:IPv6:)?([\da-f:.]{2,45})\][^\s,;|<>"']*/gi;

/** Typographic hyphens within a name, as text that was typeset has them. */
const HYPHEN = /(?<=[\p{L}\p{N}])[\u2010\u2011](?=[\p{L}\p{N}])/gu;
/**
 * Quotes, bullets, dashes, arrows, marks, signs, pictures; and what is a letter or a number to
 * Unicode, but not where it stands at an end: footnotes, apostrophes. The sign for a character that
 * was lost is none of these: what it stands for may have belonged to the name.
 */
const NOISE = /(?!\p{ASCII}|\ufffd)[\p{P}\p{S}\p{Co}\p{Me}\p{No}\u02b9-\u02df]/gu;
const JAPANESE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]/u;
/** What of it is within names, by the letters on both sides (RFC 5892, appendix A). */
const IN_NAMES: ReadonlyArray<readonly [RegExp, before: RegExp, after: RegExp]> = [
  [/\u00b7/, /l/i, /l/i],
  [/\u30fb/, JAPANESE, JAPANESE],
  [/[\u05f3\u05f4]/, /\p{sc=Hebr}/u, /(?:)/],
  [/\u0f0b/, /\p{sc=Tibt}/u, /\p{sc=Tibt}/u],
  [/[\p{No}\u02b9-\u02df]/u, /[\p{L}\p{Nd}]/u, /[\p{L}\p{Nd}]/u],
];
/** Joiners without a letter on each side that could need them. */
const STRAY_JOINERS =
  /(?<!(?!\p{ASCII})[\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!(?!\p{ASCII})[\p{L}\p{M}])/gu;
/** Characters that are not seen: marks of direction, soft hyphens, variants. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{DI}]+/u;

/**
 * The parts of a text that may be a host, cleaned of what people, editors and web pages write around
 * domains. One that would be cut off is left out: it could be another.
 */
function piecesOf(text: string): string[] {
  const searched = text.slice(0, MAX_SEARCHED);
  if (searched === text && IS_ONE_PIECE.test(text)) return [text];
  const pieces = cleaned(searched).split(SEPARATORS);
  const isCut = searched !== text && !SEPARATORS.test(text.charAt(MAX_SEARCHED));
  // A single one is an address with a very long query, or no domain at all.
  if (isCut && pieces.length > 1) pieces.pop();
  return pieces.flatMap(withoutUnseen).filter((piece) => piece !== '');
}

function cleaned(text: string): string {
  const decoded = text.replace(ENTITY, meaningOf);
  const plain = DEFANGED.reduce(
    (rest, [form, sign]) => rest.replace(form, sign),
    decoded.replace(FULL_WIDTH, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET),
    ),
  ).replace(BRACKETED_IP, (all, address: string) => (isIP(address) === 0 ? all : ` ${address} `));
  return /\P{ASCII}/u.test(plain) ? withoutNoise(plain) : plain;
}

function withoutNoise(text: string): string {
  return text
    .replace(IDEOGRAPHIC_STOPS, '.')
    .replace(HYPHEN, '-')
    .replace(NOISE, (sign, at: number, all: string) => {
      const [before = '', after = ''] = [all[at - 1], all[at + sign.length]];
      const belongs = IN_NAMES.some(
        ([kind, left, right]) => kind.test(sign) && left.test(before) && right.test(after),
      );
      return belongs ? sign : ' ';
    })
    .replace(STRAY_JOINERS, '');
}

/** What an HTML entity stands for, as far as it can belong to a name. */
function meaningOf(_entity: string, hex?: string, decimal?: string, name = ''): string {
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (name === '') return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  const [, letter, accent = ''] = ACCENTED.exec(name) ?? [];
  if (letter !== undefined) return `${letter}${ACCENTS[accent.toLowerCase()] ?? ''}`.normalize();
  return NAMED[name.toLowerCase()] ?? ' ';
}

/**
 * Unseen characters are taken out, unless they stand between two domains: nothing is to become a name
 * that nobody wrote.
 */
function withoutUnseen(piece: string): string[] {
  if (!UNSEEN.test(piece)) return [piece];
  const parts = piece.split(new RegExp(UNSEEN, 'gu'));
  const domains = parts.filter((part) => /^(?!www\.).+\../i.test(part) && suffixOf(part).exists);
  return domains.length > 1 ? parts : [parts.join('')];
}
