import type { IDataObject, IPollFunctions, Workflow } from 'n8n-workflow';

/*
 * A trigger stores its state in the static data of its node. n8n saves all static data of a workflow
 * together, and loads it when the workflow is published, so each save overwrites what others saved in
 * between. So this package's nodes write none in executions.
 *
 * With durable poll cursors (n8n 2.36+, opt-in) each poll gets a copy of its node's data from n8n's
 * database. n8n saves it with the execution that the poll starts, or when the poll returns null.
 */

/** Undocumented parts of n8n's poll context; every n8n version that was checked has them. */
interface PollInternals {
  readonly workflow: Pick<Workflow, 'staticData'>;
}

/** Our part of the static data of a node. */
interface StoredMemory extends IDataObject {
  /** ID of the node, because n8n stores the data by the name of the node. */
  node?: string;
  memory?: string;
}

/** Nodes that have stored a state in this process; see {@link toNodeKey}. */
const knownNodes = new Set<string>();

/** Static data that a poll has used, so that n8n has saved it since the workflow was published. */
const polledData = new WeakSet<IDataObject>();

/** Activation modes in which n8n resumes a workflow that it has polled before. */
const RESUMING_MODES: readonly string[] = ['init', 'leadershipChange'];

/** Returns a key for a node of a workflow. */
export function toNodeKey(context: IPollFunctions): string {
  return JSON.stringify([context.getWorkflow().id, context.getNode().id]);
}

/** Stored state of a trigger. */
export class TriggerMemory {
  private readonly kept: StoredMemory;
  /** Whether n8n saves the state even if a poll starts no execution. */
  readonly isDurable: boolean;
  /** Whether this is the poll of an activation, after which n8n saves the static data. */
  readonly isActivation: boolean;

  constructor(private readonly context: IPollFunctions) {
    this.kept = context.getWorkflowStaticData('node');
    // n8n sets this marker only on data that it saves with the workflow.
    this.isDurable = !('__dataChanged' in this.kept);
    this.isActivation = !polledData.has(this.kept);
    polledData.add(this.kept);
    this.findRenamed();
  }

  /** The stored state; undefined before the first poll. */
  get text(): string | undefined {
    return this.kept.memory;
  }

  /** n8n saves the state when it starts an execution for the trigger. */
  set text(text: string | undefined) {
    knownNodes.add(toNodeKey(this.context));
    this.kept.node = this.context.getNode().id;
    if (text === undefined) delete this.kept.memory;
    else this.kept.memory = text;
  }

  /** Whether the state was lost because another process or execution saved the data without it. */
  get isLost(): boolean {
    if (this.text !== undefined || this.isDurable) return false;
    const mode = this.context.getActivationMode();
    return RESUMING_MODES.includes(mode) || knownNodes.has(toNodeKey(this.context));
  }

  /** Whether this is the same data object; a workflow that was published again loads a new one. */
  isSameAs({ kept }: TriggerMemory): boolean {
    return kept === this.kept;
  }

  /** Moves the state of this node from an earlier name. */
  private findRenamed(): void {
    const { id, name } = this.context.getNode();
    const { kept } = this;
    if (kept.memory !== undefined && (this.isDurable || kept.node === id)) return;
    const { staticData } = (this.context as unknown as PollInternals).workflow;
    for (const [slot, other] of Object.entries(staticData) as Array<[string, StoredMemory]>) {
      if (!slot.startsWith('node:') || slot === `node:${name}` || other.node !== id) continue;
      Object.assign(kept, other);
      Reflect.deleteProperty(staticData, slot);
      return;
    }
  }
}
