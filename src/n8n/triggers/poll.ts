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
  ImplausibleLossError,
  isListChanged,
  isSuspectedOutage,
  type Change,
  type PreviousSnapshot,
  type PollDiff,
} from '../../watch/change';
import {
  isPaused,
  parseTriggerState,
  serializeTriggerState,
  takePollStep,
  toFailedState,
  toFingerprint,
  toScope,
  unpackTriggerState,
} from '../../watch/trigger-state';
import { toError, toNodeError } from '../failures';
import { formatMismatches } from '../run-hints';
import { openRunForPoll } from '../open-run';
import { toNamesExpression } from '../operation';
import type { Declared, Parameter, RunValuesOf } from '../parameters/declare';
import { readForPoll, type RunLimits } from '../parameters/readers';
import { withPollLock } from './poll-guard';
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
  /** In addition to the Base URL, these also start it over, but emit nothing of what exists. */
  readonly settings?: (values: RunValuesOf<D>) => unknown;
  /** Fields of every change that say which list or technology it is about. */
  readonly about: (values: RunValuesOf<D>) => Row;
  /** For Fetch Test Event; no request is sent. */
  readonly sample: (values: RunValuesOf<D>) => ReadonlyArray<Change<E>>;
  readonly fetchDiff: (
    run: Run,
    values: RunValuesOf<D>,
    earlier: PreviousSnapshot | undefined,
  ) => Promise<PollDiff<E>>;
}

export function toTriggerProperties(declared: Declared): INodeProperties[] {
  return Object.values(declared).flatMap(({ properties }) => properties);
}

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
  const options = values.options as TriggerOptions;
  const { emitExisting, minMinutesBetweenReads: minMinutes } = options;
  const { run, baseUrl } = await openRunForPoll(context, options);
  const { name } = context.getNode();
  const startedAt = Date.now();
  // A new key, or another credential of the service, goes on with the comparison.
  const scope = toScope(trigger.watched(values), [baseUrl, trigger.settings?.(values)]);
  const stored = parseTriggerState(memory.text, scope, memory.isLost);
  const parameters = toFingerprint([values, run.credits.limit]);
  if (isPaused(stored, { now: startedAt, minMinutes, parameters })) return null;
  const unpacked = await unpackTriggerState(stored);
  const { last, earlier } = unpacked;
  const events = new Set(values.events as E[]);
  let diff, step;
  try {
    diff = await trigger.fetchDiff(run, values, earlier);
    step = await takePollStep(unpacked, diff, { startedAt, emitExisting, events });
  } catch (error) {
    if (isListChanged(error)) {
      context.logger.warn(`${name}: ${error.message}. ${error.hint}`);
      return null;
    }
    const { creditsAtMost } = run.stats;
    // The service was read and charged, so it counts for the pause.
    if (isSuspectedOutage(error) || (error instanceof SkippedError && creditsAtMost > 0)) {
      const refused = error instanceof ImplausibleLossError ? error.missing : unpacked.refused;
      const failed = await toFailedState(last, startedAt, { parameters, refused });
      memory.keepUnsaved(serializeTriggerState(failed));
    }
    throw error instanceof SkippedError ? withCost(error, creditsAtMost, minMinutes) : error;
  }
  const { stats, mismatches } = run;
  if (mismatches !== undefined) context.logger.warn(`${name}: ${formatMismatches(mismatches)}`);
  if (diff.note !== undefined) context.logger.warn(`${name}: ${diff.note}`);
  if (last.isStartingOver === true) context.logger.warn(`${name}: ${STARTED_OVER}`);
  const about = { ...trigger.about(values), ...(diff.note !== undefined && { note: diff.note }) };
  const at = new Date(startedAt).toISOString();
  const items = step.changes.map(({ changeId, ...change }) =>
    toChangeItem(change, changeId, at, about),
  );
  const isFirst = earlier === undefined;
  const output = await saveAndEmit(context, memory, {
    text: serializeTriggerState(step.state),
    handedOver: serializeTriggerState({ ...last, handedOverAt: Date.now() }),
    items,
    mustSave: step.mustSave,
    isFirst,
  });
  const nextAt = formatMoment(startedAt + minMinutes * 60_000, context.getTimezone());
  context.logger.info(
    `${name}: ${String(items.length)} changes emitted, ${String(diff.table.length)} rows stored${isFirst ? ' (first poll)' : ''}; ${String(stats.requests)} requests, up to ${String(stats.creditsAtMost)} credits; Min Minutes Between Reads is ${String(minMinutes)}, so polls read again from ${nextAt} on`,
  );
  return output;
}

const STARTED_OVER =
  'Watching started over, because the saved state was lost, unreadable, or of another tier or Base URL. This poll recorded the current state and emitted nothing; earlier changes are not reported';

function withCost(error: SkippedError, creditsAtMost: number, minMinutes: number): SkippedError {
  const charged =
    creditsAtMost === 0
      ? 'Nothing was charged'
      : `Up to ${formatCount(creditsAtMost, 'credit')} ${creditsAtMost === 1 ? 'was' : 'were'} charged, and polls read again after ${String(minMinutes)} minutes`;
  const hint = `${charged}. The trigger emitted nothing and kept its previous state. Raise ${MAX_CREDITS_LABEL}.`;
  return error.copyWith({ hint });
}

function createTestEvents<E extends string, D extends TriggerParameters<E>>(
  trigger: TriggerDefinition<E, D>,
  values: RunValuesOf<D>,
): INodeExecutionData[] {
  const note = 'Test event with a fictional company';
  const about = { ...trigger.about(values), note };
  const at = new Date().toISOString();
  const events = new Set(values.events as E[]);
  const chosen = trigger.sample(values).filter(({ event }) => events.has(event));
  return chosen.map((change) => toChangeItem(change, `test-event-${change.event}`, at, about));
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
