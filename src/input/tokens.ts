import { isIP } from 'node:net';

import { decodePercent } from '../values/text';
import { readSuffix } from './hosts';

/** In characters: a cell that contains a whole page is not read to its end. */
export const MAX_SEARCHED = 10_000;

const IS_ONE_PIECE = /^(?!.*#(?:https?:|mailto:|www\.|ext#@))[\w.@:/?#%+=~-]+$/i;
/** A text that is percent-encoded as a whole, or ends in an encoded space: `acme.com%20`. */
const IS_ENCODED = /^(?:mailto:|https?%3a|(?:https?:\/\/)?[\w.+-]+%40|%20)|^[^\s%]+(?:%20)+$/i;
const BETWEEN = /[\s,;|<>]+|#(?=(?:https?:|mailto:|www\.))/iu;
const SEPARATORS = /[\s\p{Cc},;|<>()[\]{}"'`]+/u;
/** Replaces a character that belongs to no name. It separates, but can also occur in a URL's path. */
const SEPARATOR = '\u0001';

const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z][a-z\d]{1,31}));/gi;
/** HTML entities that can occur within a domain or an address. All others only surround them. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', period: '.', commat: '@', colon: ':', sol: '/', hyphen: '-', dash: '-', num: '#' },
  ...{ shy: '\u00ad', zwj: '\u200d', zwnj: '\u200c', lrm: '\u200e', rlm: '\u200f' },
  ...{ szlig: 'ß', aelig: 'æ', oslash: 'ø', oelig: 'œ', eth: 'ð', thorn: 'þ' },
};
const ACCENTED = /^([a-z])(acute|caron|cedil|circ|grave|ring|tilde|uml)$/i;
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', caron: '\u030c', cedil: '\u0327', circ: '\u0302', grave: '\u0300' },
  ...{ ring: '\u030a', tilde: '\u0303', uml: '\u0308' },
};

/** Letters and signs as typed on Chinese and Japanese keyboards. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;
const IDEOGRAPHIC_STOPS = /[\u3002\uff61]/g;

/** Notations of addresses that prevent clicks and collection by bots. */
const DEFANGED: ReadonlyArray<readonly [RegExp, string]> = [
  [/[[({]\.[\])}]| ?[[({<] ?(?:dot|point|ponto|punkt|punto) ?[\])}>] ?/gi, '.'],
  [/[[({]@[\])}]| ?[[({<] ?(?:arroba|at) ?[\])}>] ?/gi, '@'],
  [/[[({](:(?:\/\/)?)[\])}]/g, '$1'],
];
/** `jo AT acme DOT com` as the whole text; within a sentence, "at" and "dot" are words. */
const SPELLED = /^\s*([\w.+-]{1,64}) at ([\w-]{1,63}(?: dot [\w-]{1,63}){1,4})\s*$/i;
/** A guest of another company's Microsoft tenant: `jo_acme.com#EXT#@other.onmicrosoft.com`. */
const GUEST = /_([^\s_@#]{1,253})#EXT#@[^\s,;|<>"'@]+/gi;
const BRACKETED_IP = /\[(?:IPv6:)?([\da-f:.]{2,45})\][^\s,;|<>"']*/gi;

/** Typographic hyphens within a name, as found in typeset text, and dashes within the name of a host. */
const HYPHEN =
  /(?<=[\p{L}\p{N}])[\u2010\u2011](?=[\p{L}\p{N}])|(?<=(?:^|[\s/@]|www\.)[\p{L}\p{Nd}-]{0,62}\p{L})[\u2012\u2013\u2212](?=[\p{L}\p{N}-]{1,63}\.\p{L})/gu;
/** A space within the name of a host: `www.acme tools.com`. */
const SPACE_IN_HOST =
  /((?:https?:\/\/|www\.)[\p{L}\p{N}-]{1,63}) (?=(?!www\.)[\p{L}\p{N}-]{1,63}(?:\.\p{L}{2,20}){1,3}(?![\w@.-]))/giu;
/** A comma typed for a dot, or a space next to the dot: `jo@acme,com`, `www.acme .com`, `acme. com`. */
const MISTYPED_DOT =
  /((?:@ ?|\/\/|\bwww\.)[\p{L}\p{N}-]{1,63})(?:,| \. ?|\. )(?=(?:com|de|net|org|com?\.[a-z]{2})(?!\.?[\w@-]))|^([\p{L}\p{N}-]{1,63})(?: \.|\. )(?=com$)/giu;
/** A space before the last part of an ending: `acme.co .uk`. */
const SPLIT_ENDING =
  /([\p{L}\p{N}-]{1,63}\.(?:ac|com?|edu|gov|net|or|org)) (\.[a-z]{2})(?![\w@.-])/giu;
/**
 * Quotes, bullets, arrows, signs and pictures, and characters that are letters or numbers in Unicode but noise at
 * the end of a word. Not the replacement character: the lost one may have belonged to the name.
 */
const NOISE = /(?!\p{ASCII}|\ufffd)[\p{P}\p{S}\p{Co}\p{Me}\p{No}\u02b9-\u02df]/gu;
const JAPANESE = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]/u;
/** Of these, characters allowed within names, by the letters on both sides (RFC 5892, appendix A). */
const IN_NAMES: ReadonlyArray<readonly [RegExp, before: RegExp, after: RegExp]> = [
  [/\u00b7/, /l/i, /l/i],
  [/\u30fb/, JAPANESE, JAPANESE],
  [/[\u05f3\u05f4]/, /\p{sc=Hebr}/u, /(?:)/],
  [/\u0f0b/, /\p{sc=Tibt}/u, /\p{sc=Tibt}/u],
  [/[\p{No}\u02b9-\u02df]/u, /[\p{L}\p{Nd}]/u, /[\p{L}\p{Nd}]/u],
];
const STRAY_JOINERS =
  /(?<!(?!\p{ASCII})[\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?!(?!\p{ASCII})[\p{L}\p{M}])/gu;
const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\p{DI}]+/u;

/**
 * Without the markup and punctuation that people, editors and web pages add. A piece that the search limit cuts
 * off is omitted, because it could become a different domain.
 */
export function splitIntoTokens(value: string): string[] {
  const text = IS_ENCODED.test(value) ? (decodePercent(value) ?? value) : value;
  const searched = text.slice(0, MAX_SEARCHED);
  if (searched === text && IS_ONE_PIECE.test(text)) return [text];
  const pieces = cleanText(searched)
    .split(BETWEEN)
    .flatMap((part) => dropUrlTails(part.split(SEPARATORS)));
  const isCut = searched !== text && !SEPARATORS.test(text.charAt(MAX_SEARCHED));
  // A single piece is kept: it is a URL with a very long query, or no domain at all.
  if (isCut && pieces.length > 1) pieces.pop();
  return pieces.flatMap(stripInvisible).filter((piece) => piece !== '');
}

/** Drops pieces that continue the path of a URL: `/biz/joe's.pizza` contains no second domain. */
function dropUrlTails(pieces: readonly string[]): readonly string[] {
  const url = pieces.findIndex((piece) => /^https?:[/\\]+[^/\\]*\.[^/\\]+[/\\]./i.test(piece));
  if (url === -1) return pieces;
  return pieces.filter((piece, at) => at <= url || /^www\.|@|:[/\\]/i.test(piece));
}

function cleanText(text: string): string {
  const decoded = text
    .replace(MISTYPED_DOT, '$1$2.')
    .replace(SPLIT_ENDING, joinEnding)
    .replace(SPACE_IN_HOST, '$1')
    .replace(ENTITY, decodeEntity)
    .replace(GUEST, '@$1')
    .replace(
      SPELLED,
      (_all, name: string, host: string) => `${name}@${host.replace(/ dot /gi, '.')}`,
    );
  const plain = DEFANGED.reduce(
    (rest, [form, sign]) => rest.replace(form, sign),
    decoded.replace(FULL_WIDTH, (sign) =>
      String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET),
    ),
  ).replace(BRACKETED_IP, (all, address: string) => (isIP(address) === 0 ? all : ` ${address} `));
  return /\P{ASCII}/u.test(plain) ? stripNoise(plain) : plain;
}

/** Only to an ending that a registry has: `acme.com .de` is not `acme.com.de`, below which a company sells names. */
function joinEnding(all: string, host: string, ending: string): string {
  const joined = `${host}${ending}`.toLowerCase();
  const { domain, isPrivate } = readSuffix(joined);
  return domain === joined && !isPrivate ? joined : all;
}

function stripNoise(text: string): string {
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

function decodeEntity(_entity: string, hex?: string, decimal?: string, name = ''): string {
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (name === '') return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  const [, letter, accent = ''] = ACCENTED.exec(name) ?? [];
  if (letter !== undefined) return `${letter}${ACCENTS[accent.toLowerCase()] ?? ''}`.normalize();
  return NAMED_ENTITIES[name.toLowerCase()] ?? ' ';
}

/** Removes invisible characters, unless they separate two domains. */
function stripInvisible(piece: string): string[] {
  if (!INVISIBLE.test(piece)) return [piece];
  const parts = piece.split(new RegExp(INVISIBLE, 'gu'));
  const domains = parts.filter((part) => /^(?!www\.).+\../i.test(part) && readSuffix(part).exists);
  return domains.length > 1 ? parts : [parts.join('')];
}
