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
 * @param data a time (ISO text, a Date or DateTime, or seconds or milliseconds since 1970), or data that
 * contain such times at any depth, as JSON or as JSON text; nothing if they are unknown.
 * @returns the time in Unix milliseconds; undefined if the data contain no time.
 * @throws {InputError} when the value is neither a time nor data.
 */
export function findLastSeen(data: unknown): number | undefined {
  if (data === undefined || data === null) return undefined;
  const text = typeof data === 'string' ? data.trim() : undefined;
  if (text === '') return undefined;
  const time = parseTime(data);
  if (time !== undefined) return time;
  const json = text === undefined ? data : parseJsonText(text);
  if (Array.isArray(json) || (isRow(json) && toNumber(json) === undefined)) return findNewest(json);
  throw new InputError(
    `"Last Seen At" must be a time or data that contain last_seen_at, not ${quote(data)}`,
    'Enter a time like 2026-01-31T12:00:00Z, or leave the field empty for items whose time is unknown.',
  );
}

function findNewest(data: unknown): number | undefined {
  let newest: number | undefined;
  // A loop instead of recursion, because very deep data would overflow the stack.
  const open: unknown[] = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) for (const element of one) open.push(element);
    else if (isRow(one)) {
      for (const [name, value] of Object.entries(one)) {
        if (!FIELDS.includes(name)) open.push(value);
        else newest = Math.max(newest ?? -Infinity, parseTime(value) ?? -Infinity);
      }
    }
  }
  return newest === -Infinity ? undefined : newest;
}

/** Smaller numbers are seconds, others milliseconds: as milliseconds it is 1973, as seconds year 5138. */
const FIRST_MILLISECONDS = 1e11;
/** The same day in 1973 in seconds; smaller numbers are not times of this service. */
const FIRST_SECONDS = 1e8;

/** ISO 8601, with or without a time of day. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}[\d:.,]*(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Returns a time in Unix milliseconds; undefined if the value is no time. */
function parseTime(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^\d+(?:\.\d+)?$/.test(text)) return parseTime(Number(text));
    return ISO_TIME.test(text) ? toFinite(Date.parse(text)) : undefined;
  }
  if (typeof value === 'number') {
    if (value < FIRST_SECONDS) return undefined;
    return toFinite(new Date(value < FIRST_MILLISECONDS ? value * 1000 : value).getTime());
  }
  // A Duration has a number too, but is no time.
  if (typeof value !== 'object' || value === null || 'isLuxonDuration' in value) return undefined;
  return toFinite(toNumber(value) ?? NaN);
}

/** Returns the number that a Date, or a DateTime or Duration of n8n, stands for. */
function toNumber(value: object): number | undefined {
  const number: unknown = typeof value.valueOf === 'function' ? value.valueOf() : undefined;
  return typeof number === 'number' ? number : undefined;
}

function toFinite(time: number): number | undefined {
  return Number.isFinite(time) ? time : undefined;
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
