import { constants as bufferConstants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

import { isJsonObject } from '../values/json';
import { assertPlausible, type PollDiff, type PreviousSnapshot } from './change';

const VERSION = 1;

/** In n8n's database, between polls. Times are in milliseconds since 1970. */
export interface TriggerState extends Omit<PreviousSnapshot, 'table'> {
  readonly version: typeof VERSION;
  readonly scope: TriggerScope;
  /** Start of the last read; 0 before the first. */
  readonly readAt: number;
  /** When it was last passed to n8n to be saved. */
  readonly savedAt: number;
  /** Undefined until a first poll has succeeded. */
  readonly table?: string;
  /** True if the first poll emits nothing, because the entities were watched before. */
  readonly isStartingOver?: boolean;
  /** Set if the last read was charged and emitted nothing. */
  readonly failed?: FailedRead;
  /** End of a poll that gave its changes to n8n, which was still storing them together with their state. */
  readonly handedOverAt?: number;
}

interface FailedRead {
  /** With other parameters, the next poll reads immediately. */
  readonly parameters: string;
  /** Packed IDs of the entities whose removal was refused. */
  readonly refused: string;
}

interface TriggerScope {
  readonly watched: string;
  readonly settings: string;
}

/** Enough to detect a changed parameter, too few to recover a text. */
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

/** As one text, because n8n adds marks to the objects in a workflow's static data. */
export function serializeTriggerState(state: TriggerState): string {
  return JSON.stringify(state);
}

/**
 * Returns the state from which a poll continues: without a table before a first poll, also if the stored text is
 * lost, unreadable or about something else.
 *
 * @param isLost Whether n8n polled this trigger before, but has no text.
 */
export function parseTriggerState(
  stored: unknown,
  scope: TriggerScope,
  isLost = false,
): TriggerState {
  const last = readState(stored);
  if (last === undefined) return toFirstState(scope, isLost || (stored ?? null) !== null);
  if (last.scope.watched !== scope.watched) return toFirstState(scope, false);
  return last.scope.settings === scope.settings ? last : toFirstState(scope, true);
}

function toFirstState(scope: TriggerScope, isStartingOver: boolean): TriggerState {
  return { version: VERSION, scope, readAt: 0, savedAt: 0, isStartingOver };
}

function readState(stored: unknown): TriggerState | undefined {
  try {
    const state: unknown = JSON.parse(String(stored));
    if (!isJsonObject(state) || state.version !== VERSION || !isJsonObject(state.scope))
      return undefined;
    const isWhole = ['string', 'undefined'].includes(typeof state.table);
    return isWhole && 'watched' in state.scope ? (state as unknown as TriggerState) : undefined;
  } catch {
    return undefined;
  }
}

/** n8n's schedule fires slightly early or late. */
const SCHEDULE_TOLERANCE_MS = 30_000;

/** By then n8n has stored the changes that a poll gave it, or has failed to. */
const HANDOVER_MS = 60_000;

export function isPaused(
  { readAt, failed, handedOverAt }: TriggerState,
  poll: { readonly now: number; readonly minMinutes: number; readonly parameters: string },
): boolean {
  const { now, minMinutes, parameters } = poll;
  if (handedOverAt !== undefined) return isWithin(handedOverAt, now, HANDOVER_MS);
  if (failed !== undefined && failed.parameters !== parameters) return false;
  return isWithin(readAt, now, minMinutes * 60_000 - SCHEDULE_TOLERANCE_MS);
}

/** False if the clock was set back, so that polls continue. */
function isWithin(start: number, now: number, ms: number): boolean {
  return now >= start && now < start + ms;
}

/**
 * Returns the state with its table as `earlier`, which is undefined before a first poll, and the IDs of the entities
 * whose removal the last poll refused. If the table is damaged, the trigger starts over.
 */
export async function unpackTriggerState(last: TriggerState) {
  const { scope, table, missing, newestEvidence, failed } = last;
  const refused = new Set(failed && (await unpackSnapshot(failed.refused)));
  const entries = table === undefined ? undefined : await unpackSnapshot(table);
  const isWhole = table === undefined || entries !== undefined;
  const earlier = entries && { table: entries, missing, newestEvidence };
  return { last: isWhole ? last : toFirstState(scope, true), earlier, refused };
}

interface PollTerms<E extends string> {
  readonly startedAt: number;
  readonly emitExisting: boolean;
  readonly events: ReadonlySet<E>;
}

/**
 * Decides which changes of a read are emitted, and what is stored. `mustSave`: n8n must save the state although
 * nothing may be emitted.
 *
 * @throws {ImplausibleLossError} if the loss is more likely a fault of the service.
 */
export async function takePollStep<E extends string>(
  { last, refused }: Awaited<ReturnType<typeof unpackTriggerState>>,
  diff: PollDiff<E>,
  { startedAt: readAt, emitExisting, events }: PollTerms<E>,
) {
  assertPlausible(diff.losses, refused);
  const { scope, savedAt } = last;
  const isTold = last.table !== undefined || (emitExisting && last.isStartingOver !== true);
  const chosen = isTold ? diff.changes.filter(({ event }) => events.has(event)) : [];
  const { missing, newestEvidence } = diff;
  const table = await packSnapshot(diff.table);
  const mustSave = chosen.length > 0 || table !== last.table || missing !== last.missing;
  // Changes that a repeated poll would emit again keep their ids until the state is certainly saved.
  const poll = { version: VERSION, scope, readAt, savedAt: mustSave ? readAt : savedAt } as const;
  const state: TriggerState = { ...poll, table, missing, newestEvidence };
  const changes = chosen.map((change) => {
    // Another id for the same event at a later time.
    const identity = [scope, savedAt, change.event, change.id];
    return { ...change, changeId: toFingerprint(identity, ID_LENGTH) };
  });
  return { state, changes, mustSave };
}

/** Counts a read for the pause although the poll emitted nothing and keeps its table. */
export async function toFailedState(
  last: TriggerState,
  readAt: number,
  { parameters, refused }: { readonly parameters: string; readonly refused: ReadonlySet<unknown> },
): Promise<TriggerState> {
  const failed = { parameters, refused: await packSnapshot([...refused]) };
  return { ...last, readAt, failed, handedOverAt: undefined };
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
