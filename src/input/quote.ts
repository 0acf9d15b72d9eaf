import { cut } from '../client/cut';

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
