import { constants as bufferConstants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

import { isJsonObject } from '../values/json';
import type { Change, PreviousSnapshot } from './change';

const VERSION = 1;

/** In n8n's database, between polls. Times are in milliseconds since 1970. */
export interface TriggerState extends Omit<PreviousSnapshot, 'table'> {
  readonly version: typeof VERSION;
  readonly scope: TriggerScope;
  readonly readAt: number;
  /** When it was last passed to n8n to be saved. */
  readonly savedAt: number;
  readonly table: string;
  /** Why the trigger started over, for the next changes. */
  readonly note?: string | undefined;
}

/** Must match for a comparison. */
interface TriggerScope {
  readonly watched: string;
  readonly settings: string;
}

/** Enough to detect a changed parameter, too few to recover a key. */
const FINGERPRINT_LENGTH = 12;
/** 132 bits, so that no two changes ever have the same id. */
const ID_LENGTH = 22;

export function toFingerprint(value: unknown, length = FINGERPRINT_LENGTH): string {
  return createHash('sha256')
    .update(JSON.stringify([value]))
    .digest('base64url')
    .slice(0, length);
}

export function toScope(watched: unknown, settings: unknown): TriggerScope {
  return { watched: toFingerprint(watched), settings: toFingerprint(settings) };
}

/** Equal if a poll is repeated because its state was not saved; different for the same event at a later time. */
export function makeChangeId(
  scope: TriggerScope,
  savedAt: number,
  { event, id }: Pick<Change, 'event' | 'id'>,
): string {
  return toFingerprint([scope, savedAt, event, id], ID_LENGTH);
}

export interface LoadedTriggerState {
  /** Undefined at a first poll. */
  readonly last?: TriggerState;
  readonly earlier?: PreviousSnapshot;
  /** A clause after "because"; undefined if the trigger begins to watch. */
  readonly startOverReason?: string;
  /** An earlier state was of the same entities, even with another key or tier. */
  readonly isOfSame?: boolean;
}

const UNREADABLE: LoadedTriggerState = {
  startOverReason: 'its saved state cannot be read, for example after an update',
  isOfSame: true,
};

/** An execution of the workflow may have overwritten the state. */
export const LOST_STATE: LoadedTriggerState = {
  startOverReason: 'n8n no longer has its saved state',
};

/** As one text, because n8n adds marks to the objects in a workflow's static data. */
export function serializeTriggerState(state: TriggerState): string {
  return JSON.stringify(state);
}

/** Checks that the scope is unchanged. */
export function parseTriggerState(stored: unknown, scope: TriggerScope): LoadedTriggerState {
  if (stored === undefined || stored === null) return {};
  const last = readState(stored);
  if (last === undefined) return UNREADABLE;
  if (scope.watched !== last.scope.watched)
    return { startOverReason: 'it watches something else now' };
  if (scope.settings !== last.scope.settings)
    return { startOverReason: 'its key or tier changed', isOfSame: true };
  return { last };
}

function readState(stored: unknown): TriggerState | undefined {
  try {
    const state: unknown = JSON.parse(String(stored));
    const isOurs = isJsonObject(state) && state.version === VERSION;
    const isWhole = isOurs && isJsonObject(state.scope) && typeof state.table === 'string';
    return isWhole ? (state as unknown as TriggerState) : undefined;
  } catch {
    return undefined;
  }
}

/** If the table is damaged, the trigger starts over. */
export async function withSnapshot(loaded: LoadedTriggerState): Promise<LoadedTriggerState> {
  const { last } = loaded;
  if (last === undefined) return loaded;
  const table = await unpackSnapshot(last.table);
  if (table === undefined) return UNREADABLE;
  const { missing, newestEvidence } = last;
  return { ...loaded, earlier: { table, missing, newestEvidence } };
}

/** `mustSave`: n8n must save it although nothing was emitted. */
export async function nextTriggerState(
  last: TriggerState | undefined,
  { table: entries, missing, newestEvidence }: PreviousSnapshot,
  {
    emitted,
    note,
    ...poll
  }: Pick<TriggerState, 'scope' | 'readAt' | 'note'> & { readonly emitted: number },
): Promise<{ readonly state: TriggerState; readonly mustSave: boolean }> {
  const table = await packSnapshot(entries);
  const mustSave = emitted > 0 || table !== last?.table || missing !== last.missing;
  const state: TriggerState = {
    version: VERSION,
    ...poll,
    // Changes that a repeated poll would emit again keep their ids until the state is certainly saved.
    savedAt: mustSave ? poll.readAt : last.savedAt,
    table,
    missing,
    newestEvidence,
    // Until changes are emitted, which then carry it.
    note: emitted > 0 ? undefined : note,
  };
  return { state, mustSave };
}

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** A higher quality takes three times as long and saves only a few bytes. */
const QUALITY = 5;

/** Of an unpacked table: the longest possible text. */
const MAX_UNPACKED_BYTES = bufferConstants.MAX_STRING_LENGTH;

/**
 * 100,000 companies take 1 to 2 MB in n8n's database. Entries are sorted, so that similar ones are neighbors and
 * the same entries always become the same text. The compression runs in a separate thread.
 */
export async function packSnapshot(table: readonly unknown[]): Promise<string> {
  const rows = table.map((one) => JSON.stringify(one));
  const packed = await compress(`[${rows.sort().join(',')}]`, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY },
  });
  return packed.toString('base64');
}

/** Returns undefined for a text that {@link packSnapshot} did not return. */
export async function unpackSnapshot(packed: string): Promise<unknown[] | undefined> {
  try {
    const bytes = await decompress(Buffer.from(packed, 'base64'), {
      maxOutputLength: MAX_UNPACKED_BYTES,
    });
    const table: unknown = JSON.parse(bytes.toString());
    return Array.isArray(table) ? table : undefined;
  } catch {
    return undefined;
  }
}
