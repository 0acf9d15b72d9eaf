import {
  NodeOperationError,
  type INodeExecutionData,
  type IPollFunctions,
  type IRun,
} from 'n8n-workflow';

import { asError } from '../failures';

/** By then n8n has surely stored the execution that it was asked for, however long that one takes. */
const STORED_MS = 10_000;

/** What n8n says of an execution that was over before it looked for its end. */
const OVER_ALREADY = 'No active execution found';

/**
 * Starts the workflow with items, and waits until n8n has an execution of them. What a poll returns
 * instead would be started only after the poll's memory was saved, so that a crash between the two
 * would lose it; this way it comes again, with the same ids.
 *
 * @throws {NodeOperationError} when n8n could not start it.
 */
export async function handOver(
  context: IPollFunctions,
  items: INodeExecutionData[],
): Promise<void> {
  const done = context.helpers.createDeferredPromise<IRun | undefined>();
  context.__emit([items], undefined, done);
  let timer: NodeJS.Timeout | undefined;
  const stored = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STORED_MS);
  });
  try {
    await Promise.race([done.promise, stored]);
  } catch (error) {
    const { name, message } = asError(error);
    // It was there, and somebody stopped it, or it is over.
    if (name.includes('Cancel') || message.includes(OVER_ALREADY)) return;
    throw new NodeOperationError(
      context.getNode(),
      `n8n could not start the workflow with ${String(items.length)} changes: ${message}`,
      { description: 'They come again with the next poll, with the same ids.' },
    );
  } finally {
    clearTimeout(timer);
  }
}
