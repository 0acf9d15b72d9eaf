import type {
  INodeExecutionData,
  INodeProperties,
  INodePropertyOptions,
  IPollFunctions,
} from 'n8n-workflow';

import { formatMoment, toSnakeCase, formatCount } from '../../values/text';
import type { Row } from '../../values/json';
import type { Run } from '../../run/run';
import { MAX_CREDITS_LABEL, SkippedError } from '../../run/run-guards';
import {
  assertPlausible,
  ImplausibleLossError,
  isListChanged,
  isSuspectedOutage,
  type Change,
  type PreviousSnapshot,
  type PollDiff,
} from '../../watch/change';
import {
  LOST_STATE,
  makeChangeId,
  nextTriggerState,
  parseTriggerState,
  serializeTriggerState,
  toFingerprint,
  toScope,
  withSnapshot,
  type LoadedTriggerState,
  type TriggerState,
} from '../../watch/trigger-state';
import { toError, toNodeError } from '../failures';
import { formatMismatches } from '../run-hints';
import { openRunForPoll } from '../open-run';
import { toNamesExpression } from '../operation';
import type { Declared, Parameter, RunValuesOf } from '../parameters/declare';
import { readForPoll, type RunLimits } from '../parameters/readers';
import { getLastRead, isTooSoon, recordRead, withPollLock } from './poll-guard';
import { saveAndEmit, TriggerMemory } from './memory';

interface TriggerOptions extends RunLimits {
  readonly emitExisting: boolean;
  readonly minMinutesBetweenReads: number;
}

type TriggerParameters<E extends string> = Declared & {
  readonly events: Parameter<E[]>;
  readonly options: Parameter<Partial<TriggerOptions>>;
};

export interface TriggerDefinition<E extends string, D extends Declared> {
  readonly parameters: D;
  /** Another list, technology or source of accounts starts the trigger over. */
  readonly watched: (values: RunValuesOf<D>) => unknown;
  /** In addition to the key, these also start it over. */
  readonly settings?: (values: RunValuesOf<D>) => unknown;
  /** Fields of every change that say which list or technology it is about. */
  readonly about: (values: RunValuesOf<D>) => Row;
  /** For Fetch Test Event; no request is sent. */
  readonly sample: (values: RunValuesOf<D>) => ReadonlyArray<Change<E>>;
  /** As far as needed to compare it with the stored state. */
  readonly fetchDiff: (
    run: Run,
    values: RunValuesOf<D>,
    earlier: PreviousSnapshot | undefined,
  ) => Promise<PollDiff<E>>;
}

export function toTriggerProperties(declared: Declared): INodeProperties[] {
  return Object.values(declared).flatMap(({ properties }) => properties);
}

/** The chosen events, on the canvas. */
export function toTriggerSubtitle({ properties: [events] }: Parameter<unknown>): string {
  const names = toNamesExpression((events?.options ?? []) as INodePropertyOptions[]);
  return `={{ $parameter["events"].map((one) => (${names})[one]).join(", ") }}`;
}

/**
 * Reads, stores the state, and starts the workflow with the changes. A first poll only stores the state, unless
 * Emit Existing is on.
 *
 * @returns Null for no execution; an empty list if the state must be saved and this n8n saves it only with an
 * execution, in which nothing runs.
 * @throws {NodeApiError | NodeOperationError} If the read failed, or the difference is more likely a fault than
 * a change; the stored state stays unchanged.
 */
export async function poll<E extends string, D extends TriggerParameters<E>>(
  context: IPollFunctions,
  trigger: TriggerDefinition<E, D>,
): Promise<INodeExecutionData[][] | null> {
  try {
    const values = readForPoll(context, trigger.parameters);
    if (context.getMode() === 'manual') return [createTestEvents(trigger, values)];
    const memory = new TriggerMemory(context);
    return await withPollLock(
      context,
      memory,
      async () => await pollOnce(context, trigger, values, memory),
    );
  } catch (error) {
    throw toNodeError(context.getNode(), toError(error), 0);
  }
}

async function pollOnce<E extends string, D extends TriggerParameters<E>>(
  context: IPollFunctions,
  trigger: TriggerDefinition<E, D>,
  values: RunValuesOf<D>,
  memory: TriggerMemory,
): Promise<INodeExecutionData[][] | null> {
  const { minMinutesBetweenReads: minMinutes, ...options } = values.options as TriggerOptions;
  const { run, keyId } = await openRunForPoll(context, options);
  const { name } = context.getNode();
  const scope = toScope(trigger.watched(values), [keyId, trigger.settings?.(values)]);
  const stored = memory.isLost ? LOST_STATE : parseTriggerState(memory.text, scope);
  const now = Date.now();
  const basis = toFingerprint([stored.last?.readAt, scope, values, run.credits.limit]);
  const lastRead = getLastRead(context, basis);
  const lastAt = lastRead?.at ?? stored.last?.readAt;
  // Of two polls that are due together, n8n can load the state of one before it has saved that of the other.
  const isUnsaved = memory.isDurable && lastRead?.hasEmitted === true;
  const pause = isUnsaved ? Math.max(1, minMinutes) : minMinutes;
  if (lastAt !== undefined && isTooSoon(lastAt, now, pause)) return null;
  const refused = lastRead?.refused ?? new Set();
  const loaded = await withSnapshot(stored);
  let diff;
  try {
    diff = await trigger.fetchDiff(run, values, loaded.earlier);
    assertPlausible(diff.losses, refused);
  } catch (error) {
    if (isListChanged(error)) {
      context.logger.warn(`${name}: ${error.message}. ${error.hint}`);
      return null;
    }
    const { creditsAtMost } = run.stats;
    // The service was read and charged, so it counts for the pause.
    if (isSuspectedOutage(error) || (error instanceof SkippedError && creditsAtMost > 0)) {
      const isRefused = error instanceof ImplausibleLossError;
      recordRead(context, { basis, at: now, refused: isRefused ? error.missing : refused });
    }
    if (!(error instanceof SkippedError)) throw error;
    const charged =
      creditsAtMost === 0
        ? 'Nothing was charged'
        : `Up to ${formatCount(creditsAtMost, 'credit')} ${creditsAtMost === 1 ? 'was' : 'were'} charged, and polls read again after ${String(minMinutes)} minutes`;
    const hint = `${charged}. The trigger emitted nothing and kept its previous state. Raise ${MAX_CREDITS_LABEL}.`;
    throw error.copyWith({ hint });
  }
  const { stats, mismatches } = run;
  if (mismatches !== undefined) context.logger.warn(`${name}: ${formatMismatches(mismatches)}`);
  if (diff.note !== undefined) context.logger.warn(`${name}: ${diff.note}`);
  const note = formatStartOver(context, loaded, now);
  const items = toChangeItems(trigger, values, diff, loaded, { scope, readAt: now, note });
  const emitted = items.length;
  recordRead(context, { basis, at: now, hasEmitted: emitted > 0 });
  const next = await nextTriggerState(loaded.last, diff, { scope, readAt: now, note, emitted });
  const isFirst = loaded.last === undefined;
  // n8n saves the first state itself, after the poll of an activation.
  const isSavedByN8n = isFirst && loaded.startOverReason === undefined && memory.isActivation;
  const output = await saveAndEmit(context, memory, {
    text: serializeTriggerState(next.state),
    items,
    mustSave: next.mustSave && !isSavedByN8n,
    isFirst,
  });
  const nextAt = formatMoment(now + minMinutes * 60_000, context.getTimezone());
  context.logger.info(
    `${name}: ${String(emitted)} changes emitted, ${String(diff.table.length)} rows stored${isFirst ? ' (first poll)' : ''}; ${String(stats.requests)} requests, up to ${String(stats.creditsAtMost)} credits; Min Minutes Between Reads is ${String(minMinutes)}, so polls read again from ${nextAt}`,
  );
  return output;
}

/** Now or at an earlier poll whose changes were not emitted yet. */
function formatStartOver(
  context: IPollFunctions,
  { last, startOverReason }: LoadedTriggerState,
  now: number,
): string | undefined {
  if (startOverReason === undefined) return last?.note;
  const note = `Watching started over at ${new Date(now).toISOString()} because ${startOverReason}: earlier changes are not reported`;
  context.logger.warn(`${context.getNode().name}: ${note}`);
  return note;
}

function toChangeItems<E extends string, D extends TriggerParameters<E>>(
  trigger: TriggerDefinition<E, D>,
  values: RunValuesOf<D>,
  diff: PollDiff<E>,
  { last, isOfSame = false }: LoadedTriggerState,
  { scope, readAt, note }: Pick<TriggerState, 'scope' | 'readAt' | 'note'>,
): INodeExecutionData[] {
  const { emitExisting } = values.options as TriggerOptions;
  if (last === undefined && (!emitExisting || isOfSame)) return [];
  const notes = [note, diff.note].filter((one) => one !== undefined);
  const about = {
    ...trigger.about(values),
    ...(notes.length === 0 ? {} : { note: notes.join('. ') }),
  };
  const at = new Date(readAt).toISOString();
  const savedAt = last?.savedAt ?? 0;
  return filterChosen(diff.changes, values).map((change) =>
    toChangeItem(change, makeChangeId(scope, savedAt, change), at, about),
  );
}

function filterChosen<E extends string, D extends TriggerParameters<E>>(
  changes: ReadonlyArray<Change<E>>,
  values: RunValuesOf<D>,
): ReadonlyArray<Change<E>> {
  const events = new Set(values.events as E[]);
  return changes.filter(({ event }) => events.has(event));
}

function createTestEvents<E extends string, D extends TriggerParameters<E>>(
  trigger: TriggerDefinition<E, D>,
  values: RunValuesOf<D>,
): INodeExecutionData[] {
  const note = 'Test event with a fictional company';
  const about = { ...trigger.about(values), note };
  const at = new Date().toISOString();
  return filterChosen(trigger.sample(values), values).map((change) =>
    toChangeItem(change, `test-event-${change.event}`, at, about),
  );
}

function toChangeItem(
  { event, facts }: Change,
  changeId: string,
  detectedAt: string,
  about: Row,
): INodeExecutionData {
  const ownFields = {
    change_id: changeId,
    event: toSnakeCase(event),
    detected_at: detectedAt,
    ...about,
  };
  return { json: { ...ownFields, ...facts, ...ownFields } };
}
