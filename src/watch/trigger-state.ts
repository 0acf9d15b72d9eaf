import { createHash } from 'node:crypto';

import { isRow } from '../run/responses/rows';
import type { Change, PreviousSnapshot, PollDiff } from './change';
import { packSnapshot, unpackSnapshot } from './snapshot';

const VERSION = 1;

/** The state of a trigger between polls, as saved in n8n's database. */
export interface TriggerState {
  /** The version of the format; a state with another version is not read. */
  readonly version: typeof VERSION;
  /**
   * Fingerprints of the watched list or technology, the key and the filters, by their names for
   * users.
   */
  readonly scope: Readonly<Record<string, string>>;
  /** The time at which the trigger started to watch, or started over. */
  readonly since: string;
  /** The number of changes of the state since then. */
  readonly revision: number;
  /** The time of the last poll in milliseconds since 1970. */
  readonly readAt: number;
  /** The time at which the state was last passed to n8n to be saved, in milliseconds since 1970. */
  readonly savedAt: number;
  /** The number of entities in `table`. */
  readonly rows: number;
  /** The packed table; see {@link packSnapshot}. */
  readonly table: string;
  /** The number of rows that were skipped because they have no id. */
  readonly odd?: number | undefined;
  /** Why the trigger started over, for the output of the next changes. */
  readonly note?: string | undefined;
}

/**
 * Fingerprints that must match for a comparison, by their names for users: `list`, `key`, `filters`.
 */
export type TriggerScope = TriggerState['scope'];

/** Characters of a fingerprint: enough to detect a changed parameter, too few to recover a key. */
const FINGERPRINT_LENGTH = 12;
/** Characters of a change id: 132 bits, so that no two changes ever have the same id. */
const ID_LENGTH = 22;

/** Returns a short hash of a value; equal values have equal hashes. */
function fingerprint(value: unknown, length: number): string {
  return createHash('sha256')
    .update(JSON.stringify([value]))
    .digest('base64url')
    .slice(0, length);
}

/** Returns the fingerprints of the parts of a scope. */
export function toScope(parts: Readonly<Record<string, unknown>>): TriggerScope {
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [
      name,
      fingerprint(value ?? null, FINGERPRINT_LENGTH),
    ]),
  );
}

/**
 * Returns the id of a change. If a poll is repeated because its state was not saved, its changes get
 * the same ids again. The same event at a later time gets a different id.
 *
 * @param watch a value that identifies the watched list, technology or accounts.
 */
export function makeChangeId(
  watch: unknown,
  { since, revision }: Pick<TriggerState, 'since' | 'revision'>,
  { event, id }: Pick<Change, 'event' | 'id'>,
): string {
  return fingerprint([watch, since, revision, event, id], ID_LENGTH);
}

/** The state from which a poll continues. */
export interface LoadedTriggerState {
  /** The saved state; undefined if the trigger begins to watch or starts over. */
  readonly last?: TriggerState;
  /** Why the trigger starts over, as a clause after "because". */
  readonly over?: string;
  /** Whether the saved state is of the same entities, even with another key or other filters. */
  readonly isOfSame: boolean;
}

/** The result for stored data that is not a state of this version. */
const UNREADABLE: LoadedTriggerState = {
  over: 'its saved state cannot be read, for example after an update',
  isOfSame: true,
};

/** The result if n8n lost the state, for example because an execution of the workflow overwrote it. */
export const LOST_STATE: LoadedTriggerState = {
  over: 'n8n no longer has its saved state',
  isOfSame: false,
};

/** Parts of a scope that say how the trigger watches, and not what it watches. */
const HISTORY_NOTE = ['key', 'filters'];

/**
 * Returns the state in the form in which it is stored: as one text, because n8n wraps the objects in a
 * workflow's static data and adds marks to them.
 */
export function serializeTriggerState(state: TriggerState): string {
  return JSON.stringify(state);
}

/** Reads a state that {@link serializeTriggerState} returned, and checks that its scope is unchanged. */
export function parseTriggerState(stored: unknown, scope: TriggerScope): LoadedTriggerState {
  if (stored === undefined || stored === null) return { isOfSame: false };
  const last = readState(stored);
  if (last === undefined) return UNREADABLE;
  const names = new Set([...Object.keys(scope), ...Object.keys(last.scope)]);
  const changed = [...names].filter((name) => scope[name] !== last.scope[name]);
  if (changed.length === 0) return { last, isOfSame: true };
  const isOfSame = changed.every((name) => HISTORY_NOTE.includes(name) || !(name in scope));
  return { over: `the ${changed.join(' and the ')} changed`, isOfSame };
}

function readState(stored: unknown): TriggerState | undefined {
  try {
    const memory: unknown = JSON.parse(String(stored));
    const isOurs = isRow(memory) && memory.version === VERSION;
    const isWhole = isOurs && isRow(memory.scope) && typeof memory.table === 'string';
    return isWhole ? (memory as unknown as TriggerState) : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the unpacked table of the saved state; if the table is damaged, the trigger starts over. */
export async function withSnapshot(
  recalled: LoadedTriggerState,
): Promise<LoadedTriggerState & { readonly earlier?: PreviousSnapshot }> {
  const { last } = recalled;
  if (last === undefined) return recalled;
  const table = await unpackSnapshot(last.table);
  if (table?.size !== last.rows) return UNREADABLE;
  return { ...recalled, earlier: { table, readAt: last.readAt, odd: last.odd } };
}

/** A poll whose changes were emitted. */
export interface CompletedPoll {
  readonly scope: TriggerScope;
  /** The time of the poll in milliseconds since 1970. */
  readonly now: number;
  /** The number of emitted changes. */
  readonly emitted: number;
  readonly note: string | undefined;
}

/** How often a state with only minor changes is saved, in case the process dies. */
const SAVED_AT_LEAST_EVERY_MS = 24 * 60 * 60_000;

/**
 * Returns the state after a poll.
 *
 * @returns the state, and whether n8n must save it although nothing was emitted. n8n saves the state of
 * the poll at activation automatically, and only a new trigger has no previous state then.
 */
export async function nextTriggerState(
  { last, over }: LoadedTriggerState,
  { now: things, odd, isMinor }: PollDiff,
  { scope, now, emitted, note }: CompletedPoll,
): Promise<{ readonly state: TriggerState; readonly mustSave: boolean }> {
  const table = await packSnapshot(things);
  const isSame = (isMinor ?? table === last?.table) && odd === last?.odd;
  const isLate = isMinor === true && (last?.savedAt ?? 0) + SAVED_AT_LEAST_EVERY_MS < now;
  const isSaved = last === undefined || emitted > 0 || !isSame || isLate;
  const state: TriggerState = {
    version: VERSION,
    scope,
    since: last?.since ?? new Date(now).toISOString(),
    // Changes that a repeated poll would emit again keep their ids until the state is certainly saved.
    revision: (last?.revision ?? 0) + (isSaved ? 1 : 0),
    readAt: now,
    savedAt: isSaved ? now : last.savedAt,
    rows: things.size,
    table,
    odd,
    // The note stays until changes are emitted, which then carry it.
    note: emitted > 0 ? undefined : note,
  };
  const isNew = last === undefined && over === undefined;
  return { state, mustSave: isSaved && !isNew };
}
