import { createHash } from 'node:crypto';

import { isRow } from '../run/answers/rows';
import type { Change, Earlier, Sight } from './change';
import { packTable, unpackTable } from './table';

const VERSION = 1;

/** What is remembered from poll to poll, as it is in n8n's database. */
export interface Remembered {
  /** A memory of another form is not read. */
  readonly version: typeof VERSION;
  /** Fingerprints of what is watched, with which key and filters, by what users call them. */
  readonly scope: Readonly<Record<string, string>>;
  /** When the watch began, or started over. */
  readonly since: string;
  /** How often what is remembered has changed since. */
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** When it was last given to n8n to be saved. */
  readonly savedAt: number;
  /** How many things are in `table`. */
  readonly rows: number;
  /** Packed. */
  readonly table: string;
  /** Rows that were left out, because nothing tells them from others. */
  readonly odd?: number | undefined;
  /** Why the watch started over; told with the next changes. */
  readonly note?: string | undefined;
}

/** What makes a memory comparable, by what users call it: `list`, `key`, `filters`. */
export type Scope = Remembered['scope'];

/** Enough to notice a change of a parameter, and too little to find a key by. */
const SHORT = 12;
/** 132 bits: no two changes ever have the same. */
const ID_LENGTH = 22;

/** A few characters that stand for a value: equal values have equal ones. */
function fingerprint(value: unknown, length: number): string {
  return createHash('sha256')
    .update(JSON.stringify([value]))
    .digest('base64url')
    .slice(0, length);
}

/** Fingerprints of the parts of a scope. */
export function scopeOf(parts: Readonly<Record<string, unknown>>): Scope {
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, fingerprint(value ?? null, SHORT)]),
  );
}

/**
 * The id of a change. A poll that repeats one of which the outcome was not remembered gives its
 * changes the same ids; the same thing happening once more gets another.
 *
 * @param watch what is watched, in whatever words tell it from other watches.
 */
export function changeIdOf(
  watch: unknown,
  { since, revision }: Pick<Remembered, 'since' | 'revision'>,
  { event, id }: Pick<Change, 'event' | 'id'>,
): string {
  return fingerprint([watch, since, revision, event, id], ID_LENGTH);
}

/** What a poll goes on from. */
export interface Recalled {
  /** Undefined where a watch begins, or starts over. */
  readonly last?: Remembered;
  /** Why it starts over. */
  readonly over?: string;
  /** Whether there is a memory of the same things, perhaps seen with another key or other filters. */
  readonly isOfSame: boolean;
}

/** For what is no memory of this version. */
const UNREADABLE: Recalled = {
  over: 'what was remembered cannot be read, as after an update',
  isOfSame: true,
};

/** For what n8n has not kept, as when an execution of the workflow has saved its own data over it. */
export const GONE: Recalled = {
  over: 'n8n no longer has what it remembered',
  isOfSame: false,
};

/** What of a scope says how a watch sees, and not what it watches. */
const MANNER = ['key', 'filters'];

/**
 * A memory as it is stored: one text, because n8n wraps the objects of a workflow's static data, and
 * marks them.
 */
export function storable(state: Remembered): string {
  return JSON.stringify(state);
}

/** Reads what {@link storable} gave. */
export function recall(stored: unknown, scope: Scope): Recalled {
  if (stored === undefined || stored === null) return { isOfSame: false };
  const last = memoryIn(stored);
  if (last === undefined) return UNREADABLE;
  const names = new Set([...Object.keys(scope), ...Object.keys(last.scope)]);
  const changed = [...names].filter((name) => scope[name] !== last.scope[name]);
  if (changed.length === 0) return { last, isOfSame: true };
  const isOfSame = changed.every((name) => MANNER.includes(name) || !(name in scope));
  return { over: `the ${changed.join(' and the ')} changed`, isOfSame };
}

function memoryIn(stored: unknown): Remembered | undefined {
  try {
    const memory: unknown = JSON.parse(String(stored));
    const isOurs = isRow(memory) && memory.version === VERSION;
    const isWhole = isOurs && isRow(memory.scope) && typeof memory.table === 'string';
    return isWhole ? (memory as unknown as Remembered) : undefined;
  } catch {
    return undefined;
  }
}

/** The same with the table that was remembered; a watch whose table was damaged starts over. */
export async function unpacked(
  recalled: Recalled,
): Promise<Recalled & { readonly earlier?: Earlier }> {
  const { last } = recalled;
  if (last === undefined) return recalled;
  const table = await unpackTable(last.table);
  if (table?.size !== last.rows) return UNREADABLE;
  return { ...recalled, earlier: { table, readAt: last.readAt, odd: last.odd } };
}

/** A poll that has told what it saw. */
export interface Polled {
  readonly scope: Scope;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many changes it told. */
  readonly emitted: number;
  readonly note: string | undefined;
}

/** A memory that moved only a little is saved so often, in case the process dies. */
const SAVED_AT_LEAST_EVERY_MS = 24 * 60 * 60_000;

/**
 * What is remembered after a poll.
 *
 * @returns also whether n8n must save it although nothing was emitted. What the poll of an activation
 * leaves n8n saves by itself, and only a watch that is new has no memory then.
 */
export async function afterwards(
  { last, over }: Recalled,
  { now: things, odd, isMinor }: Sight,
  { scope, now, emitted, note }: Polled,
): Promise<{ readonly state: Remembered; readonly mustSave: boolean }> {
  const table = await packTable(things);
  const isSame = (isMinor ?? table === last?.table) && odd === last?.odd;
  const isLate = isMinor === true && (last?.savedAt ?? 0) + SAVED_AT_LEAST_EVERY_MS < now;
  const isSaved = last === undefined || emitted > 0 || !isSame || isLate;
  const state: Remembered = {
    version: VERSION,
    scope,
    since: last?.since ?? new Date(now).toISOString(),
    // What a repeated poll would emit again keeps its ids until it is surely saved.
    revision: (last?.revision ?? 0) + (isSaved ? 1 : 0),
    readAt: now,
    savedAt: isSaved ? now : last.savedAt,
    rows: things.size,
    table,
    odd,
    // Told with the first changes there are.
    note: emitted > 0 ? undefined : note,
  };
  const isNew = last === undefined && over === undefined;
  return { state, mustSave: isSaved && !isNew };
}
