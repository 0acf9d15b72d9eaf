import { isRow } from '../client/values';
import { InputError } from './inputs';
import { quote } from './quote';

/**
 * Fields with the time of a technology's last detection (API spec: Company technology, Bulk company
 * result).
 */
const FIELDS = ['last_seen_at', 'last_seen'];

/**
 * Returns when the service last saw a company: the newest last-seen time in the data about it.
 *
 * @param data a time (text, a Date, a DateTime from an n8n expression, or seconds or milliseconds
 * since 1970), or data that contain such times at any depth, as JSON or as JSON text; nothing if they
 * are unknown.
 * @returns the time in Unix milliseconds; undefined if the data contain no time.
 * @throws {InputError} when the value is neither a time nor data, or when a date is ambiguous.
 */
export function findLastSeen(data: unknown): number | undefined {
  if (data === undefined || data === null) return undefined;
  const text = typeof data === 'string' ? data.trim() : undefined;
  if (text === '') return undefined;
  const time = parseTime(data);
  if (time !== undefined) return time;
  const json = text === undefined ? data : parseJsonText(text);
  if (isPlainData(json)) return findNewest(json);
  throw new InputError(
    `"Last Seen At" must be a time or data that contain last_seen_at, not ${quote(data)}`,
    'Correct the value, or leave it empty for items whose time is unknown.',
  );
}

/**
 * Returns whether a value is an object or list as in JSON, not a duration or another special object.
 */
function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  // An object with a numeric value that is no time, such as an invalid DateTime.
  if (typeof (value as { valueOf: () => unknown }).valueOf === 'function') {
    if (typeof value.valueOf() === 'number') return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Compares no prototypes directly, because n8n can evaluate expressions in another realm.
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function findNewest(data: unknown): number | undefined {
  let newest: number | undefined;
  // A loop instead of recursion, because very deep data would overflow the stack.
  const open: unknown[] = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) for (const element of one) open.push(element);
    else if (one instanceof Date) newest = pickLater(newest, parseTime(one));
    else if (isRow(one)) {
      for (const [name, value] of Object.entries(one)) {
        if (FIELDS.includes(name)) newest = pickLater(newest, parseTime(value));
        else open.push(value);
      }
    }
  }
  return newest;
}

/**
 * Smaller numbers are seconds, others milliseconds. As milliseconds it is 1973, as seconds year
 * 5138.
 */
const FIRST_MILLISECONDS = 1e11;
/** The same day in 1973 in seconds; smaller numbers are not times of this service. */
const FIRST_SECONDS = 1e8;

/**
 * A text that begins like a date and contains a year. `Date.parse` alone accepts much more as a
 * date.
 */
const LIKE_A_TIME =
  /^(?:\d|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)).*\d{4}|^\d{4}/i;

/** A day, a month and a year in numbers, with the year last, optionally followed by a time of day. */
const NUMERIC_DATE = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s;

/** The largest offset of a time zone from UTC: today's date there can be later than in UTC. */
const MAX_ZONE_OFFSET_MS = 14 * 60 * 60_000;

/**
 * Parses a date in numbers. With dots, the day comes first, unless that date is in the future and the
 * other reading is not.
 *
 * @returns Unix milliseconds; undefined if the text is no date in numbers; NaN if the date does not exist.
 * @throws {InputError} when the text can mean two dates.
 */
function parseNumericDate(text: string): number | undefined {
  const [whole, first = '', mark, second = '', year = '', rest = ''] =
    NUMERIC_DATE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const readings = [
    [first, second],
    [second, first],
  ].map(([day = '', month = '']) => {
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    // V8 reads 31 February as 3 March.
    const isDate = new Date(date).getUTCDate() === Number(day);
    return { date: new Date(date), time: isDate ? Date.parse(`${date}${rest}`) : NaN };
  });
  const real = readings.filter(({ time }) => Number.isFinite(time));
  const past = real.filter(({ time }) => time <= Date.now() + MAX_ZONE_OFFSET_MS);
  const [one, other] = past.length === 0 ? real : past;
  if (one === undefined || other === undefined || one.time === other.time || mark === '.') {
    return one?.time ?? NaN;
  }
  const [dayFirst, monthFirst] = [one, other].map(({ date }) =>
    date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  );
  throw new InputError(
    `"Last Seen At" is ambiguous: ${quote(text)} is ${String(dayFirst)} or ${String(monthFirst)}`,
    'Write the year first, as in 2026-01-31, or spell out the month.',
  );
}

/** Returns a time in Unix milliseconds; undefined if the value is no time. */
function parseTime(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^\d+(?:\.\d+)?$/.test(text)) return parseTime(Number(text));
    return LIKE_A_TIME.test(text)
      ? toFinite(parseNumericDate(text) ?? Date.parse(text))
      : undefined;
  }
  if (typeof value === 'number') {
    if (value < FIRST_SECONDS) return undefined;
    return toFinite(new Date(value < FIRST_MILLISECONDS ? value * 1000 : value).getTime());
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // Dates, and DateTimes of any library. A Duration has a value in milliseconds too, but is no time.
  const { valueOf, isLuxonDuration } = value as { valueOf?: unknown; isLuxonDuration?: unknown };
  if (isLuxonDuration === true) return undefined;
  const primitive: unknown = typeof valueOf === 'function' ? valueOf.call(value) : undefined;
  return typeof primitive === 'number' ? toFinite(primitive) : undefined;
}

function toFinite(time: number): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}

function pickLater(one: number | undefined, other: number | undefined): number | undefined {
  return other === undefined ? one : Math.max(one ?? -Infinity, other);
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
