import { isPlaceholderText } from '../placeholders';
import {
  ATTACHED_FORMS,
  LEADING_ABBREVIATIONS,
  LEADING_FORMS,
  LEGAL_FORMS,
  ONLY_ABBREVIATED,
} from './legal-forms';
import { NOT_A_COMPANY } from './no-company';

/** A company's name from a list. */
export interface CompanyName {
  /** The name as the list has it. */
  readonly text: string;
  /** The name without its legal form, for a search by text. */
  readonly query: string;
  /**
   * A plainer text to search if nothing contains `query`: without hyphens, and without what follows
   * a bracket or a bar (`Acme (HQ)`, `Acme | Berlin`). Undefined if there is none.
   */
  readonly fallback: string | undefined;
  /** The normalized name; two if it has two spellings (Müller, Mueller). */
  readonly keys: readonly [string, ...string[]];
  /** Legal forms that were removed at the end, in lower case: `gmbh and co kg`. */
  readonly forms: readonly string[];
}

/** The longest name in characters; longer cells contain something else. */
const MAX_NAME_LENGTH = 200;

/** Legal forms that are no company's name. Others are: SAS, for example. */
const NO_NAME = new Set(
  'company co corp inc llc ltd limited plc gmbh ag kg ug sa srl bv nv ab as oy'.split(' '),
);

/**
 * Reads a company's name.
 *
 * @returns the name; undefined if the value is empty, a placeholder (`n/a`) or only a legal form.
 */
export function parseCompanyName(value: unknown): CompanyName | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text === '' || text.length > MAX_NAME_LENGTH || /\p{Surrogate}/u.test(text)) return undefined;
  if (isNoCompany(text)) return undefined;
  const bare = stripAttachedForms(text);
  const { rest, forms } = stripLegalForms(splitWords(bare));
  const words = stripArticle(rest);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const query = bare.slice(first.from, last.to);
  // With a legal form, such a word is the name of a company: Niet Bekend B.V.
  const hasForm = words.length < splitWords(text).length;
  if (!hasForm && isNoCompany(query)) return undefined;
  const key = joinKey(words, ({ key: own }) => own);
  const spelledOut = joinKey(words, ({ text: own }) => spellOut(own));
  return {
    text,
    query,
    fallback: toPlainQuery(query),
    keys: spelledOut === key ? [key] : [key, spelledOut],
    forms,
  };
}

function isNoCompany(text: string): boolean {
  return isPlaceholderText(text) || NOT_A_COMPANY.has(squeeze(text));
}

/**
 * Returns whether two names are equal except for case, accents, punctuation and legal form. Spaces
 * count, and `ä` is `ae` but not `a`.
 */
export function isSameName(a: CompanyName, b: CompanyName): boolean {
  return a.keys.some((key) => b.keys.includes(key));
}

/** Returns whether both names have a legal form and no country has both: `Inc.` and `GmbH`. */
export function hasOtherLegalForm(a: CompanyName, b: CompanyName): boolean {
  const [own, other] = [a.forms, b.forms];
  if (own.length === 0 || other.length === 0) return false;
  const wordsOf = (forms: readonly string[]) =>
    forms.flatMap((form) => form.split(' ').map((word) => (word === 'limited' ? 'ltd' : word)));
  if (wordsOf(own).some((word) => wordsOf(other).includes(word))) return false;
  const countriesOf = (forms: readonly string[]) =>
    COUNTRIES_OF_FORMS.filter(([, known]) => forms.some((form) => known.includes(form)));
  return !countriesOf(own).some((country) => countriesOf(other).includes(country));
}

/** A cut in a name before a remark: `Acme (HQ)`, `Acme | Berlin`, `Acme – Berlin`. */
const REMARK = /(?<=[\p{L}\p{N}].*)\s*(?:[|([{]|\s[-–—•·]\s).*$/su;

function toPlainQuery(query: string): string | undefined {
  const plain = query.replace(REMARK, '').replace(/[-‐‑_/]+/g, ' ');
  const words = splitWords(plain);
  const { rest } = stripLegalForms(words.slice(findLeadingForm(words)));
  const [first, last] = [rest[0], rest.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const text = plain.slice(first.from, last.to);
  return text === query ? undefined : text;
}

// --- Words of a name -----------------------------------------------------------------------------

interface Word {
  /** The word as in the text, without dots, slashes and apostrophes. */
  readonly text: string;
  /** The word in lower case without accents. */
  readonly folded: string;
  /** The word as names are compared: `folded`, but with `ä`, `ö` and `ü`. */
  readonly key: string;
  /** Whether the word is written as an abbreviation: `S.p.A.`, `A/S`, `eG`. */
  readonly isAbbreviation: boolean;
  /** Whether only a dot separates it from the word before: `E.ON`, `Booking.com`. */
  readonly isAfterDot: boolean;
  readonly from: number;
  readonly to: number;
}

/** Quotes that can occur within a word: O’Reilly, and the gershayim of Hebrew abbreviations. */
const QUOTES = '\'’‘´`"״׳';
const LETTER = String.raw`\p{L}\p{M}*`;
/** Single letters separated by dots or slashes, or a word, or an ampersand. */
const WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${LETTER}(?:\. ?|/)(?=${LETTER}(?![\p{L}\p{N}])))+${LETTER}` +
    String.raw`|[\p{L}\p{M}\p{N}]+(?:[${QUOTES}][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|&`,
  'gu',
);

function splitWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), (match) => {
    const [written] = match;
    const plain = written.replace(/[^\p{L}\p{M}\p{N}&]/gu, '');
    return {
      text: plain,
      folded: written === '&' ? 'and' : fold(plain),
      key: foldAccents(plain),
      isAbbreviation: /[./]/.test(written) || /^.+\p{Lu}/u.test(plain.replace(/^\p{Lu}+$/u, '')),
      isAfterDot: text[match.index - 1] === '.' && match.index > 1,
      from: match.index,
      to: match.index + written.length,
    };
  });
}

/** Letters that Unicode does not decompose into a letter and an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h' },
};

function fold(text: string): string {
  return foldAccents(text)
    .normalize('NFD')
    .replace(/\u0308/g, '')
    .normalize('NFC');
}

/** Removes case and accents, except those of `ä`, `ö` and `ü`: Bösch is not Bosch. */
function foldAccents(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<![aou])\u0308|[\u0300-\u0307\u0309-\u036f]/g, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

function squeeze(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');
}

/** The word "and" in languages in which companies also write it as `&`. */
const AND = new Set('and und et e y og och en ve es'.split(' '));

/** Returns whether a word between two others means "and". */
function isAnd({ folded }: Word, index: number, words: readonly Word[]): boolean {
  return AND.has(folded) && index > 0 && index < words.length - 1;
}

/** Joins the words of a name as they are compared, each spelled by a function. */
function joinKey(words: readonly Word[], spell: (word: Word) => string): string {
  return words
    .map((word, ...at) => {
      const spelled = word.folded === 'and' || isAnd(word, ...at) ? 'and' : spell(word);
      return at[0] > 0 && !word.isAfterDot ? ` ${spelled}` : spelled;
    })
    .join('');
}

/** Spells ä, ö, ü, å and ø as on keyboards without these letters. */
function spellOut(word: string): string {
  return fold(
    word
      .toLowerCase()
      .replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)
      .replace(/ø/g, 'oe')
      .replace(/å/g, 'aa'),
  );
}

// --- Legal forms ---------------------------------------------------------------------------------

const COUNTRIES_OF_FORMS = Object.entries(LEGAL_FORMS).map(
  ([country, forms]) => [country, forms.split(',')] as const,
);
const AT_END = new Set(COUNTRIES_OF_FORMS.flatMap(([, forms]) => forms));
const ABBREVIATED = new Set(ONLY_ABBREVIATED);
const AT_BEGINNING = new Set(LEADING_FORMS);
const LEADING = new Set(LEADING_ABBREVIATIONS);
/** Number of words of the longest legal form. */
const MAX_FORM_WORDS = Math.max(...[...AT_END].map((form) => form.split(' ').length));

/**
 * Removes legal forms; nothing is left if there is only a legal form. Forms at the beginning are not
 * returned: companies with one (`株式会社`) also use forms of other countries.
 */
function stripLegalForms(words: readonly Word[]): { rest: readonly Word[]; forms: string[] } {
  let rest = words;
  const forms: string[] = [];
  for (;;) {
    const last = findFormAtEnd(rest);
    const first = last === 0 ? findFormAtBeginning(rest) : 0;
    if (last + first === 0) return { rest, forms };
    if (last + first === rest.length) return { rest: isForm(rest) ? [] : rest, forms };
    const name = rest.slice(first, rest.length - last);
    // A single letter is no name: X Corp.
    if (name.map(({ text }) => text).join('').length === 1) return { rest, forms };
    if (last > 0) forms.push(joinWords(rest.slice(rest.length - last)));
    rest = name;
  }
}

/** Returns whether words that look like a legal form cannot be a name. */
function isForm(words: readonly Word[]): boolean {
  const [only, another] = words;
  return another !== undefined || only?.isAbbreviation === true || NO_NAME.has(joinWords(words));
}

/** Returns the words without a leading "The", unless a single word would be left: "The Gap". */
function stripArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 2 && words[0]?.folded === 'the' ? stripArticle(words.slice(1)) : words;
}

/** Counts the words at the beginning that are probably a legal form: `UAB Girteka`. */
function findLeadingForm(words: readonly Word[]): number {
  return words.length > 1 && LEADING.has(words[0]?.folded ?? '') ? 1 : 0;
}

function findFormAtBeginning(words: readonly Word[]): number {
  for (let count = Math.min(MAX_FORM_WORDS, words.length); count > 0; count -= 1) {
    if (AT_BEGINNING.has(joinWords(words.slice(0, count)))) return count;
  }
  return 0;
}

/** Counts the words at the end that are a legal form, or an `&` left between two of them. */
function findFormAtEnd(words: readonly Word[]): number {
  for (let count = Math.min(MAX_FORM_WORDS, words.length); count > 0; count -= 1) {
    if (AT_END.has(joinWords(words.slice(-count)))) return count;
  }
  const last = words.at(-1);
  if (last === undefined) return 0;
  if (last.text === '&') return 1;
  return last.isAbbreviation && ABBREVIATED.has(last.folded) ? 1 : 0;
}

function joinWords(words: readonly Word[]): string {
  return words.map(({ folded }) => folded).join(' ');
}

/** Characters around a name, except the brackets of `(株)`. */
const OUTER_SIGNS = /^[^\p{L}\p{M}\p{N}(]+|[^\p{L}\p{M}\p{N})]+$/gu;

function stripAttachedForms(name: string): string {
  const text = name.replace(OUTER_SIGNS, '');
  const first = ATTACHED_FORMS.find((form) => text.startsWith(form));
  if (first !== undefined) return stripAttachedForms(text.slice(first.length));
  const last = ATTACHED_FORMS.find((form) => text.endsWith(form));
  return last === undefined ? text : stripAttachedForms(text.slice(0, -last.length));
}
