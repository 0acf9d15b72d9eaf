import type { IPollFunctions } from 'n8n-workflow';

import type { Remembered } from '../../watch/remembered';
import type { Memory } from './memory';

/*
 * Polls that are left out: those that begin before the last one has ended, and those that come too
 * soon. And those that n8n would abandon: what they read is told by the next one.
 */

/** A poll under way in this process. */
interface UnderWay {
  readonly memory: Memory;
  readonly ended: Promise<unknown>;
}

const underWay = new Map<string, UnderWay>();
const waiting = new Set<string>();

/** A node of a workflow. */
function keyOf(context: IPollFunctions): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/**
 * Polls, unless the same node is polling already: a poll that begins before the last one has ended
 * would repeat it. A workflow that was published again meanwhile has got its data before that poll
 * changed them; it waits for them, and polls then.
 *
 * @returns null for a poll that was left out.
 */
export async function oneAtATime<T>(
  context: IPollFunctions,
  memory: Memory,
  poll: () => Promise<T>,
): Promise<T | null> {
  const key = keyOf(context);
  for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
    if (memory.isDurable || other.memory.isSameAs(memory) || waiting.has(key)) {
      const { name } = context.getNode();
      context.logger.info(`${name}: the last poll is still under way, so this one is left out`);
      return null;
    }
    waiting.add(key);
    await other.ended;
    waiting.delete(key);
    if (other.memory.text !== undefined) memory.text = other.memory.text;
  }
  const polling = poll();
  underWay.set(key, { memory, ended: polling.catch(() => undefined) });
  try {
    return await polling;
  } finally {
    underWay.delete(key);
  }
}

/** Something that a poll reads. */
interface Reading {
  /** What it is compared with, and how; a poll that wants something else reads anew. */
  readonly basis: string;
  readonly read: Promise<unknown>;
}

/** What is read for longer than n8n lets a poll last, by node. */
const readings = new Map<string, Reading>();

/**
 * Reads, and waits as long as n8n lets a poll last. What takes longer is read to its end all the same,
 * and a later poll gets it. Where n8n saves what is remembered only with an execution, it never
 * abandons one.
 *
 * @returns undefined when it takes longer.
 */
export async function readInTime<T>(
  context: IPollFunctions,
  { isDurable }: Memory,
  basis: string,
  read: () => Promise<T>,
): Promise<T | undefined> {
  if (!isDurable) return await read();
  const key = keyOf(context);
  const last = readings.get(key);
  const reading = last?.basis === basis ? (last.read as Promise<T>) : read();
  readings.set(key, { basis, read: reading });
  const late = Symbol('late');
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<typeof late>((resolve) => {
    timer = setTimeout(resolve, context.getPollBudgetMs(), late);
  });
  // Nobody waits for it between two polls.
  reading.catch(() => undefined);
  let isOver = true;
  try {
    const result = await Promise.race([reading, patience]);
    isOver = result !== late;
    return result === late ? undefined : result;
  } finally {
    clearTimeout(timer);
    if (isOver) readings.delete(key);
  }
}

/** n8n's clock ticks a little early or late. */
const TICK_MS = 30_000;

/**
 * When nodes of this process have read last, and what was remembered of that before: n8n does not save
 * it after every poll.
 */
const lastReads = new Map<
  string,
  { readonly remembered: number | undefined; readonly at: number }
>();

/** Until when polls that were left out have been told of, by node. */
const told = new Map<string, string>();

/** Notes that a poll has read, whatever comes of it. */
export function noteRead(context: IPollFunctions, last: Remembered | undefined, at: number): void {
  lastReads.set(keyOf(context), { remembered: last?.readAt, at });
}

/**
 * Whether a poll comes too soon after the last one. Says so once after each read: the trigger looks
 * dead meanwhile.
 *
 * @param now milliseconds since 1970.
 * @param minMinutes between two reads.
 */
export function isTooSoon(
  context: IPollFunctions,
  { readAt }: Remembered,
  { now, minMinutes }: { readonly now: number; readonly minMinutes: number },
): boolean {
  const key = keyOf(context);
  const noted = lastReads.get(key);
  const lastAt = noted?.remembered === readAt ? noted.at : readAt;
  const nextAt = lastAt + minMinutes * 60_000;
  // A clock that was set back must not stop the polls.
  if (now < lastAt || now + TICK_MS >= nextAt) return false;
  const at = new Date(nextAt).toISOString();
  if (told.get(key) !== at) {
    told.set(key, at);
    context.logger.info(
      `${context.getNode().name}: polls before ${at} send no request, because Min Minutes Between Reads is ${String(minMinutes)}`,
    );
  }
  return true;
}
