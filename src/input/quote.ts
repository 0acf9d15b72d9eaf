import { toText, truncateText } from '../client/values';

/** Characters shown of a value: enough to recognize it. */
const MAX_QUOTED_LENGTH = 60;
const MAX_MESSAGE_LENGTH = 300;

/** Returns a user's value in quotation marks for a message; long values are shortened. */
export function quote(value: unknown): string {
  return `"${truncateText(toText(value), MAX_QUOTED_LENGTH)}"`;
}

/** Returns a sentence from another program for a message, limited in length. */
export function shortenMessage(text: string): string {
  return truncateText(text, MAX_MESSAGE_LENGTH);
}

/** Joins texts for a message: "a, b and c". */
export function joinWithAnd(texts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(texts);
}

/** Joins the first texts for a message and adds how many more there are. */
export function joinFirst(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}

/** Returns the share of letters that differ, 0 to 1; 0 if one word is the beginning of the other. */
export function editDistanceRatio(word: string, candidate: string): number {
  const [a, b] = [normalizeWord(word), normalizeWord(candidate)];
  if (a === '' || b === '') return 1;
  return a.startsWith(b) || b.startsWith(a) ? 0 : editDistance(a, b) / Math.max(a.length, b.length);
}

function normalizeWord(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Counts the letters to change, add or remove to turn one word into the other (Levenshtein
 * distance).
 */
function editDistance(a: string, b: string): number {
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
