import type { IDataObject } from 'n8n-workflow';

import { cut, isRow } from '../../client/values';
import { BETWEEN } from '../../service/flat-company';

/*
 * Shortens results for models, which pay for each word and silently lose text beyond their context.
 * Removes invisible characters too.
 */

/** Maximum characters of a text, and of a whole response with its note. */
const LONGEST_TEXT = 500;
const LONGEST_ANSWER = 20_000;
/** Maximum characters of the note, as part of the response. */
const LONGEST_NOTE = 1500;
/** Minimum characters of each result, however many there are. */
const LEAST_OF_RESULT = 2000;

/** Shortened results, and what was omitted. */
export interface Shortened {
  readonly results: readonly IDataObject[];
  /** Number of results before shortening. */
  readonly of: number;
  /** Fields that were cut. */
  readonly fields: ReadonlySet<string>;
}

/** Shortens results to what a model can read. */
export function shortened(given: readonly IDataObject[]): Shortened {
  const fields = new Set<string>();
  const all = given.map((json) => tidied(json, fields));
  const room = LONGEST_ANSWER - LONGEST_NOTE;
  const share = Math.max(LEAST_OF_RESULT, Math.floor(room / Math.max(1, all.length)));
  const results: IDataObject[] = [];
  let length = 2;
  for (const json of all) {
    const fitting = fitted(json, share - 1, fields);
    length += sizeOf(fitting) + 1;
    if (length > room) break;
    results.push(fitting);
  }
  return { results, of: given.length, fields };
}

/** Returns the note as an item, bounded too. */
export function noteItem(note: string): IDataObject {
  return { note: cut(clean(note), LONGEST_NOTE - 100) };
}

// --- Texts ---------------------------------------------------------------------------------------

/** Invisible and formatting characters, except the joiners that emoji and some scripts need. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu;

function clean(text: string): string {
  return text.replace(UNSEEN, '').replace(/\p{Cc}+/gu, ' ');
}

function tidied(json: IDataObject, fields: Set<string>): IDataObject {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, tidy(value, name, fields)]),
  ) as IDataObject;
}

function tidy(value: unknown, name: string, fields: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => tidy(entry, name, fields));
  if (isRow(value)) return tidied(value as IDataObject, fields);
  if (typeof value !== 'string') return value;
  const text = clean(value);
  if (text.length <= LONGEST_TEXT) return text;
  // Several names in one column become a list, so none is cut.
  if (text.includes(BETWEEN))
    return text.split(BETWEEN).map((part) => shortText(part, name, fields));
  return shortText(text, name, fields);
}

function shortText(text: string, name: string, fields: Set<string>): string {
  if (text.length <= LONGEST_TEXT) return text;
  fields.add(name);
  return cut(text, LONGEST_TEXT - 1);
}

// --- Results -------------------------------------------------------------------------------------

/** Drops entries of the longest lists and objects in a result until it fits. */
function fitted(json: IDataObject, room: number, fields: Set<string>): IDataObject {
  let fitting: unknown = json;
  for (let over = sizeOf(fitting) - room; over > 0; over = sizeOf(fitting) - room) {
    fitting = less(fitting, over, 'result', fields);
  }
  return fitting as IDataObject;
}

/** Returns a value with fewer entries in its largest list or object. */
function less(value: unknown, over: number, name: string, fields: Set<string>): unknown {
  const isList = Array.isArray(value);
  const entries = Object.entries(value as object).map(([key, one]) => {
    return { key, one: one as unknown, size: sizeOf(one) };
  });
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  const longest = entries.reduce((a, b) => (b.size > a.size ? b : a));
  const isInside = longest.size > size / 2 && typeof longest.one === 'object';
  const kept = isInside
    ? entries.map((entry) =>
        entry === longest
          ? { ...entry, one: less(entry.one, over, isList ? name : entry.key, fields) }
          : entry,
      )
    : entries.slice(0, Math.floor(entries.length * Math.max(0, 1 - over / size)));
  if (!isInside) fields.add(name);
  if (isList) return kept.map(({ one }) => one);
  return Object.fromEntries(kept.map(({ key, one }) => [key, one]));
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
