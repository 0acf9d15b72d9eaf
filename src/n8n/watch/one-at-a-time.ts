import type { IPollFunctions } from 'n8n-workflow';

import { workflowData } from '../workflow-data';

/** A poll under way in this process. */
interface UnderWay {
  readonly data: ReturnType<typeof workflowData>;
  readonly ended: Promise<unknown>;
}

const underWay = new Map<string, UnderWay>();

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
  const key = JSON.stringify([context.getWorkflow().id, slot]);
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
