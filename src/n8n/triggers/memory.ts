import type { IDataObject, IPollFunctions, Workflow } from 'n8n-workflow';

/*
 * What a trigger remembers is in the static data of its node. n8n saves all static data of a workflow
 * at once, and loads them when the workflow is published: whoever saves writes over what others have
 * saved since. So executions write none, and a trigger that saves puts in what the others know.
 *
 * With durable poll cursors (n8n 2.36+, opt-in) each poll gets a copy of its node's data from n8n's
 * database. n8n saves it with the execution that the poll starts, or when the poll returns null.
 */

/** What n8n's poll context holds beside what it promises; every n8n that was looked at has it. */
interface Inner {
  readonly workflow: Pick<Workflow, 'staticData' | 'nodes' | 'getStaticData'>;
}

/** The static data of a node, as far as it is ours. */
interface Kept extends IDataObject {
  /** The id of the node: n8n keeps its data by its name. */
  node?: string;
  memory?: string;
}

/** The data of the triggers that have polled in this process, by workflow and name. */
const live = new Map<string, Map<string, Kept>>();

/** How n8n takes up a workflow that it has polled before. */
const TAKEN_UP_AGAIN: readonly string[] = ['init', 'leadershipChange'];

/** What a trigger remembers from poll to poll. */
export class Memory {
  private readonly kept: Kept;
  /** Whether n8n saves it also when a poll starts no execution. */
  readonly isDurable: boolean;

  constructor(private readonly context: IPollFunctions) {
    this.kept = context.getWorkflowStaticData('node');
    // n8n marks what it has to save with the workflow.
    this.isDurable = !('__dataChanged' in this.kept);
    this.findRenamed();
  }

  /** Undefined before the first poll. */
  get text(): string | undefined {
    return this.kept.memory;
  }

  /** n8n saves it when it starts an execution for the trigger. */
  set text(text: string | undefined) {
    const { id, name } = this.context.getNode();
    this.kept.node = id;
    if (text === undefined) delete this.kept.memory;
    else this.kept.memory = text;
    if (!this.isDurable) this.keepOthers(name);
  }

  /** Whether it was there, and somebody else has saved the workflow's data without it. */
  get isGone(): boolean {
    const mode = this.context.getActivationMode();
    return this.text === undefined && !this.isDurable && TAKEN_UP_AGAIN.includes(mode);
  }

  /** Whether this is the same data, and not what was loaded again for a workflow published anew. */
  isSameAs({ kept }: Memory): boolean {
    return kept === this.kept;
  }

  private get workflow(): Inner['workflow'] {
    return (this.context as unknown as Inner).workflow;
  }

  /** The node may have had another name. */
  private findRenamed(): void {
    const { id, name } = this.context.getNode();
    const { kept } = this;
    if (kept.memory !== undefined && (this.isDurable || kept.node === id)) return;
    const { staticData } = this.workflow;
    for (const [slot, other] of Object.entries(staticData) as Array<[string, Kept]>) {
      if (!slot.startsWith('node:') || slot === `node:${name}` || other.node !== id) continue;
      Object.assign(kept, other);
      Reflect.deleteProperty(staticData, slot);
      return;
    }
  }

  private keepOthers(own: string): void {
    const { id = '' } = this.context.getWorkflow();
    const triggers = live.get(id) ?? new Map<string, Kept>();
    live.set(id, triggers.set(own, this.kept));
    const { workflow } = this;
    for (const [name, known] of triggers) {
      const node = workflow.nodes[name];
      if (name === own || node?.id !== known.node) continue;
      Object.assign(workflow.getStaticData('node', node), known);
    }
  }
}
