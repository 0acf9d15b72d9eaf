import type { IDataObject } from 'n8n-workflow';

import { truncateText, isRow } from '../../client/values';
import { LIST_SEPARATOR } from '../../service/flat-company';

/*
 * Shortens results for models, which pay for each word and silently lose text beyond their context.
 * Removes invisible characters too.
 */

/** Maximum characters of a text, and of a whole response with its note. */
const MAX_TEXT_LENGTH = 500;
const MAX_RESPONSE_LENGTH = 20_000;
/** Maximum characters of the note, as part of the response. */
const MAX_NOTE_LENGTH = 1500;
/** Minimum characters of each result, however many there are. */
const MIN_RESULT_LENGTH = 2000;

/** Shortened results, and what was omitted. */
export interface ShortenedResults {
  readonly results: readonly IDataObject[];
  /** Number of results before shortening. */
  readonly of: number;
  /** Fields that were cut. */
  readonly fields: ReadonlySet<string>;
}

/** Shortens results to what a model can read. */
export function shortenResults(given: readonly IDataObject[]): ShortenedResults {
  const fields = new Set<string>();
  const all = given.map((json) => shortenFields(json, fields));
  const room = MAX_RESPONSE_LENGTH - MAX_NOTE_LENGTH;
  const share = Math.max(MIN_RESULT_LENGTH, Math.floor(room / Math.max(1, all.length)));
  const results: IDataObject[] = [];
  let length = 2;
  for (const json of all) {
    const fitting = fitIntoRoom(json, share - 1, fields);
    length += measureJson(fitting) + 1;
    if (length > room) break;
    results.push(fitting);
  }
  return { results, of: given.length, fields };
}

/** Returns the note as an item, bounded too. */
export function toNoteItem(note: string): IDataObject {
  return { note: truncateText(stripControlCharacters(note), MAX_NOTE_LENGTH - 100) };
}

// --- Texts ---------------------------------------------------------------------------------------

/** Invisible and formatting characters, except the joiners that emoji and some scripts need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

function stripControlCharacters(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\p{Cc}+/gu, ' ');
}

function shortenFields(json: IDataObject, fields: Set<string>): IDataObject {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, shortenValue(value, name, fields)]),
  ) as IDataObject;
}

function shortenValue(value: unknown, name: string, fields: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((entry) => shortenValue(entry, name, fields));
  if (isRow(value)) return shortenFields(value as IDataObject, fields);
  if (typeof value !== 'string') return value;
  const text = stripControlCharacters(value);
  if (text.length <= MAX_TEXT_LENGTH) return text;
  // Several names in one column become a list, so none is cut.
  if (text.includes(LIST_SEPARATOR))
    return text.split(LIST_SEPARATOR).map((part) => shortenText(part, name, fields));
  return shortenText(text, name, fields);
}

function shortenText(text: string, name: string, fields: Set<string>): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  fields.add(name);
  return truncateText(text, MAX_TEXT_LENGTH - 1);
}

// --- Results -------------------------------------------------------------------------------------

/** Drops entries of the longest lists and objects in a result until it fits. */
function fitIntoRoom(json: IDataObject, room: number, fields: Set<string>): IDataObject {
  let fitting: unknown = json;
  for (let over = measureJson(fitting) - room; over > 0; over = measureJson(fitting) - room) {
    fitting = dropEntries(fitting, over, 'result', fields);
  }
  return fitting as IDataObject;
}

/** Returns a value with fewer entries in its largest list or object. */
function dropEntries(value: unknown, over: number, name: string, fields: Set<string>): unknown {
  const isList = Array.isArray(value);
  const entries = Object.entries(value as object).map(([key, one]) => {
    return { key, one: one as unknown, size: measureJson(one) };
  });
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  const longest = entries.reduce((a, b) => (b.size > a.size ? b : a));
  const isInside = longest.size > size / 2 && typeof longest.one === 'object';
  const kept = isInside
    ? entries.map((entry) =>
        entry === longest
          ? { ...entry, one: dropEntries(entry.one, over, isList ? name : entry.key, fields) }
          : entry,
      )
    : entries.slice(0, Math.floor(entries.length * Math.max(0, 1 - over / size)));
  if (!isInside) fields.add(name);
  if (isList) return kept.map(({ one }) => one);
  return Object.fromEntries(kept.map(({ key, one }) => [key, one]));
}

function measureJson(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
