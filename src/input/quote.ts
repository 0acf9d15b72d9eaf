import { cut } from '../client/values';

/** Enough to recognize a value by. */
const SHOWN = 60;
const SHOWN_OF_TEXT = 300;

/** A value of the user's own in quotation marks, for a message; long ones are shortened. */
export function quote(value: unknown): string {
  return `"${cut(textOf(value), SHOWN)}"`;
}

/** A name that a service gives, for one of several in a message; long ones are shortened. */
export function brief(name: string): string {
  return cut(name, SHOWN);
}

/** Somebody else's sentence for a message, of bounded length. */
export function shortened(text: string): string {
  return cut(text, SHOWN_OF_TEXT);
}

/** Texts for a message: the first few, and how many more there are. */
export function firstOf(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}

/** The text of any value, as JSON where it is an object. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === undefined || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch {
    // Too deep, in a circle, or no JSON.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

/** Words that differ in more than this share of their letters are other words. */
const LARGEST_SHARE = 0.4;
const SUGGESTIONS = 3;
/** Comparing takes time that grows with the square of the length. */
const LONGEST_WORD = 100;

/**
 * Words that a mistyped one may have been meant for, the closest first.
 *
 * @returns a sentence with a space before it, or nothing when none comes close.
 */
export function didYouMean(word: string, known: Iterable<string>): string {
  if (word.length > LONGEST_WORD) return '';
  const close = [...new Set(known)]
    .map((candidate) => ({ candidate, share: differing(word, candidate) }))
    .filter(({ share }) => share <= LARGEST_SHARE)
    .sort((a, b) => a.share - b.share)
    .slice(0, SUGGESTIONS)
    .map(({ candidate }) => quote(candidate));
  return close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`;
}

/** How large a share of the letters differs; none where one word is the beginning of the other. */
export function differing(word: string, candidate: string): number {
  const [a, b] = [plain(word), plain(candidate)];
  if (a === '' || b === '') return 1;
  return a.startsWith(b) || b.startsWith(a) ? 0 : distance(a, b) / Math.max(a.length, b.length);
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** How many letters must be changed, added or left out to make one word the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_one, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
