import { PollContext } from 'n8n-core';
import type {
  IDataObject,
  INodeExecutionData,
  IPollFunctions,
  IRun,
  WorkflowActivateMode,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { createAdditionalData, type Surroundings } from './additional-data';
import { buildWorkflow } from './build-workflow';
import { recordLogs, type LogEntry } from './logging';
import type { CredentialsByType } from './credentials';
import type { NodeSpec } from './workflow-description';

/** What a test may change while a workflow polls. */
interface PollingOptions extends Pick<Surroundings, 'executeWorkflow'> {
  readonly node: NodeSpec;
  readonly credentials: CredentialsByType;
  /** Durable poll cursors: how long a poll may last. */
  readonly durableBudgetMs?: number;
}

/** A trigger that n8n has taken up. */
interface Polling {
  readonly context: IPollFunctions;
  /** Saves what changed of the workflow's data; from now on polls last no longer than they may. */
  readonly published: () => void;
  /** Gives a poll what is saved of its cursor. */
  readonly begin: () => void;
}

type Emit = (
  data: INodeExecutionData[][],
  response?: unknown,
  done?: { resolve(run: IRun | undefined): void; reject(error: Error): void },
) => void;

/** How long n8n lets the poll of an activation last. */
const UNTIL_PUBLISHED_MS = 300_000;

let workflows = 0;

/**
 * A published workflow with a polling trigger, as n8n keeps it: static data is read from its database
 * when it is activated, and written when something is emitted and after the activation's own poll,
 * but not after a poll that returned null.
 */
export class PolledWorkflow {
  /** The items of each execution that was started. */
  readonly executions: IDataObject[][] = [];
  /** Called when n8n has stored an execution; what it throws is a failure of n8n. */
  onEmit: () => void = () => undefined;
  /** What is published at the same time has another. */
  private readonly id = `polled-${String(++workflows)}`;
  private database = '{}';
  /** What is saved of a durable poll cursor, and how long a poll may last. */
  private readonly durable: { cursor: string; readonly budgetMs: number } | undefined;
  private polling: Polling | undefined;
  private isActive = false;
  private readonly logged: () => LogEntry[] = recordLogs();

  constructor(private readonly options: PollingOptions) {
    const { durableBudgetMs: budgetMs } = options;
    this.durable = budgetMs === undefined ? undefined : { cursor: '{}', budgetMs };
  }

  /** All items that were emitted. */
  get items(): IDataObject[] {
    return this.executions.flat();
  }

  /** Lines of the log that hold a text. */
  logsWith(text: string): string[] {
    return this.logged()
      .map(({ message }) => message)
      .filter((message) => message.includes(text));
  }

  /** What n8n's database holds for each of its nodes. */
  get stored(): Record<string, IDataObject> {
    return JSON.parse(this.database) as Record<string, IDataObject>;
  }

  /** The same of a poll cursor that is durable. */
  get cursor(): IDataObject | undefined {
    return this.durable === undefined
      ? undefined
      : (JSON.parse(this.durable.cursor) as IDataObject);
  }

  /** An execution of it that saves all data of the workflow when it ends, as it found them. */
  overwrite(data: Record<string, IDataObject>): void {
    this.database = JSON.stringify(data);
  }

  /** Changes what the trigger remembers. */
  tamper(change: (memory: IDataObject) => void): void {
    const data = this.stored;
    for (const kept of Object.values(data)) {
      const memory = JSON.parse(kept['memory'] as string) as IDataObject;
      change(memory);
      kept['memory'] = JSON.stringify(memory);
    }
    this.database = JSON.stringify(data);
  }

  /** Activates it, also after a restart or a kill, with the parameters and credentials given. */
  async activate({
    name,
    parameters,
    credentials = this.options.credentials,
  }: {
    /** What the trigger was renamed to. */
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

  /** One tick of n8n's clock. */
  async poll(): Promise<void> {
    if (this.polling === undefined) throw new Error('The workflow is not active.');
    if (await this.pollNow(this.polling)) await this.polling.context.__commitCursor?.();
  }

  /** @returns whether nothing was emitted. */
  private async pollNow({ context, begin }: Polling): Promise<boolean> {
    begin();
    const type = await this.typeOf(this.options.node);
    const output = await type.poll?.call(context);
    if (output === null || output === undefined) return true;
    context.__emit(output);
    return false;
  }

  /** What the process knew is lost. */
  kill(): void {
    this.polling = undefined;
  }

  /** Fetch Test Event. */
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
      createAdditionalData({ ...this.options, credentialsHelper }),
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
