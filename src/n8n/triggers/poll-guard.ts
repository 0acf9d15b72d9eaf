import type { IPollFunctions } from 'n8n-workflow';

import type { TriggerState } from '../../watch/trigger-state';
import { toNodeKey, type TriggerMemory } from './memory';

/*
 * Skips polls that start before the last one has ended, and polls that come too soon. Also keeps the
 * reads of polls that n8n would abandon; the next poll reports them.
 */

/** A running poll in this process. */
interface PollInFlight {
  readonly memory: TriggerMemory;
  readonly ended: Promise<unknown>;
}

const inFlight = new Map<string, PollInFlight>();
const waiting = new Set<string>();

/**
 * Polls, unless the same node is already polling: an overlapping poll would repeat its changes. A
 * workflow that was published again during a poll loaded its state before that poll changed it, so it
 * waits for the poll to end and then polls.
 *
 * @returns Null for a skipped poll.
 */
export async function withPollLock<T>(
  context: IPollFunctions,
  memory: TriggerMemory,
  poll: () => Promise<T>,
): Promise<T | null> {
  const key = toNodeKey(context);
  for (let other = inFlight.get(key); other !== undefined; other = inFlight.get(key)) {
    if (memory.isDurable || other.memory.isSameAs(memory) || waiting.has(key)) {
      const { name } = context.getNode();
      context.logger.info(`${name}: skipped this poll because the last one is still running`);
      return null;
    }
    waiting.add(key);
    await other.ended;
    waiting.delete(key);
    if (other.memory.text !== undefined) memory.text = other.memory.text;
  }
  const polling = poll();
  inFlight.set(key, { memory, ended: polling.catch(() => undefined) });
  try {
    return await polling;
  } finally {
    inFlight.delete(key);
  }
}

/** A read of a poll. */
interface ReadInFlight {
  /** State and parameters of the read; a poll with others reads again. */
  readonly basis: string;
  readonly read: Promise<unknown>;
}

/** Reads that take longer than n8n lets a poll run, by node. */
const readsInFlight = new Map<string, ReadInFlight>();

/**
 * Reads, and waits as long as n8n lets a poll run. A read that takes longer continues, and a later poll
 * gets its result. Without durable cursors, n8n never abandons a poll.
 *
 * @returns Undefined if the read takes longer.
 */
export async function readWithinPoll<T>(
  context: IPollFunctions,
  { isDurable }: TriggerMemory,
  basis: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (!isDurable) return await read();
  const key = toNodeKey(context);
  const last = readsInFlight.get(key);
  const reading = last?.basis === basis ? (last.read as Promise<T>) : read();
  readsInFlight.set(key, { basis, read: reading });
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, context.getPollBudgetMs(), late);
  });
  // Between two polls nothing awaits the read, so prevent an unhandled rejection.
  reading.catch(() => undefined);
  let isOver = true;
  try {
    const result = await Promise.race([reading, timeout]);
    isOver = result !== late;
    return result === late ? undefined : result;
  } finally {
    clearTimeout(timer);
    if (isOver) readsInFlight.delete(key);
  }
}

/** Tolerance for n8n's schedule, which fires slightly early or late. */
const SCHEDULE_TOLERANCE_MS = 30_000;

/**
 * Last read time of each node in this process, with the stored time before it, because n8n does not
 * save the state after every poll.
 */
const lastReads = new Map<string, { readonly stored: number | undefined; readonly at: number }>();

/** Records that a poll has read, even if it fails later. */
export function recordPollTime(
  context: IPollFunctions,
  last: TriggerState | undefined,
  at: number,
): void {
  lastReads.set(toNodeKey(context), { stored: last?.readAt, at });
}

/**
 * Whether a poll comes too soon after the last read.
 *
 * @param now Current time in milliseconds since 1970.
 * @param minMinutes Minimum minutes between two reads.
 */
export function isTooSoon(
  context: IPollFunctions,
  { readAt }: TriggerState,
  { now, minMinutes }: { readonly now: number; readonly minMinutes: number },
): boolean {
  const noted = lastReads.get(toNodeKey(context));
  const lastAt = noted?.stored === readAt ? noted.at : readAt;
  // If the clock was set back, polls must continue.
  return now >= lastAt && now + SCHEDULE_TOLERANCE_MS < lastAt + minMinutes * 60_000;
}
