import { isRow } from '../client/values';
import { InputError } from './inputs';
import { quote } from './quote';

/** Fields that say when a technology was last detected (interface: Company technology, Bulk company result). */
const FIELDS = ['last_seen_at', 'last_seen'];

/**
 * When a company was last looked at, as far as data about it show: the newest time at which anything
 * of it was last seen.
 *
 * @param data a time (text, a Date, a DateTime as n8n's expressions give it, seconds or milliseconds
 * since 1970), or data that hold such times anywhere, as JSON or as its text; nothing where they are
 * not known.
 * @returns Unix milliseconds; undefined where no time is said.
 * @throws {InputError} for what is neither, and for a date that can be two.
 */
export function lastSeenIn(data: unknown): number | undefined {
  if (data === undefined || data === null) return undefined;
  const text = typeof data === 'string' ? data.trim() : undefined;
  if (text === '') return undefined;
  const time = timeOf(data);
  if (time !== undefined) return time;
  const json = text === undefined ? data : jsonIn(text);
  if (isPlainData(json)) return newestIn(json);
  throw new InputError(
    `"Last Seen At" must be a time or data with last_seen_at in it, not ${quote(data)}`,
    'Correct it, or leave it empty for items of which it is not known.',
  );
}

/** Objects and lists as JSON has them; not a duration, or another object that holds no data. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  // A DateTime that is no time.
  if (typeof (value as { valueOf: () => unknown }).valueOf === 'function') {
    if (typeof value.valueOf() === 'number') return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Of whatever realm: expressions may be evaluated in another one.
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function newestIn(data: unknown): number | undefined {
  let newest: number | undefined;
  // Not by recursion, which very deep data would overflow.
  const open: unknown[] = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) for (const element of one) open.push(element);
    else if (one instanceof Date) newest = later(newest, timeOf(one));
    else if (isRow(one)) {
      for (const [name, value] of Object.entries(one)) {
        if (FIELDS.includes(name)) newest = later(newest, timeOf(value));
        else open.push(value);
      }
    }
  }
  return newest;
}

/** Numbers below are seconds, from here on milliseconds: 1973 in these, the year 5138 in those. */
const FIRST_MILLISECONDS = 1e11;
/** The same day in 1973 in seconds; smaller numbers are no times of this service. */
const FIRST_SECONDS = 1e8;

/** Begins like a date, with a year in it: a language's own reader takes much else for one. */
const LIKE_A_TIME =
  /^(?:\d|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)).*\d{4}|^\d{4}/i;

/** A day, a month and a year in numbers, the year last; maybe a time of day behind them. */
const IN_NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s;

/** It can be so much later elsewhere. */
const LATEST_ZONE_MS = 14 * 60 * 60_000;

/**
 * The time that a date in numbers means. With dots the day comes first, unless that is in the future
 * and the other reading is not.
 *
 * @returns undefined for what is no date in numbers; NaN for one that does not exist.
 * @throws {InputError} for what can be two dates.
 */
function timeInNumbers(text: string): number | undefined {
  const [whole, first = '', mark, second = '', year = '', rest = ''] = IN_NUMBERS.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const readings = [
    [first, second],
    [second, first],
  ].map(([day = '', month = '']) => {
    const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    // V8 takes 31 February for 3 March.
    const isDate = new Date(date).getUTCDate() === Number(day);
    return { date: new Date(date), time: isDate ? Date.parse(`${date}${rest}`) : NaN };
  });
  const real = readings.filter(({ time }) => Number.isFinite(time));
  const past = real.filter(({ time }) => time <= Date.now() + LATEST_ZONE_MS);
  const [one, other] = past.length === 0 ? real : past;
  if (one === undefined || other === undefined || one.time === other.time || mark === '.') {
    return one?.time ?? NaN;
  }
  const [dayFirst, monthFirst] = [one, other].map(({ date }) =>
    date.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
  );
  throw new InputError(
    `"Last Seen At" can be two dates: ${quote(text)} is ${String(dayFirst)} or ${String(monthFirst)}`,
    'Write the year first, as in 2026-01-31, or name the month.',
  );
}

/** Unix milliseconds; undefined for what is no time. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^\d+(?:\.\d+)?$/.test(text)) return timeOf(Number(text));
    return LIKE_A_TIME.test(text) ? finite(timeInNumbers(text) ?? Date.parse(text)) : undefined;
  }
  if (typeof value === 'number') {
    if (value < FIRST_SECONDS) return undefined;
    return finite(new Date(value < FIRST_MILLISECONDS ? value * 1000 : value).getTime());
  }
  if (typeof value !== 'object' || value === null) return undefined;
  // Dates, and DateTimes of whatever library; a Duration has its milliseconds as well.
  const { valueOf, isLuxonDuration } = value as { valueOf?: unknown; isLuxonDuration?: unknown };
  if (isLuxonDuration === true) return undefined;
  const primitive: unknown = typeof valueOf === 'function' ? valueOf.call(value) : undefined;
  return typeof primitive === 'number' ? finite(primitive) : undefined;
}

function finite(time: number): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return other === undefined ? one : Math.max(one ?? -Infinity, other);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
