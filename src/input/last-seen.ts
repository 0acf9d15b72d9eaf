import { isRecord } from '../client/is-record';
import { InputError } from './inputs';
import { quote } from './quote';

/** Fields that say when a technology was last detected (interface: Company technology, Bulk company result). */
const FIELDS = ['last_seen_at', 'last_seen'];

/**
 * When a company was last looked at, as far as data about it show: the newest time at which anything
 * of it was last seen.
 *
 * @param data a time as text, or data that hold such times anywhere, as JSON or as its text; nothing
 * where they are not known.
 * @returns Unix milliseconds; undefined where no time is said.
 * @throws {InputError} for what is neither.
 */
export function lastSeenIn(data: unknown): number | undefined {
  if (data === undefined || data === null || data === '') return undefined;
  if (typeof data === 'object') return newestIn(data);
  const text = typeof data === 'string' ? data.trim() : '';
  if (/^[[{]/.test(text)) return newestIn(jsonIn(text));
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new InputError(
    `"Last Seen At" must be a time or data with last_seen_at in it, not ${quote(data)}`,
    'Correct it, or leave it empty for items of which it is not known.',
  );
}

function newestIn(data: unknown): number | undefined {
  let newest: number | undefined;
  // Not by recursion, which very deep data would overflow.
  const open: unknown[] = [data];
  while (open.length > 0) {
    const one = open.pop();
    if (one instanceof Date) newest = later(newest, one.getTime());
    else if (Array.isArray(one)) for (const element of one) open.push(element);
    else if (isRecord(one)) {
      for (const [name, value] of Object.entries(one)) {
        if (FIELDS.includes(name)) newest = later(newest, timeOf(value));
        else open.push(value);
      }
    }
  }
  return newest;
}

function timeOf(value: unknown): number {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

function later(one: number | undefined, other: number): number | undefined {
  return Number.isNaN(other) ? one : Math.max(one ?? -Infinity, other);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
