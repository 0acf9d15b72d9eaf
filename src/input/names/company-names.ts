import { isPlaceholderText } from '../placeholders';
import { collectNames } from '../value-texts';
import { fold, foldAccents, spellOut } from './fold';
import { ATTACHED_FORMS, LEADING_FORMS, LEGAL_FORMS, ONLY_ABBREVIATED } from './legal-forms';
import { isNoCompany } from './no-company';

export interface CompanyName {
  readonly text: string;
  /** The name without its legal form, for a search by text. */
  readonly query: string;
  /** The normalized name in all its spellings: Müller and Mueller, Acme.Labs and Acme Labs. */
  readonly keys: readonly [string, ...string[]];
  /** Legal forms that were removed at the end, in lower case: `gmbh and co kg`. */
  readonly forms: readonly string[];
}

/** Longer cells contain something else. */
const MAX_NAME_LENGTH = 200;

/** Legal forms that are no company's name. Others are: SAS, for example. */
const NO_NAME = new Set(
  'company co corp inc llc ltd limited plc gmbh ag kg ug sa srl bv nv ab as oy'.split(' '),
);

/** The only text or number in a list, or the name in an object; empty for other values and several names. */
export function readNameText(value: unknown): string {
  const names = new Set(typeof value === 'object' ? collectNames(value) : [value]);
  const [name] = names;
  if (names.size !== 1 || (typeof name !== 'string' && typeof name !== 'number')) return '';
  return String(name).replace(TRADE_MARKS, ' ').normalize('NFKC').replace(/\s+/g, ' ').trim();
}

/** NFKC would make letters of them. */
const TRADE_MARKS = /[\u2120\u2122]/g;

/** Undefined for an empty text, a placeholder (`n/a`) or only a legal form. */
export function parseCompanyName(value: unknown): CompanyName | undefined {
  const text = readNameText(value);
  if (text === '' || text.length > MAX_NAME_LENGTH || /\p{Surrogate}/u.test(text)) return undefined;
  if (isPlaceholderText(text) || isNoCompany(text)) return undefined;
  const bare = stripAttachedForms(text);
  const { rest, forms } = stripLegalForms(splitWords(bare));
  const whole = stripArticle(rest);
  const words = stripIndonesianForm(whole, forms);
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const query = bare.slice(first.from, last.to);
  // With a legal form, such a word is the name of a company: Niet Bekend B.V.
  const hasForm = words.length < splitWords(text).length;
  if (!hasForm && (isPlaceholderText(query) || isNoCompany(query))) return undefined;
  const [key = '', ...others] = new Set(
    [...new Set([words, whole])].flatMap((spelled) =>
      ['', ' '].flatMap((dot) =>
        [foldAccents, spellOut].map((spell) => joinKey(spelled, spell, dot)),
      ),
    ),
  );
  return { text, query, keys: [key, ...others], forms };
}

/** Except for case, accents, punctuation and legal form. Spaces count, and `ä` is `ae` but not `a`. */
export function isSameName(a: CompanyName, b: CompanyName): boolean {
  return a.keys.some((key) => b.keys.includes(key));
}

/** Both have a legal form and no country has both: `Inc.` and `GmbH`. */
export function hasOtherLegalForm(a: CompanyName, b: CompanyName): boolean {
  const [own, other] = [a.forms, b.forms];
  if (own.length === 0 || other.length === 0) return false;
  const wordsOf = (forms: readonly string[]) =>
    forms.flatMap((form) => form.split(' ').map((word) => (word === 'limited' ? 'ltd' : word)));
  if (wordsOf(own).some((word) => wordsOf(other).includes(word))) return false;
  const isOfBoth = (known: readonly string[]) =>
    [own, other].every((forms) => forms.some((form) => known.includes(form)));
  return !FORMS_BY_COUNTRY.some(isOfBoth);
}

interface Word {
  readonly text: string;
  readonly folded: string;
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
      isAbbreviation: /[./]/.test(written) || /^.+\p{Lu}/u.test(plain.replace(/^\p{Lu}+$/u, '')),
      isAfterDot: text[match.index - 1] === '.' && match.index > 1,
      from: match.index,
      to: match.index + written.length,
    };
  });
}

/** The word "and" in languages in which companies also write it as `&`. */
const AND = new Set('and und et e y og och en ve es'.split(' '));

function isAnd({ folded }: Word, index: number, words: readonly Word[]): boolean {
  return AND.has(folded) && index > 0 && index < words.length - 1;
}

function joinKey(words: readonly Word[], spell: (text: string) => string, dot: string): string {
  return words
    .map((word, ...at) => {
      const spelled = word.folded === 'and' || isAnd(word, ...at) ? 'and' : spell(word.text);
      return at[0] === 0 ? spelled : `${word.isAfterDot ? dot : ' '}${spelled}`;
    })
    .join('');
}

const FORMS_BY_COUNTRY = Object.values(LEGAL_FORMS).map((forms) => forms.split(','));
const AT_END = new Set(FORMS_BY_COUNTRY.flat());
const ABBREVIATED = new Set(ONLY_ABBREVIATED);
const AT_BEGINNING = new Set(LEADING_FORMS);
const MAX_FORM_WORDS = Math.max(
  ...[...AT_END, ...AT_BEGINNING].map((form) => form.split(' ').length),
);

/**
 * Nothing is left if there is only a legal form. Forms at the beginning are not returned: companies with one
 * (`株式会社`) also use forms of other countries.
 */
function stripLegalForms(words: readonly Word[]): { rest: readonly Word[]; forms: string[] } {
  let rest = words;
  const forms: string[] = [];
  for (;;) {
    const last = findFormAtEnd(rest);
    const first = last === 0 ? findForm(AT_BEGINNING, (count) => rest.slice(0, count)) : 0;
    if (last + first === 0) return { rest, forms };
    if (last + first === rest.length) return { rest: isForm(rest) ? [] : rest, forms };
    const name = rest.slice(first, rest.length - last);
    // A single letter is no name: X Corp.
    const isLetter = name.map(({ text }) => text).join('').length === 1;
    if (isLetter && rest.at(-1)?.text !== '&') return { rest, forms };
    if (last > 0) forms.push(joinWords(rest.slice(rest.length - last)));
    rest = name;
  }
}

/** `PT` begins the name of an Indonesian company only if another form ends it: `PT Acme Tbk`. */
function stripIndonesianForm(words: readonly Word[], forms: readonly string[]): readonly Word[] {
  const isIndonesian = forms.includes('tbk') || forms.includes('persero');
  return isIndonesian && words.length > 1 && words[0]?.folded === 'pt' ? words.slice(1) : words;
}

function isForm(words: readonly Word[]): boolean {
  const [only, another] = words;
  return another !== undefined || only?.isAbbreviation === true || NO_NAME.has(joinWords(words));
}

/** Unless a single word would be left: "The Gap". */
function stripArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 2 && words[0]?.folded === 'the' ? stripArticle(words.slice(1)) : words;
}

function findForm(forms: ReadonlySet<string>, take: (count: number) => readonly Word[]): number {
  for (let count = MAX_FORM_WORDS; count > 0; count -= 1) {
    const words = take(count);
    if (words.length === count && forms.has(joinWords(words))) return count;
  }
  return 0;
}

function findFormAtEnd(words: readonly Word[]): number {
  const count = findForm(AT_END, (most) => words.slice(-most));
  const last = words.at(-1);
  if (count > 0 || last === undefined) return count;
  return last.text === '&' || (last.isAbbreviation && ABBREVIATED.has(last.folded)) ? 1 : 0;
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
