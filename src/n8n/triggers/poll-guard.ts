import type { IPollFunctions } from 'n8n-workflow';

import { toNodeKey, type TriggerMemory } from './memory';

interface PollInFlight {
  readonly memory: TriggerMemory;
  readonly ended: Promise<unknown>;
}

const inFlight = new Map<string, PollInFlight>();
const waiting = new Set<string>();

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
    memory.copyFrom(other.memory);
  }
  const polling = poll();
  inFlight.set(key, { memory, ended: polling.catch(() => undefined) });
  try {
    return await polling;
  } finally {
    inFlight.delete(key);
  }
}
