import { PollContext } from 'n8n-core';
import type {
  IDataObject,
  INodeExecutionData,
  IPollFunctions,
  IRun,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { createAdditionalData } from './additional-data';
import { buildWorkflow } from './build-workflow';
import { recordLogs, type LogEntry } from './logging';
import type { CredentialsByType } from './credentials';
import type { NodeSpec } from './workflow-description';

/** Settings of a polled workflow that a test can change. */
interface PollingOptions {
  readonly node: NodeSpec;
  readonly credentials: CredentialsByType;
  /** Turns on durable poll cursors, and limits how long a poll can take. */
  readonly durableBudgetMs?: number;
}

/** An active trigger. */
interface Polling {
  readonly context: IPollFunctions;
  /** Saves the changed static data. Later polls have the time budget of `durableBudgetMs`. */
  readonly published: () => void;
  /** Loads the saved cursor before a poll. */
  readonly begin: () => void;
}

type Emit = (
  data: INodeExecutionData[][],
  response?: unknown,
  done?: { resolve(run: IRun | undefined): void; reject(error: Error): void },
) => void;

/** How long n8n lets the poll of an activation take. */
const UNTIL_PUBLISHED_MS = 300_000;

let workflows = 0;

/**
 * A published workflow with a polling trigger, with n8n's rules for static data. n8n reads static
 * data from its database when it activates the workflow. It saves static data when the trigger
 * emits items and after the activation's own poll, but not after a poll that returned null.
 */
export class PolledWorkflow {
  /** The items of each execution that was started. */
  readonly executions: IDataObject[][] = [];
  /**
   * Called when n8n has stored an execution. An exception from this function is a failure of n8n.
   */
  onEmit: () => void = () => undefined;
  /** Differs between workflows that are published at the same time. */
  private readonly id = `polled-${String(++workflows)}`;
  private database = '{}';
  /** The saved durable poll cursor, and how long a poll can take. */
  private readonly durable: { cursor: string; readonly budgetMs: number } | undefined;
  private polling: Polling | undefined;
  private isActive = false;
  private readonly logged: () => LogEntry[] = recordLogs();

  constructor(private readonly options: PollingOptions) {
    const { durableBudgetMs: budgetMs } = options;
    this.durable = budgetMs === undefined ? undefined : { cursor: '{}', budgetMs };
  }

  /** All items that the trigger emitted. */
  get items(): IDataObject[] {
    return this.executions.flat();
  }

  /** Returns the logged messages that contain a text. */
  logsWith(text: string): string[] {
    return this.logged()
      .map(({ message }) => message)
      .filter((message) => message.includes(text));
  }

  /** The static data that n8n's database holds for each node. */
  get stored(): Record<string, IDataObject> {
    return JSON.parse(this.database) as Record<string, IDataObject>;
  }

  /**
   * Does what an execution does when it ends: saves all static data as it was when the execution
   * began.
   */
  overwrite(data: Record<string, IDataObject>): void {
    this.database = JSON.stringify(data);
  }

  /** Changes the saved state of the trigger. */
  tamper(change: (memory: IDataObject) => void): void {
    const data = this.stored;
    for (const kept of Object.values(data)) {
      const memory = JSON.parse(kept['memory'] as string) as IDataObject;
      change(memory);
      kept['memory'] = JSON.stringify(memory);
    }
    this.database = JSON.stringify(data);
  }

  /**
   * Activates the workflow, with changed parameters and credentials if given. Also used after a
   * restart or a kill.
   */
  async activate({
    name,
    parameters,
    credentials = this.options.credentials,
  }: {
    /** The new name, if the trigger was renamed. */
    readonly name?: string;
    readonly parameters?: IDataObject;
    readonly credentials?: CredentialsByType;
  } = {}): Promise<void> {
    const { node } = this.options;
    const changed = {
      ...node,
      options: {
        ...node.options,
        ...(name === undefined ? {} : { name }),
        parameters: { ...node.options.parameters, ...parameters } as NonNullable<
          NodeSpec['options']['parameters']
        >,
      },
    };
    const staticData = JSON.parse(this.database) as IDataObject;
    const again = this.isActive && this.polling === undefined ? 'init' : 'activate';
    const polling = await this.contextOf(changed, credentials, 'trigger', again, staticData);
    this.polling = polling;
    await this.pollNow(polling);
    polling.published();
    this.isActive = true;
  }

  /** Runs one scheduled poll. */
  async poll(): Promise<void> {
    if (this.polling === undefined) throw new Error('The workflow is not active.');
    if (await this.pollNow(this.polling)) await this.polling.context.__commitCursor?.();
  }

  /** @returns whether the poll emitted nothing */
  private async pollNow({ context, begin }: Polling): Promise<boolean> {
    begin();
    const type = await this.typeOf(this.options.node);
    const output = await type.poll?.call(context);
    if (output === null || output === undefined) return true;
    context.__emit(output);
    return false;
  }

  /** Discards everything that the n8n process held in memory. */
  kill(): void {
    this.polling = undefined;
  }

  /** Runs a manual poll, as Fetch Test Event does. */
  async test(): Promise<IDataObject[]> {
    const { node, credentials } = this.options;
    const { context } = await this.contextOf(node, credentials, 'manual', 'manual', {});
    const output = await (await this.typeOf(node)).poll?.call(context);
    return (output?.[0] ?? []).map(({ json }) => json);
  }

  private async typeOf(node: NodeSpec) {
    const { nodeTypes } = await buildWorkflow({ nodes: [node] });
    return nodeTypes.getByNameAndVersion(node.type);
  }

  private async contextOf(
    node: NodeSpec,
    credentials: CredentialsByType,
    mode: WorkflowExecuteMode,
    activation: WorkflowActivateMode,
    staticData: IDataObject,
  ): Promise<Polling> {
    const { workflow, nodes, credentialsHelper } = await buildWorkflow({
      nodes: [node],
      credentials,
      staticData,
    });
    workflow.id = this.id;
    const save = () => {
      if (workflow.staticData['__dataChanged'] !== true) return;
      this.database = JSON.stringify(workflow.staticData);
      workflow.staticData['__dataChanged'] = false;
    };
    const { durable } = this;
    let snapshot: IDataObject = {};
    let budgetMs = UNTIL_PUBLISHED_MS;
    const begin = () => {
      if (durable !== undefined) snapshot = JSON.parse(durable.cursor) as IDataObject;
    };
    const commit = async () => {
      if (durable !== undefined) durable.cursor = JSON.stringify(snapshot);
      await Promise.resolve();
    };
    const emit: Emit = (data, _response, done) => {
      if (durable === undefined) save();
      this.executions.push((data[0] ?? []).map(({ json }) => json));
      try {
        this.onEmit();
        void commit();
        done?.resolve(undefined);
      } catch (error) {
        done?.reject(error as Error);
      }
    };
    const [pollNode] = nodes;
    if (pollNode === undefined) throw new Error('The workflow has no node.');
    const context = new PollContext(
      workflow,
      pollNode,
      createAdditionalData({ credentialsHelper }),
      mode,
      activation,
      emit,
      undefined,
      commit,
      undefined,
      durable && (() => snapshot),
      durable && (() => budgetMs),
    );
    const published = () => {
      save();
      budgetMs = durable?.budgetMs ?? budgetMs;
    };
    return { context, published, begin };
  }
}
