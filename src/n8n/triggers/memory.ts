import {
  NodeOperationError,
  type IDataObject,
  type INodeExecutionData,
  type IPollFunctions,
  type IRun,
} from 'n8n-workflow';

import { toError } from '../failures';

/**
 * n8n saves all static data of a workflow together, and loads it when the workflow is published, so each save
 * overwrites what others saved in between: this package's nodes write none in executions.
 *
 * With durable poll cursors (n8n 2.36+, opt-in) each poll gets a copy of its node's data, which n8n saves with
 * the execution that the poll starts, or when the poll returns null.
 */

/** Static data that a poll has used, so that n8n has saved it since the workflow was published. */
const polledData = new WeakSet<IDataObject>();

/** n8n resumes a workflow that it has polled before. */
const RESUMING_MODES: readonly string[] = ['init', 'leadershipChange'];

/** States that n8n does not save, by node, each with the saved text that it continues. */
const unsaved = new Map<string, { readonly after: string | undefined; readonly text: string }>();

export function toNodeKey(context: IPollFunctions): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

export class TriggerMemory {
  private readonly key: string;
  private readonly kept: { memory?: string };
  /** n8n saves the state even if a poll starts no execution. */
  readonly isDurable: boolean;
  /** n8n saves the static data after this poll. */
  readonly isActivation: boolean;
  private readonly isResumed: boolean;

  constructor(context: IPollFunctions) {
    const kept = context.getWorkflowStaticData('node');
    this.key = toNodeKey(context);
    this.kept = kept;
    // n8n sets this marker only on data that it saves with the workflow.
    this.isDurable = !('__dataChanged' in kept);
    this.isActivation = !polledData.has(kept);
    this.isResumed = RESUMING_MODES.includes(context.getActivationMode());
    polledData.add(kept);
  }

  /** Undefined before the first poll, and if another save overwrote it or the node was renamed. */
  get text(): string | undefined {
    const known = unsaved.get(this.key);
    return known !== undefined && known.after === this.kept.memory ? known.text : this.kept.memory;
  }

  /** n8n polled this workflow before, but has no state of this node. */
  get isLost(): boolean {
    return this.isResumed && !this.isDurable && this.text === undefined;
  }

  save(text: string | undefined): void {
    if (text === undefined) delete this.kept.memory;
    else this.kept.memory = text;
  }

  /** Counts until n8n has another text than now. */
  keepUnsaved(text: string): void {
    unsaved.set(this.key, { after: this.kept.memory, text });
  }

  /** False after the workflow was published again, because n8n then loads other data. */
  isSameAs({ kept }: TriggerMemory): boolean {
    return kept === this.kept;
  }

  copyFrom({ kept }: TriggerMemory): void {
    if (kept.memory !== undefined) this.kept.memory = kept.memory;
  }
}

interface PollResult {
  readonly text: string;
  /** State of this process until n8n has stored the execution together with `text`. */
  readonly handedOver: string;
  readonly items: INodeExecutionData[];
  readonly mustSave: boolean;
  readonly isFirst: boolean;
}

/** n8n saves the state when it starts an execution. @returns What the poll returns to n8n. */
export async function saveAndEmit(
  context: IPollFunctions,
  memory: TriggerMemory,
  { text, handedOver, items, mustSave, isFirst }: PollResult,
): Promise<INodeExecutionData[][] | null> {
  const before = memory.text;
  if (memory.isDurable && items.length > 0) memory.keepUnsaved(handedOver);
  memory.save(text);
  if (memory.isDurable) {
    if (items.length > 0) return [items];
    // After the poll of an activation, n8n saves the state only on request.
    if (isFirst) await context.__commitCursor?.();
    return null;
  }
  // n8n saves a first state itself, after the poll of an activation.
  if (items.length === 0) return mustSave && !(isFirst && memory.isActivation) ? [[]] : null;
  try {
    await emitAndConfirm(context, items);
  } catch (error) {
    memory.save(before);
    // Emitting nothing is the only way to make n8n save the state.
    context.__emit([[]]);
    throw error;
  }
  return null;
}

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
async function emitAndConfirm(context: IPollFunctions, items: INodeExecutionData[]): Promise<void> {
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
