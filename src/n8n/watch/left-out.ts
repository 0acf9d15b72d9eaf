import type { IPollFunctions } from 'n8n-workflow';

import type { Remembered } from '../../watch/remembered';
import { workflowData } from '../workflow-data';

/* Polls that are left out: those that begin before the last one has ended, and those that come too soon. */

/** A poll under way in this process. */
interface UnderWay {
  readonly data: ReturnType<typeof workflowData>;
  readonly ended: Promise<unknown>;
}

const underWay = new Map<string, UnderWay>();

/** A node of a workflow. */
function keyOf(context: IPollFunctions, slot: string): string {
  return JSON.stringify([context.getWorkflow().id, slot]);
}

/**
 * Polls, unless the same node is polling already: a poll that begins before the last one has ended
 * would repeat it. A workflow that was published again meanwhile has got its data before that poll
 * changed them; it waits for them, and polls then.
 *
 * @param slot where in the workflow's data the node's memory is.
 * @returns null for a poll that was left out.
 */
export async function oneAtATime<T>(
  context: IPollFunctions,
  slot: string,
  poll: () => Promise<T>,
): Promise<T | null> {
  const key = keyOf(context, slot);
  const data = workflowData(context);
  for (let other = underWay.get(key); other !== undefined; other = underWay.get(key)) {
    if (other.data === data) {
      const { name } = context.getNode();
      context.logger.info(`${name}: the last poll is still under way, so this one is left out`);
      return null;
    }
    await other.ended;
    if (other.data[slot] !== undefined) data[slot] = other.data[slot];
  }
  const polling = poll();
  underWay.set(key, { data, ended: polling.catch(() => undefined) });
  try {
    return await polling;
  } finally {
    underWay.delete(key);
  }
}

/** n8n's clock ticks a little early or late. */
const TICK_MS = 30_000;
const MINUTE_MS = 60_000;

/** Until when polls that were left out have been told of, by node. */
const told = new Map<string, string>();

/**
 * Whether a poll comes too soon after the last one. Says so once after each read: the trigger looks
 * dead meanwhile.
 *
 * @param now milliseconds since 1970.
 * @param minMinutes between two reads. Whoever has just published a workflow tries it out: no pause is
 * longer than the watch has lasted.
 */
export function isTooSoon(
  context: IPollFunctions,
  slot: string,
  { readAt, refusedAt = readAt, since }: Remembered,
  { now, minMinutes }: { readonly now: number; readonly minMinutes: number },
): boolean {
  const lastAt = Math.max(readAt, refusedAt);
  const lasted = Math.max(MINUTE_MS, lastAt - Date.parse(since)) || MINUTE_MS;
  const nextAt = lastAt + Math.min(minMinutes * MINUTE_MS, lasted);
  // A clock that was set back must not stop the polls.
  if (now < lastAt || now + TICK_MS >= nextAt) return false;
  const at = new Date(nextAt).toISOString();
  const key = keyOf(context, slot);
  if (told.get(key) !== at) {
    told.set(key, at);
    context.logger.info(
      `${context.getNode().name}: polls before ${at} send no request, because Min Minutes Between Reads is ${String(minMinutes)}`,
    );
  }
  return true;
}
