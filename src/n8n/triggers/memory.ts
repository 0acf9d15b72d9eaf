import type { IDataObject, IPollFunctions, Workflow } from 'n8n-workflow';

/*
 * A trigger stores its state in the static data of its node. n8n saves all static data of a workflow
 * together, and loads it when the workflow is published, so each save overwrites what others saved in
 * between. So executions write none, and a trigger that saves includes the state of the other triggers.
 *
 * With durable poll cursors (n8n 2.36+, opt-in) each poll gets a copy of its node's data from n8n's
 * database. n8n saves it with the execution that the poll starts, or when the poll returns null.
 */

/** Undocumented parts of n8n's poll context; every n8n version that was checked has them. */
interface PollInternals {
  readonly workflow: Pick<Workflow, 'staticData' | 'nodes' | 'getStaticData'>;
}

/** Our part of the static data of a node. */
interface StoredMemory extends IDataObject {
  /** ID of the node, because n8n stores the data by the name of the node. */
  node?: string;
  memory?: string;
}

/** Data of the triggers that have polled in this process, by workflow and name. */
const liveMemories = new Map<string, Map<string, StoredMemory>>();

/** Activation modes in which n8n resumes a workflow that it has polled before. */
const RESUMED_HINT: readonly string[] = ['init', 'leadershipChange'];

/** Stored state of a trigger. */
export class TriggerMemory {
  private readonly kept: StoredMemory;
  /** Whether n8n saves the state even if a poll starts no execution. */
  readonly isDurable: boolean;

  constructor(private readonly context: IPollFunctions) {
    this.kept = context.getWorkflowStaticData('node');
    // n8n sets this marker only on data that it saves with the workflow.
    this.isDurable = !('__dataChanged' in this.kept);
    this.findRenamed();
  }

  /** The stored state; undefined before the first poll. */
  get text(): string | undefined {
    return this.kept.memory;
  }

  /** n8n saves the state when it starts an execution for the trigger. */
  set text(text: string | undefined) {
    const { id, name } = this.context.getNode();
    this.kept.node = id;
    if (text === undefined) delete this.kept.memory;
    else this.kept.memory = text;
    if (!this.isDurable) this.keepOtherTriggers(name);
  }

  /** Whether the state was lost because another process saved the workflow's data without it. */
  get isLost(): boolean {
    const mode = this.context.getActivationMode();
    return this.text === undefined && !this.isDurable && RESUMED_HINT.includes(mode);
  }

  /** Whether this is the same data object; a workflow that was published again loads a new one. */
  isSameAs({ kept }: TriggerMemory): boolean {
    return kept === this.kept;
  }

  private get workflow(): PollInternals['workflow'] {
    return (this.context as unknown as PollInternals).workflow;
  }

  /** Moves the state of this node from an earlier name. */
  private findRenamed(): void {
    const { id, name } = this.context.getNode();
    const { kept } = this;
    if (kept.memory !== undefined && (this.isDurable || kept.node === id)) return;
    const { staticData } = this.workflow;
    for (const [slot, other] of Object.entries(staticData) as Array<[string, StoredMemory]>) {
      if (!slot.startsWith('node:') || slot === `node:${name}` || other.node !== id) continue;
      Object.assign(kept, other);
      Reflect.deleteProperty(staticData, slot);
      return;
    }
  }

  private keepOtherTriggers(own: string): void {
    const { id = '' } = this.context.getWorkflow();
    const triggers = liveMemories.get(id) ?? new Map<string, StoredMemory>();
    liveMemories.set(id, triggers.set(own, this.kept));
    const { workflow } = this;
    for (const [name, known] of triggers) {
      const node = workflow.nodes[name];
      if (name === own || node?.id !== known.node) continue;
      Object.assign(workflow.getStaticData('node', node), known);
    }
  }
}
