import { isPlaceholderText } from '../placeholders';
import { ATTACHED_FORMS, LEADING_FORMS, LEGAL_FORMS, ONLY_ABBREVIATED } from './legal-forms';

/** A company's name from a list. */
export interface CompanyName {
  /** The name as the list has it. */
  readonly text: string;
  /** The name without its legal form, for a search by text. */
  readonly query: string;
  /** The normalized name; two if it has two spellings (Müller, Mueller). */
  readonly keys: readonly [string, ...string[]];
}

/** The longest name in characters; longer cells contain something else. */
const MAX_NAME_LENGTH = 200;

/** Further placeholders for a missing company, normalized. */
const NOT_A_COMPANY = new Set(
  (
    'no,nocompany,noname,empty,test,testing,testcompany,asdf,company,mycompany,yourcompany,private,' +
    'privat,privatperson,individual,selfemployed,selbstandig,freelance,freelancer,student,retired,' +
    'unemployed,personal'
  ).split(','),
);

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
  const words = stripArticle(stripLegalForms(splitWords(bare)));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const query = bare.slice(first.from, last.to);
  // With a legal form, such a word is the name of a company: Niet Bekend B.V.
  const hasForm = words.length < splitWords(text).length;
  if (!hasForm && isNoCompany(query)) return undefined;
  const key = joinKey(words);
  const german = joinGermanKey(words);
  return {
    text,
    query,
    keys: german === key ? [key] : [key, german],
  };
}

function isNoCompany(text: string): boolean {
  return isPlaceholderText(text) || NOT_A_COMPANY.has(joinKey(splitWords(text)));
}

/** Returns whether two names are equal except for case, accents, punctuation, spaces and legal form. */
export function isSameName(a: CompanyName, b: CompanyName): boolean {
  return a.keys.some((key) => b.keys.includes(key));
}

// --- Words of a name -----------------------------------------------------------------------------

interface Word {
  /** The word as in the text, without dots, slashes and apostrophes. */
  readonly text: string;
  /** The word in lower case without accents. */
  readonly folded: string;
  /** Whether the word is written as an abbreviation: `S.p.A.`, `A/S`, `eG`. */
  readonly isAbbreviation: boolean;
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
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœøłđðþıħ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC');
}

/** The word "and" in languages in which companies also write it as `&`. */
const AND = new Set('and und et e y og och en ve es'.split(' '));

/** Returns whether a word between two others means "and". */
function isAnd({ folded }: Word, index: number, words: readonly Word[]): boolean {
  return AND.has(folded) && index > 0 && index < words.length - 1;
}

function joinWith(words: readonly Word[], spell: (word: Word) => string): string {
  return words
    .map((word, ...at) => (word.folded === 'and' || isAnd(word, ...at) ? 'and' : spell(word)))
    .join('');
}

function joinKey(words: readonly Word[]): string {
  return joinWith(words, ({ folded }) => folded);
}

/** Returns the key with ä, ö, ü, å and ø spelled as on keyboards without these letters. */
function joinGermanKey(words: readonly Word[]): string {
  return joinWith(words, ({ text }) =>
    fold(
      text
        .toLowerCase()
        .replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)
        .replace(/ø/g, 'oe')
        .replace(/å/g, 'aa'),
    ),
  );
}

// --- Legal forms ---------------------------------------------------------------------------------

const AT_END = new Set(Object.values(LEGAL_FORMS).flatMap((forms) => forms.split(',')));
const ABBREVIATED = new Set(ONLY_ABBREVIATED);
const AT_BEGINNING = new Set(LEADING_FORMS);
/** Number of words of the longest legal form. */
const MAX_FORM_WORDS = Math.max(...[...AT_END].map((form) => form.split(' ').length));

/** Returns the words without legal forms; empty if there is only a legal form. */
function stripLegalForms(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (;;) {
    const last = formAtEnd(rest);
    const first = last === 0 ? formAtBeginning(rest) : 0;
    if (last + first === 0) return rest;
    if (last + first === rest.length) return isForm(rest) ? [] : rest;
    rest = rest.slice(first, rest.length - last);
  }
}

/** Returns whether words that look like a legal form cannot be a name. */
function isForm(words: readonly Word[]): boolean {
  const [only, another] = words;
  return another !== undefined || only?.isAbbreviation === true || NO_NAME.has(joinKey(words));
}

/** Returns the words without a leading "The", unless a single word would be left: "The Gap". */
function stripArticle(words: readonly Word[]): readonly Word[] {
  return words.length > 2 && words[0]?.folded === 'the' ? stripArticle(words.slice(1)) : words;
}

function formAtBeginning(words: readonly Word[]): number {
  for (let count = Math.min(MAX_FORM_WORDS, words.length); count > 0; count -= 1) {
    if (AT_BEGINNING.has(joinWords(words.slice(0, count)))) return count;
  }
  return 0;
}

/** Counts the words at the end that are a legal form, or an `&` left between two of them. */
function formAtEnd(words: readonly Word[]): number {
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
