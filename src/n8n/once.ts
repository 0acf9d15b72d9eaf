import type { IExecuteFunctions } from 'n8n-workflow';

import { UnknownOutcomeError } from '../client/errors';

/** How many side effects are remembered; the oldest are forgotten first. */
const CAPACITY = 50_000;

/**
 * The only owner of what has been done. n8n's Retry On Fail runs a node again with the same
 * execution, node and run, also when only one item failed; what succeeded must not be done again.
 */
const done = new Map<string, Promise<unknown>>();

/**
 * Does something with a lasting effect once for each execution, node run and item. Asked again, it
 * gives the result of the first time; where the outcome is unknown, it stays unknown. What certainly
 * was not done may be tried again.
 *
 * @param what tells different things that one item does apart.
 */
export async function once<T>(
  context: IExecuteFunctions,
  itemIndex: number,
  what: string,
  act: () => Promise<T>,
): Promise<T> {
  const { $runIndex: runIndex } = context.getWorkflowDataProxy(itemIndex);
  const id = [context.getExecutionId(), context.getNode().id, runIndex, itemIndex, what].join('/');
  const known = done.get(id);
  if (known !== undefined) return (await known) as T;
  const doing = act();
  done.set(id, doing);
  forgetOldest();
  try {
    return await doing;
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) done.delete(id);
    throw error;
  }
}

function forgetOldest(): void {
  for (const id of done.keys()) {
    if (done.size <= CAPACITY) return;
    done.delete(id);
  }
}
