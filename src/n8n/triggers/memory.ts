import type { IDataObject, IPollFunctions } from 'n8n-workflow';

/**
 * n8n saves all static data of a workflow together, and loads it when the workflow is published, so each save
 * overwrites what others saved in between: this package's nodes write none in executions.
 *
 * With durable poll cursors (n8n 2.36+, opt-in) each poll gets a copy of its node's data, which n8n saves with
 * the execution that the poll starts, or when the poll returns null.
 */

/** A poll has used it, so n8n has saved it since the workflow was published. */
const polledData = new WeakSet<IDataObject>();

/** n8n resumes a workflow that it has polled before. */
const RESUMING_MODES: readonly string[] = ['init', 'leadershipChange'];

export class TriggerMemory {
  private readonly kept: { memory?: string };
  /** n8n saves the state even if a poll starts no execution. */
  readonly isDurable: boolean;
  /** n8n saves the static data after this poll. */
  readonly isActivation: boolean;
  private readonly isResumed: boolean;

  constructor(context: IPollFunctions) {
    const kept = context.getWorkflowStaticData('node');
    this.kept = kept;
    // n8n sets this marker only on data that it saves with the workflow.
    this.isDurable = !('__dataChanged' in kept);
    this.isActivation = !polledData.has(kept);
    this.isResumed = RESUMING_MODES.includes(context.getActivationMode());
    polledData.add(kept);
  }

  /** Undefined before the first poll, and if another save overwrote it or the node was renamed. */
  get text(): string | undefined {
    return this.kept.memory;
  }

  set text(text: string | undefined) {
    if (text === undefined) delete this.kept.memory;
    else this.kept.memory = text;
  }

  /** n8n polled this workflow before, but has no state of this node. */
  get isLost(): boolean {
    return this.isResumed && !this.isDurable && this.text === undefined;
  }

  /** False after the workflow was published again, because n8n then loads other data. */
  isSameAs({ kept }: TriggerMemory): boolean {
    return kept === this.kept;
  }
}
