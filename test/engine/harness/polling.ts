import { PollContext } from 'n8n-core';
import type {
  IDataObject,
  INodeExecutionData,
  INodeParameters,
  IPollFunctions,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { buildWorkflow, createAdditionalData, type NodeSpec } from './build-workflow';
import type { CredentialsByType } from './credentials';
import { recordLogs } from './logging';

interface PollingOptions {
  readonly node: NodeSpec;
  readonly credentials: CredentialsByType;
  /** Turns on durable poll cursors, and limits how long a poll can take. */
  readonly durableBudgetMs?: number;
}

interface ActivationChange {
  readonly parameters?: IDataObject;
  readonly credentials?: CredentialsByType;
}

/** An active trigger. */
interface Polling {
  /** Runs one poll without emitting its items. */
  readonly poll: () => Promise<INodeExecutionData[][] | null | undefined>;
  readonly emit: IPollFunctions['__emit'];
  /** Saves the durable cursor. */
  readonly commit: () => Promise<void>;
  /** Saves the changed static data. Later polls have the time budget of `durableBudgetMs`. */
  readonly published: () => void;
}

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
  /** Called when n8n has stored an execution. An exception is a failure of n8n. */
  onEmit: () => void = () => undefined;
  /** Differs between workflows that are published at the same time. */
  private readonly id = `polled-${String(++workflows)}`;
  private database = '{}';
  /** The saved durable poll cursor. */
  private cursor = '{}';
  private polling: Polling | undefined;
  private isActive = false;
  private readonly logged = recordLogs();

  constructor(private readonly options: PollingOptions) {}

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

  /** Saves all static data as it was earlier, as an execution does when it ends. */
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
    this.overwrite(data);
  }

  /** Activates the workflow, also after a restart or a kill. */
  async activate(change: ActivationChange = {}): Promise<void> {
    const { parameters, credentials = this.options.credentials } = change;
    const { node, durableBudgetMs } = this.options;
    const options = {
      ...node.options,
      parameters: { ...node.options.parameters, ...parameters } as INodeParameters,
    };
    const changed = { node: { ...node, options }, credentials, durableBudgetMs };
    const again = this.isActive && this.polling === undefined ? 'init' : 'activate';
    const polling = await this.open(changed, 'trigger', again, this.stored);
    this.polling = polling;
    const output = await polling.poll();
    if (output) polling.emit(output);
    polling.published();
    this.isActive = true;
  }

  /** Runs one scheduled poll. */
  async poll(): Promise<void> {
    const { polling } = this;
    if (polling === undefined) throw new Error('The workflow is not active.');
    const output = await polling.poll();
    if (output) polling.emit(output);
    else await polling.commit();
  }

  /** Discards everything that the n8n process held in memory. */
  kill(): void {
    this.polling = undefined;
  }

  /** Runs a manual poll, as Fetch Test Event does. */
  async test(): Promise<IDataObject[]> {
    const { poll } = await this.open(this.options, 'manual', 'manual', {});
    return ((await poll())?.[0] ?? []).map(({ json }) => json);
  }

  private async open(
    { node, credentials, durableBudgetMs }: PollingOptions,
    mode: WorkflowExecuteMode,
    activation: WorkflowActivateMode,
    staticData: IDataObject,
  ): Promise<Polling> {
    const { workflow, startNode, nodeTypes, credentialsHelper } = await buildWorkflow({
      nodes: [node],
      credentials,
      staticData,
    });
    workflow.id = this.id;
    const isDurable = durableBudgetMs !== undefined;
    let snapshot: IDataObject = {};
    let budgetMs = UNTIL_PUBLISHED_MS;
    const save = () => {
      if (workflow.staticData['__dataChanged'] !== true) return;
      this.database = JSON.stringify(workflow.staticData);
      workflow.staticData['__dataChanged'] = false;
    };
    const commit = () => {
      this.cursor = JSON.stringify(snapshot);
      return Promise.resolve();
    };
    const emit: IPollFunctions['__emit'] = (data, _response, done) => {
      if (!isDurable) save();
      this.executions.push((data[0] ?? []).map(({ json }) => json));
      try {
        this.onEmit();
        void commit();
        done?.resolve(undefined);
      } catch (error) {
        done?.reject(error as Error);
      }
    };
    const context = new PollContext(
      workflow,
      startNode,
      createAdditionalData({ credentialsHelper }),
      mode,
      activation,
      emit,
      undefined,
      commit,
      undefined,
      isDurable ? () => snapshot : undefined,
      isDurable ? () => budgetMs : undefined,
    );
    return {
      poll: async () => {
        snapshot = JSON.parse(this.cursor) as IDataObject;
        return await nodeTypes.getByNameAndVersion(node.type).poll?.call(context);
      },
      emit,
      commit,
      published: () => {
        save();
        budgetMs = durableBudgetMs ?? budgetMs;
      },
    };
  }
}
