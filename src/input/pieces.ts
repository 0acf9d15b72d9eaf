import { isIP } from 'node:net';

import { percentDecoded } from '../client/values';
import { suffixOf } from './hosts';

/** What is searched of a text: a cell that holds a whole page is not read to its end. */
export const MAX_SEARCHED = 10_000;

/** Nothing between which a text could be cut; most rows are so. */
const IS_ONE_PIECE = /^(?!.*#(?:https?:|mailto:|www\.|ext#@))[\w.@:/?#%+=~-]+$/i;
/** What was encoded as a whole, or ends in a blank: `https%3A%2F%2F…`, `jo%40acme.com`, `acme.com%20`. */
const IS_ENCODED = /^(?:mailto:|https?%3a|[\w.+-]+%40|%20)|^[^\s%]+(?:%20)+$/i;
/** Where one thing ends and another begins. */
const BETWEEN = /[\s,;|<>]+|#(?=(?:https?:|mailto:|www\.))/iu;
/** Where a text may be cut into pieces, one of which is the host. */
const SEPARATORS = /[\s\p{Cc},;|<>()[\]{}"'`]+/u;
/** What a sign that belongs to no name becomes: it separates, but may be within the path of a URL too. */
const SEPARATOR = '\u0001';

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
  [/[[({]\.[\])}]| ?[[({<] ?(?:dot|point|ponto|punkt|punto) ?[\])}>] ?/gi, '.'],
  [/[[({]@[\])}]| ?[[({<] ?(?:arroba|at) ?[\])}>] ?/gi, '@'],
  [/[[({](:(?:\/\/)?)[\])}]/g, '$1'],
];
/** `jo AT acme DOT com`, where nothing else is said: within a sentence these are words. */
const SPELLED = /^\s*([\w.+-]{1,64}) at ([\w-]{1,63}(?: dot [\w-]{1,63}){1,4})\s*$/i;
/** A guest of another company's Microsoft tenant: `jo_acme.com#EXT#@other.onmicrosoft.com`. */
const GUEST = /_([^\s_@#]{1,253})#EXT#@[^\s,;|<>"'@]+/gi;
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
export function piecesOf(value: string): string[] {
  const text = IS_ENCODED.test(value) ? (percentDecoded(value) ?? value) : value;
  const searched = text.slice(0, MAX_SEARCHED);
  if (searched === text && IS_ONE_PIECE.test(text)) return [text];
  const pieces = cleaned(searched)
    .split(BETWEEN)
    .flatMap((part) => withoutTails(part.split(SEPARATORS)));
  const isCut = searched !== text && !SEPARATORS.test(text.charAt(MAX_SEARCHED));
  // A single one is an address with a very long query, or no domain at all.
  if (isCut && pieces.length > 1) pieces.pop();
  return pieces.flatMap(withoutUnseen).filter((piece) => piece !== '');
}

/** The path of a URL may hold what separates elsewhere: `/biz/joe's.pizza` holds no second domain. */
function withoutTails(pieces: readonly string[]): readonly string[] {
  const url = pieces.findIndex((piece) => /^https?:[/\\]+[^/\\]*\.[^/\\]+[/\\]./i.test(piece));
  if (url === -1) return pieces;
  return pieces.filter((piece, at) => at <= url || /^www\.|@|:[/\\]/i.test(piece));
}

function cleaned(text: string): string {
  const decoded = text.replace(ENTITY, meaningOf).replace(GUEST, '@$1').replace(SPELLED, spelled);
  const plain = DEFANGED.reduce(
    (rest, [form, sign]) => rest.replace(form, sign),
    decoded.replace(FULL_WIDTH, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET),
    ),
  ).replace(BRACKETED_IP, (all, address: string) => (isIP(address) === 0 ? all : ` ${address} `));
  return /\P{ASCII}/u.test(plain) ? withoutNoise(plain) : plain;
}

function spelled(_text: string, name: string, host: string): string {
  return `${name}@${host.replace(/ dot /gi, '.')}`;
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
      return belongs ? sign : SEPARATOR;
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
