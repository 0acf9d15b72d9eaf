/** Never cuts a surrogate pair, and replaces control characters, which terminals and databases misread. */
export function truncateText(text: string, length: number): string {
  const shown =
    text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return shown.replace(/\p{Cc}+/gu, ' ');
}

/** Keeps the joiners that emoji and some scripts need. */
export function stripInvisible(text: string): string {
  return text.replace(/(?![\u200c\u200d])\p{Cf}/gu, '').replace(/\p{Cc}+/gu, ' ');
}

export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Converts `techKey` or `Tech key` to `tech_key`. */
export function toSnakeCase(text: string): string {
  return text
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s_.-]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

const MINUTE_MS = 60_000;

/** Formats Unix milliseconds, rounded up to the minute, as `Jan 31 at 14:05 (New York)`. */
export function formatMoment(at: number, timeZone = 'UTC'): string {
  const moment = new Date(Math.ceil(at / MINUTE_MS) * MINUTE_MS);
  const day = moment.toLocaleDateString('en-US', { timeZone, month: 'short', day: 'numeric' });
  // The British locale writes midnight as 00:00.
  const time = moment.toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
  const city = timeZone.replace(/.*\//, '').replaceAll('_', ' ');
  return `${day} at ${time} (${city})`;
}

export function toText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === undefined || value === null) return '';
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deeply, circular, or not expressible as JSON.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

const MAX_QUOTED_LENGTH = 60;
const MAX_MESSAGE_LENGTH = 300;

export function quote(value: unknown): string {
  return `"${truncateText(toText(value), MAX_QUOTED_LENGTH)}"`;
}

export function shortenMessage(text: string): string {
  return truncateText(text, MAX_MESSAGE_LENGTH);
}

/** "a, b and c" */
export function joinWithAnd(texts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(texts);
}

export function joinFirst(texts: readonly string[], most: number): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}

/** `1,234 rows`, `1 row`. */
export function formatCount(number: number, noun: string): string {
  return `${formatNumber(number)} ${noun}${number === 1 ? '' : 's'}`;
}

export function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}

/** `195 of 240 rows (81%)`, `3 of 3,000 (under 1%)`; without a percentage if the whole is 0. */
export function formatShare(part: number, whole: number, nouns = ''): string {
  const percent = Math.round((100 * part) / whole);
  const rounded = part > 0 && percent === 0 ? 'under 1' : String(percent);
  const share = whole === 0 ? '' : ` (${rounded}%)`;
  return `${formatNumber(part)} of ${formatNumber(whole)}${nouns === '' ? '' : ` ${nouns}`}${share}`;
}
