import type { IPollFunctions } from 'n8n-workflow';

/** Polls under way in this process. A poll that begins before the last one has ended would repeat it. */
const underWay = new Set<string>();

/** Polls, unless the same node is polling already; then there is nothing to say. */
export async function oneAtATime<T>(
  context: IPollFunctions,
  poll: () => Promise<T>,
): Promise<T | null> {
  const { id, name } = context.getNode();
  const key = JSON.stringify([context.getWorkflow().id, id, name]);
  if (underWay.has(key)) {
    context.logger.info(`${name}: the last poll is still under way, so this one is left out`);
    return null;
  }
  underWay.add(key);
  try {
    return await poll();
  } finally {
    underWay.delete(key);
  }
}
