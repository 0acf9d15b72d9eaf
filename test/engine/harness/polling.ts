import { PollContext } from 'n8n-core';
import type {
  IDataObject,
  IExecuteFunctions,
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
}

type Emit = (
  data: INodeExecutionData[][],
  response?: unknown,
  done?: { resolve(run: IRun | undefined): void; reject(error: Error): void },
) => void;

let published = 0;

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
  private readonly id = `polled-${String(++published)}`;
  private database = '{}';
  private polling: { context: IPollFunctions; save: () => void } | undefined;
  private readonly logged: () => LogEntry[] = recordLogs();

  constructor(private readonly options: PollingOptions) {}

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

  /** What the database holds of the workflow, whatever its nodes are called. */
  get stored(): IDataObject {
    return (JSON.parse(this.database) as { global: IDataObject }).global;
  }

  /** An execution of it that changes its data; n8n saves them when it ends. */
  execute(change: (context: IExecuteFunctions) => void): void {
    const data = JSON.parse(this.database) as { global: IDataObject };
    change({
      getWorkflow: () => ({ id: this.id }),
      getWorkflowStaticData: () => data.global,
    } as unknown as IExecuteFunctions);
    this.database = JSON.stringify(data);
  }

  /** Changes what the trigger remembers. */
  tamper(change: (memory: IDataObject) => void): void {
    const data = JSON.parse(this.database) as { global: Record<string, string> };
    for (const [slot, stored] of Object.entries(data.global)) {
      if (!slot.startsWith('companyIntelligenceWatch')) continue;
      const memory = JSON.parse(stored) as IDataObject;
      change(memory);
      data.global[slot] = JSON.stringify(memory);
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
    const context = await this.contextOf(changed, credentials, 'trigger', 'activate', staticData);
    this.polling = context;
    await this.poll();
    context.save();
  }

  /** One tick of n8n's clock. */
  async poll(): Promise<void> {
    if (this.polling === undefined) throw new Error('The workflow is not active.');
    const { context } = this.polling;
    const { node } = this.options;
    const type = await this.typeOf(node);
    const output = await type.poll?.call(context);
    if (output !== null && output !== undefined) context.__emit(output);
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
  ): Promise<{ context: IPollFunctions; save: () => void }> {
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
    const emit: Emit = (data, _response, done) => {
      save();
      this.executions.push((data[0] ?? []).map(({ json }) => json));
      try {
        this.onEmit();
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
    );
    return { context, save };
  }
}
