import type {
  INodeExecutionData,
  INodeProperties,
  INodePropertyOptions,
  IPollFunctions,
} from 'n8n-workflow';

import { inSnakeCase } from '../../client/codes';
import type { Row } from '../../run/answers/rows';
import type { Run } from '../../run/run';
import { changeIdOf, type Change, type Earlier, type Sight } from '../../watch/change';
import { isTakenForFault } from '../../watch/plausible';
import {
  recall,
  remember,
  savingOf,
  scopeOf,
  storable,
  tableOf,
  UNREADABLE,
  watchesSame,
  type Recalled,
  type Remembered,
} from '../../watch/remembered';
import type { Table } from '../../watch/table';
import { asError, nodeError } from '../failures';
import { openRunForPoll } from '../open-run';
import { namesOf } from '../operation';
import type { Declared, Parameter, RunValuesOf } from '../parameters/declare';
import { readForPoll, type RunLimits } from '../parameters/for-run';
import { keepTogether, workflowData } from '../workflow-data';
import { handOver } from './hand-over';
import { oneAtATime } from './one-at-a-time';

/** Options that every trigger has. */
interface WatchOptions extends RunLimits {
  readonly emitExisting: boolean;
  readonly minMinutesBetweenReads: number;
}

/** Parameters that every trigger has. */
type WatchParameters<E extends string> = Declared & {
  readonly events: Parameter<E[]>;
  readonly options: Parameter<Partial<WatchOptions>>;
};

/** What a trigger watches, and how. */
export interface Watch<E extends string, D extends Declared> {
  readonly parameters: D;
  /** What makes one watch another one, beside the key, by what users call it. */
  readonly scope: (values: RunValuesOf<D>) => Readonly<Record<string, unknown>>;
  /** Said of every change: which list, which technology. */
  readonly about: (values: RunValuesOf<D>) => Row;
  /** What changes look like, for Fetch Test Event; nothing is asked for. */
  readonly sample: (values: RunValuesOf<D>) => ReadonlyArray<Change<E>>;
  /** Reads what there is now, as far as it is needed to compare it with what was remembered. */
  readonly look: (
    run: Run,
    values: RunValuesOf<D>,
    earlier: Earlier | undefined,
    context: IPollFunctions,
  ) => Promise<Sight<E>>;
}

/** n8n's clock ticks a little early or late. */
const TICK_MS = 30_000;
const MINUTE_MS = 60_000;

/** Where the memory of a node is in its workflow's data: n8n keeps a node's own data by its name. */
function slotOf(context: IPollFunctions): string {
  const { id, name } = context.getNode();
  return `companyIntelligenceWatch ${id === '' ? name : id}`;
}

/** A trigger's parameters, as the node shows them. */
export function propertiesOf(declared: Declared): INodeProperties[] {
  return Object.values(declared).flatMap(({ properties }) => properties);
}

/** What is under the node on the canvas: the chosen events in words. */
export function subtitleOf({ properties: [events] }: Parameter<unknown>): string {
  const names = namesOf((events?.options ?? []) as INodePropertyOptions[]);
  return `={{ $parameter["events"].map((one) => (${names})[one]).join(", ") }}`;
}

/**
 * One poll: looks, starts the workflow with what changed, and remembers. A first poll remembers and
 * starts nothing, unless the user wants all there is.
 *
 * @returns what n8n makes of it. Null: nothing to save, as a poll that returns null saves nothing. No
 * items: what is remembered is to be saved; n8n has no other way, and makes an execution of it that
 * runs nothing.
 * @throws {NodeApiError | NodeOperationError} when it could not look, or what it saw is no change but
 * a fault; then all stays as it was remembered.
 */
export async function poll<E extends string, D extends WatchParameters<E>>(
  context: IPollFunctions,
  watch: Watch<E, D>,
): Promise<INodeExecutionData[][] | null> {
  try {
    const values = readForPoll(context, watch.parameters);
    if (context.getMode() === 'manual') return [testEvents(watch, values)];
    const slot = slotOf(context);
    return await oneAtATime(context, slot, async () => {
      const output = await pollOnce(context, watch, values, slot);
      keepTogether(context, slot);
      return output;
    });
  } catch (error) {
    throw nodeError(context.getNode(), asError(error), 0);
  }
}

async function pollOnce<E extends string, D extends WatchParameters<E>>(
  context: IPollFunctions,
  watch: Watch<E, D>,
  values: RunValuesOf<D>,
  slot: string,
): Promise<INodeExecutionData[][] | null> {
  const options = values.options as WatchOptions;
  const data = workflowData(context);
  // Where it was until it was kept by the node's id.
  const stored = data[slot] ?? context.getWorkflowStaticData('node')['watch'];
  const { run, keyId } = await openRunForPoll(context, options);
  const scope = scopeOf({ ...watch.scope(values), key: keyId });
  const now = Date.now();
  const recalled = recall(stored, scope);
  if (recalled.kind === 'known' && isTooSoon(recalled.state, options, now)) {
    sayTooSoon(context, slot, recalled.state, options);
    return null;
  }
  const { before, last, over } = await unpacked(recalled);
  const earlier =
    before === undefined || last === undefined ? undefined : { table: before, readAt: last.readAt };
  const sight = await watch.look(run, values, earlier, context).catch((error: unknown) => {
    // It was read and paid for. `readAt` stays: it is when the table was as it is remembered.
    if (recalled.kind === 'known' && isTakenForFault(error)) {
      data[slot] = storable({ ...recalled.state, refusedAt: now });
    }
    throw error;
  });

  const at = new Date(now).toISOString();
  const note = over === undefined ? last?.note : startedOver(at, over);
  if (over !== undefined) context.logger.warn(`${context.getNode().name}: ${String(note)}`);
  const isFirst = before === undefined;
  // A first poll that is repeated has no beginning yet that would be the same.
  const since = { since: last?.since ?? '', revision: last?.revision ?? 0 };
  const wanted = new Set<string>(values.events as E[]);
  const emitsAll = options.emitExisting && !watchesSame(stored, scope);
  const changes = sight.changes.filter(({ event }) => wanted.has(event) && (!isFirst || emitsAll));
  const items = changes.map((change) =>
    itemOf(change, changeIdOf(scope, since, change), at, {
      ...watch.about(values),
      ...(note === undefined || isFirst ? {} : { note }),
    }),
  );
  if (items.length > 0) await handOver(context, items);

  const saving = savingOf(recalled.kind, sight.memory, items.length, last, now);
  const isSame = last !== undefined && sight.memory === 'same' && items.length === 0;
  const state: Remembered = isSame
    ? { ...last, readAt: now, refusedAt: undefined }
    : await remember(sight.now, {
        scope,
        since: last?.since ?? at,
        // What a repeated poll would emit again keeps its ids until it is surely saved.
        revision: since.revision + (saving === 'later' ? 0 : 1),
        readAt: now,
        savedAt: saving === 'later' && last !== undefined ? last.savedAt : now,
        ...(note === undefined || (items.length > 0 && !isFirst) ? {} : { note }),
      });
  data[slot] = storable(state);
  const { requests, creditsAtMost } = run.figures;
  context.logger.info(
    `${context.getNode().name}: ${String(requests)} requests, at most ${String(creditsAtMost)} credits; ${String(items.length)} changes emitted, ${String(sight.now.size)} remembered${isFirst ? ' (first poll)' : ''}`,
  );
  return saving === 'now' ? [[]] : null;
}

async function unpacked(recalled: Recalled): Promise<{
  before: Table | undefined;
  last: Remembered | undefined;
  /** Why the watch starts over. */
  over: string | undefined;
}> {
  const nothing = { before: undefined, last: undefined };
  if (recalled.kind === 'none') return { ...nothing, over: undefined };
  if (recalled.kind === 'over') return { ...nothing, over: recalled.why };
  const before = await tableOf(recalled.state);
  if (before === undefined) return { ...nothing, over: UNREADABLE.why };
  return { before, last: recalled.state, over: undefined };
}

function startedOver(at: string, why: string): string {
  return `Watching started over at ${at}, because ${why}: changes from before that moment are not reported`;
}

function isTooSoon(state: Remembered, options: WatchOptions, now: number): boolean {
  const { lastAt, nextAt } = timesOf(state, options);
  // A clock that was set back must not stop the polls.
  return now >= lastAt && now + TICK_MS < nextAt;
}

/**
 * When it was read last, and is read next. Whoever has just published a workflow tries it out: no pause
 * is longer than the watch has lasted.
 */
function timesOf(
  { readAt, refusedAt = readAt, since }: Remembered,
  { minMinutesBetweenReads: minutes }: WatchOptions,
) {
  const lastAt = Math.max(readAt, refusedAt);
  const lasted = Math.max(MINUTE_MS, lastAt - Date.parse(since)) || MINUTE_MS;
  return { lastAt, nextAt: lastAt + Math.min(minutes * MINUTE_MS, lasted) };
}

/** Until when polls that were left out have been told of, by node. */
const told = new Map<string, string>();

/** Says once after each read that polls are left out for a while: the trigger looks dead meanwhile. */
function sayTooSoon(
  context: IPollFunctions,
  slot: string,
  state: Remembered,
  options: WatchOptions,
): void {
  const at = new Date(timesOf(state, options).nextAt).toISOString();
  const key = JSON.stringify([context.getWorkflow().id, slot]);
  if (told.get(key) === at) return;
  told.set(key, at);
  context.logger.info(
    `${context.getNode().name}: polls before ${at} send no request, because Min Minutes Between Reads is ${String(options.minMinutesBetweenReads)}`,
  );
}

function testEvents<E extends string, D extends WatchParameters<E>>(
  watch: Watch<E, D>,
  values: RunValuesOf<D>,
): INodeExecutionData[] {
  const wanted = new Set<string>(values.events as E[]);
  const at = new Date().toISOString();
  const about = {
    ...watch.about(values),
    note: 'A test event: this company and its data are made up',
  };
  return watch
    .sample(values)
    .filter(({ event }) => wanted.has(event))
    .map((change) => itemOf(change, `test-event-${change.event}`, at, about));
}

function itemOf(
  { event, facts }: Change,
  changeId: string,
  detectedAt: string,
  about: Row,
): INodeExecutionData {
  const told = {
    change_id: changeId,
    event: inSnakeCase(event),
    detected_at: detectedAt,
    ...about,
  };
  return { json: { ...told, ...facts, ...told } };
}
