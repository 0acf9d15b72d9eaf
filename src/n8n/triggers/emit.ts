import {
  NodeOperationError,
  type INodeExecutionData,
  type IPollFunctions,
  type IRun,
} from 'n8n-workflow';

import { toError } from '../failures';

/** By then n8n has stored the new execution, however long it runs. */
const STORED_MS = 10_000;

/** For an execution that ended before n8n waited for its end. */
const ALREADY_ENDED_MESSAGE = 'No active execution found';

/**
 * Starts the workflow, and waits until n8n has stored the execution. n8n starts items that a poll returns only
 * after it saved the poll's state, so a crash in between would lose them; now the next poll emits them again
 * with the same IDs.
 *
 * @throws {NodeOperationError} If n8n could not start it.
 */
export async function emitAndConfirm(
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
    const { name, message } = toError(error);
    // The execution existed, and was stopped or has ended.
    if (name.includes('Cancel') || message.includes(ALREADY_ENDED_MESSAGE)) return;
    throw new NodeOperationError(
      context.getNode(),
      `n8n could not start the workflow with ${String(items.length)} changes: ${message}`,
      { description: 'The next poll emits them again with the same IDs.' },
    );
  } finally {
    clearTimeout(timer);
  }
}
