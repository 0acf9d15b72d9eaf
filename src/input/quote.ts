import { toText, truncateText } from '../client/values';

const MAX_QUOTED_LENGTH = 60;
const MAX_MESSAGE_LENGTH = 300;

/** Long values are shortened. */
export function quote(value: unknown): string {
  return `"${truncateText(toText(value), MAX_QUOTED_LENGTH)}"`;
}

/** From another program. */
export function shortenMessage(text: string): string {
  return truncateText(text, MAX_MESSAGE_LENGTH);
}

/** "a, b and c" */
export function joinWithAnd(texts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(texts);
}

/** Adds how many more there are. */
export function joinFirst(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}
