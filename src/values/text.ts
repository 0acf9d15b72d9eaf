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

/** Formats Unix milliseconds, rounded up to the second, as `2026-01-31T14:05:00+01:00`. */
export function formatMoment(at: number, timeZone = 'UTC'): string {
  // The Swedish locale writes dates as in ISO 8601.
  const written = new Date(Math.ceil(at / 1000) * 1000).toLocaleString('sv-SE', {
    timeZone,
    timeZoneName: 'longOffset',
  });
  const [day = '', time = '', zone = ''] = written.split(' ');
  const offset = zone.replace('GMT', '').replace('\u2212', '-');
  return `${day}T${time}${offset === '' || offset === '+00:00' ? 'Z' : offset}`;
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
