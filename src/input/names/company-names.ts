import { isPlaceholderText } from '../placeholders';
import { ATTACHED_FORMS, LEADING_FORMS, LEGAL_FORMS, ONLY_ABBREVIATED } from './legal-forms';

/** A company's name as a list has it. */
export interface CompanyName {
  /** As it stands there. */
  readonly text: string;
  /** The same without its legal form: what a search by text finds. */
  readonly query: string;
  /** The normalized name; where it can be written in two ways (Müller, Mueller), both. */
  readonly keys: readonly [string, ...string[]];
}

/** No company is called so; longer cells hold something else. */
const LONGEST = 200;

/** What else stands in a list of companies where there is none, normalized. */
const NOT_A_COMPANY = new Set(
  (
    'no,nocompany,noname,empty,test,testing,testcompany,asdf,company,mycompany,yourcompany,private,' +
    'privat,privatperson,individual,selfemployed,selbstandig,freelance,freelancer,student,retired,' +
    'unemployed,personal'
  ).split(','),
);

/** Legal forms that nobody is called by; of others, such as SAS, somebody is. */
const NO_NAME = new Set(
  'company co corp inc llc ltd limited plc gmbh ag kg ug sa srl bv nv ab as oy'.split(' '),
);

/**
 * Reads a company's name.
 *
 * @returns undefined where there is none: nothing, a placeholder (`n/a`), a legal form alone.
 */
export function companyNameOf(value: unknown): CompanyName | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text === '' || text.length > LONGEST || /\p{Surrogate}/u.test(text)) return undefined;
  if (isNoCompany(text)) return undefined;
  const bare = withoutAttached(text);
  const words = withoutForms(wordsOf(bare));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const query = bare.slice(first.from, last.to);
  if (isNoCompany(query)) return undefined;
  const key = keyOf(words);
  const german = germanKeyOf(words);
  return {
    text,
    query,
    keys: german === key ? [key] : [key, german],
  };
}

function isNoCompany(text: string): boolean {
  return isPlaceholderText(text) || NOT_A_COMPANY.has(keyOf(wordsOf(text)));
}

/** Whether two names are the same but for case, accents, punctuation, spaces and legal form. */
export function isSameName(a: CompanyName, b: CompanyName): boolean {
  return a.keys.some((key) => b.keys.includes(key));
}

// --- Words of a name -----------------------------------------------------------------------------

interface Word {
  /** As it stands in the text, without dots, slashes and apostrophes. */
  readonly text: string;
  /** In lower case without accents. */
  readonly folded: string;
  /** Written as an abbreviation: `S.p.A.`, `A/S`, `eG`. */
  readonly isAbbreviation: boolean;
  readonly from: number;
  readonly to: number;
}

/** Signs within a word: O’Reilly, and the Hebrew gershayim of an abbreviation. */
const QUOTES = '\'’‘´`"״׳';
const LETTER = String.raw`\p{L}\p{M}*`;
/** Single letters with dots or slashes between them; a word; an and. */
const WORD = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${LETTER}(?:\. ?|/)(?=${LETTER}(?![\p{L}\p{N}])))+${LETTER}` +
    String.raw`|[\p{L}\p{M}\p{N}]+(?:[${QUOTES}][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|&`,
  'gu',
);

function wordsOf(text: string): Word[] {
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

/** Letters that are not made of a letter and an accent. */
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

function keyOf(words: readonly Word[]): string {
  return words.map(({ folded }) => folded).join('');
}

/** The same with ä, ö, ü, å and ø as they are written without a key for them. */
function germanKeyOf(words: readonly Word[]): string {
  const spelled = (text: string) =>
    fold(
      text
        .toLowerCase()
        .replace(/[äöü]/g, (letter) => `${letter.normalize('NFD').charAt(0)}e`)
        .replace(/ø/g, 'oe')
        .replace(/å/g, 'aa'),
    );
  return words.map((word) => (word.folded === 'and' ? 'and' : spelled(word.text))).join('');
}

// --- Legal forms ---------------------------------------------------------------------------------

const AT_END = new Set(Object.values(LEGAL_FORMS).flatMap((forms) => forms.split(',')));
const ABBREVIATED = new Set(ONLY_ABBREVIATED);
const AT_BEGINNING = new Set(LEADING_FORMS);
/** Words of the longest form. */
const MOST_WORDS = Math.max(...[...AT_END].map((form) => form.split(' ').length));

/** The words of the name itself; none where there is only a legal form. */
function withoutForms(words: readonly Word[]): readonly Word[] {
  let rest = words;
  for (;;) {
    const last = formAtEnd(rest);
    const first = last === 0 ? formAtBeginning(rest) : 0;
    if (last + first === 0) return rest;
    if (last + first === rest.length) return isForm(rest) ? [] : rest;
    rest = rest.slice(first, rest.length - last);
  }
}

/** Whether what looks like a legal form is nothing else. */
function isForm(words: readonly Word[]): boolean {
  const [only, another] = words;
  return another !== undefined || only?.isAbbreviation === true || NO_NAME.has(keyOf(words));
}

function formAtBeginning(words: readonly Word[]): number {
  return [2, 1].find((count) => AT_BEGINNING.has(textOf(words.slice(0, count)))) ?? 0;
}

/** How many words at the end are a legal form, or what is left over between two of them. */
function formAtEnd(words: readonly Word[]): number {
  for (let count = Math.min(MOST_WORDS, words.length); count > 0; count -= 1) {
    if (AT_END.has(textOf(words.slice(-count)))) return count;
  }
  const last = words.at(-1);
  if (last === undefined) return 0;
  if (last.text === '&') return 1;
  return last.isAbbreviation && ABBREVIATED.has(last.folded) ? 1 : 0;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ folded }) => folded).join(' ');
}

/** Around a name, except the brackets of `(株)`. */
const OUTER_SIGNS = /^[^\p{L}\p{M}\p{N}(]+|[^\p{L}\p{M}\p{N})]+$/gu;

function withoutAttached(name: string): string {
  const text = name.replace(OUTER_SIGNS, '');
  const first = ATTACHED_FORMS.find((form) => text.startsWith(form));
  if (first !== undefined) return withoutAttached(text.slice(first.length));
  const last = ATTACHED_FORMS.find((form) => text.endsWith(form));
  return last === undefined ? text : withoutAttached(text.slice(0, -last.length));
}
