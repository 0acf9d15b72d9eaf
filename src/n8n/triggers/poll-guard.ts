import type { IPollFunctions } from 'n8n-workflow';

import type { TriggerMemory } from './memory';

interface PollInFlight {
  readonly memory: TriggerMemory;
  readonly ended: Promise<unknown>;
}

const inFlight = new Map<string, PollInFlight>();
const waiting = new Set<string>();

function toNodeKey(context: IPollFunctions): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/**
 * Skips a poll while the same node is polling: it would repeat its changes. A workflow that was published again
 * during a poll loaded its state before that poll changed it, so it waits for the poll to end and then polls.
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

/** Counts for the pause, although n8n does not save the state after every poll. */
interface LastRead {
  /** State and parameters. */
  readonly basis: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** IDs of the entities whose removal the poll refused. */
  readonly refused?: ReadonlySet<string>;
  readonly hasEmitted?: boolean;
}

const lastReads = new Map<string, LastRead>();

export function getLastRead(context: IPollFunctions, basis: string): LastRead | undefined {
  const last = lastReads.get(toNodeKey(context));
  return last?.basis === basis ? last : undefined;
}

export function recordRead(context: IPollFunctions, read: LastRead): void {
  lastReads.set(toNodeKey(context), read);
}

/** n8n's schedule fires slightly early or late. */
const SCHEDULE_TOLERANCE_MS = 30_000;

/** @param lastAt Time of the last read, and `now` the current time, in milliseconds since 1970. */
export function isTooSoon(lastAt: number, now: number, minMinutes: number): boolean {
  // If the clock was set back, polls must continue.
  return now >= lastAt && now + SCHEDULE_TOLERANCE_MS < lastAt + minMinutes * 60_000;
}
