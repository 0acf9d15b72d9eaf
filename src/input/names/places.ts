import { collectAllTexts } from '../value-texts';
import { isPlaceholderText } from '../placeholders';
import { readCountryName } from './countries';
import { squeeze } from './fold';
import { EAST_ASIAN_STATES, ITALIAN_PROVINCES, STATES } from './states';

export interface GivenCountry {
  readonly text: string;
  /** ISO codes of the countries that it can mean: `Hamburg, DE` is in Germany or Delaware. Empty if not understood. */
  readonly codes: readonly string[];
}

/**
 * A text, a list or an object; undefined if it is empty or a placeholder. Of a list or an object, the values that
 * name a country count, and they must agree.
 */
export function parseCountry(value: unknown): GivenCountry | undefined {
  const texts = collectAllTexts(value).filter((text) => !isPlaceholderText(text.trim()));
  if (texts.every((text) => squeeze(text) === '')) return undefined;
  const places = texts.map(readPlace).filter((codes) => codes.length > 0);
  return { text: texts.join(', '), codes: places.reduce(meet, places[0] ?? []) };
}

const MAX_PLACE_LENGTH = 200;
/** Words that say nothing about the place. */
const ASIDE =
  /[[\]"{}]|\b(?:headquarter(?:s|ed)?(?: in)?|hq|-based|based in|greater|only|(?:or |and )?(?:fully )?(?:remote|hybrid|on-?site|anywhere)(?: (?:within|from|in))?(?: the)?(?=[\s,;:/|)-]|$))[:-]?/gi;
const BETWEEN_PARTS = /[,、;/|()\n\u2022\u00b7]|: |\s[-–—]\s/;

/**
 * The countries that a place can be in: `Hamburg, Germany`, `Austin, TX, US`, `Remote, US`, `DE-10115 Berlin`.
 * Empty if the text names no country, or several.
 */
export function readPlace(given: string): readonly string[] {
  if (given.length > MAX_PLACE_LENGTH) return [];
  const text = given.normalize('NFKC').replace(ASIDE, ' ').replace(/ +/g, ' ').trim();
  // Behind other words, a code can also be that of a state: Remote, CA.
  const whole = readCountryName(squeeze(text).length > 2 ? text : given);
  if (whole !== undefined) return [whole];
  const texts = text.replace(/\bwashington, *(?=d\.?c)/i, 'Washington ').split(BETWEEN_PARTS);
  const parts = texts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => readPart(part, text.includes(`(${part})`)) ?? readLastWords(part));
  // A list of codes, such as DE, AT, CH.
  if (parts.length > 1 && parts.every((part) => part?.country !== undefined && !part.isName)) {
    const countries = new Set(parts.flatMap((part) => part?.country ?? []));
    return countries.size === 1 ? [...countries] : [];
  }
  return combineParts(parts);
}

interface Part {
  /** Countries that it can mean behind a city. */
  readonly codes: readonly string[];
  /** The country that it means alone; undefined for a state. */
  readonly country: string | undefined;
  /** Whether it is more than a code of two letters, which can be that of a region before its country. */
  readonly isName: boolean;
}

/** The last part decides, and no other may contradict it. */
function combineParts(parts: ReadonlyArray<Part | undefined>): readonly string[] {
  const at = parts.findLastIndex((part) => part !== undefined);
  const { codes: ofLast = [], country } = parts[at] ?? {};
  let codes = ofLast;
  for (let index = at - 1; index >= 0; index -= 1) {
    const part = parts[index];
    // A state at the beginning can be a city: Ontario, CA.
    if (part === undefined || (index === 0 && part.country === undefined)) continue;
    const isRegion = index === at - 1 && index > 0 && !(part.isName && part.country !== undefined);
    const shared = meet(codes, part.codes);
    if (shared.length > 0) codes = shared;
    else if (isRegion && country !== undefined) codes = [country];
    else return [];
  }
  return codes;
}

const WITHIN: Readonly<Record<string, string>> = { HK: 'CN', MO: 'CN', TW: 'CN', PR: 'US' };

/** The countries that are in both lists; Hong Kong is also in China. */
function meet(some: readonly string[], others: readonly string[]): readonly string[] {
  const shared = some.filter((code) => others.includes(code));
  if (shared.length > 0) return shared;
  const isWithin = (outer: readonly string[]) => (code: string) =>
    outer.includes(WITHIN[code] ?? '');
  return [...some.filter(isWithin(others)), ...others.filter(isWithin(some))];
}

/** Before a postal code (`DE-10115 Berlin`, `D-10115 Berlin`), ISO 3166-2 (`US-CA`), or behind a language (`de-AT`). */
const SURE_CODE =
  /^(?:[a-z]{2}[-_]([A-Z]{2})$|([A-Z]{1,2})-(?:\d{3,6}\b|(?!US)[A-Z\d]{1,3}$)|([A-Z]{2}) \d{3,6} \p{L})/u;
/** Countries with one letter before postal codes. */
const LETTERS = ['AT', 'BE', 'DE', 'ES', 'FR', 'HU', 'IT', 'LU', 'NO', 'PT', 'SE'];
/** Behind a city or state, also British and Canadian ones. */
const POSTAL_CODE = /\s*\b(?:\d[\d -]*|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/;
/** Names of countries in another language that are those of cities. */
const TOWNS = new Set(['granada', 'guadalupe', 'salvador']);

let states: ReadonlyArray<readonly [country: string, keys: ReadonlySet<string>]> | undefined;

function findStates(key: string): string[] {
  states ??= Object.entries(STATES).map(
    ([country, names]) => [country, new Set(names.split('|').map(squeeze))] as const,
  );
  return states.flatMap(([country, keys]) => (keys.has(key) ? [country] : []));
}

/** @param isProvince Whether a code can be that of an Italian province. */
function readPart(text: string, isProvince = false): Part | undefined {
  const [, language, prefix = language, code = prefix] = SURE_CODE.exec(text) ?? [];
  const sure =
    code?.length === 1 ? LETTERS.find((one) => one.startsWith(code)) : readCountryName(code ?? '');
  if (sure !== undefined) return { codes: [sure], country: sure, isName: true };
  const bare = text.replace(POSTAL_CODE, '');
  const key = squeeze(bare);
  const country = TOWNS.has(key) ? undefined : readCountryName(bare);
  const codes = new Set([...(country === undefined ? [] : [country]), ...findStates(key)]);
  if (isProvince && ITALIAN_PROVINCES.includes(key.toUpperCase())) codes.add('IT');
  return codes.size === 0
    ? readEastAsian(bare)
    : { codes: [...codes], country, isName: key.length > 2 };
}

/** Words before a name that make it another one: `New England`, `Latin America`, `Port of Spain`. */
const OTHER_BEFORE =
  /^(?:&|and|anglo|baja|bay|central|d[aeio]|del|e|east|eastern|el|et|except|fort|gulf|la|lake|latin|little|lower|middle|mount|mt\.?|neu|new|nova|non|north|northern|not|nuev[ao]|of|old|or|outside|port|saint|san|santa|south|southern|st\.?|the|und|upper|west|western|y)$/i;

/** What is written without a comma: `Berlin Germany`, `Austin TX`, `20121 Milano MI`. */
function readLastWords(text: string): Part | undefined {
  const words = text.replace(POSTAL_CODE, '').split(/ |(?<=\p{L}{3})-(?=\p{Lu})/u);
  for (let at = 1; at < words.length; at += 1) {
    const [before, last] = [words.slice(0, at), words.slice(at).join(' ')];
    const canBePlace = squeeze(last).length > 2 || /^[A-Z]\.?[A-Z]\.?$/.test(last);
    const isOther = OTHER_BEFORE.test(before.at(-1) ?? '') || /^(?:&|and) /i.test(last);
    if (!canBePlace || isOther) continue;
    const part = readPart(last, /^\d{5}$/.test(before[0] ?? ''));
    if (part === undefined) continue;
    const others = before.flatMap((word) => (word.length > 2 ? (readCountryName(word) ?? []) : []));
    // Behind a city, a code of two letters is no list of countries.
    return others.every((one) => part.codes.includes(one)) ? { ...part, isName: true } : undefined;
  }
  return undefined;
}

const IS_WITHIN_WORD = /^(?:\p{sc=Hang}{2}|[\p{sc=Kana}ー]{2})$/u;

/** Chinese, Japanese and Korean put the country first, often without a space: `日本東京都`. */
function readEastAsian(text: string): Part | undefined {
  if (!/[\p{sc=Han}\p{sc=Kana}\p{sc=Hang}]/u.test(text)) return undefined;
  const toPart = (country: string) => ({ codes: [country], country, isName: true });
  const last = readCountryName(text.split(' ').at(-1) ?? '');
  if (last !== undefined) return toPart(last);
  for (let length = Math.min(text.length - 1, 12); length > 1; length -= 1) {
    const isWithinWord = IS_WITHIN_WORD.test(text.slice(length - 1, length + 1));
    const country = isWithinWord ? undefined : readCountryName(text.slice(0, length));
    if (country === undefined) continue;
    const inner = readEastAsian(text.slice(length))?.codes ?? [];
    return toPart(meet([country], inner)[0] ?? country);
  }
  const state = EAST_ASIAN_STATES.find(([, form]) => form.test(text))?.[0];
  return state === undefined ? undefined : { codes: [state], country: undefined, isName: true };
}
