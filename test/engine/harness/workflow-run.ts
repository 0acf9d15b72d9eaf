import type {
  ExecutionError,
  ExecutionStatus,
  IDataObject,
  INodeExecutionData,
  IRun,
  ITaskData,
  NodeExecutionHint,
} from 'n8n-workflow';

/** A finished run of a workflow, read from n8n's record of the run. */
export class WorkflowRun {
  constructor(
    /** n8n's complete record of the run. */
    readonly record: IRun,
    /** Data that nodes sent to the browser's console. Only manual runs have any. */
    readonly uiMessages: readonly unknown[],
    private readonly traceNodes: readonly string[],
  ) {}

  get status(): ExecutionStatus {
    return this.record.status;
  }

  /** The error that stopped the workflow, as n8n stores it (a plain object, not an Error). */
  get error(): ExecutionError | undefined {
    return this.record.data.resultData.error;
  }

  /** Returns each run of the node: one per batch of items that reached the node. */
  runs(nodeName: string): ITaskData[] {
    return this.record.data.resultData.runData[nodeName] ?? [];
  }

  /** Returns the items on one output of the node's last run. Output 0 is the first. */
  output(nodeName: string, output = 0): INodeExecutionData[] {
    return this.lastRun(nodeName).data?.['main']?.[output] ?? [];
  }

  /** Like `output`, but returns only the JSON of the items. */
  json(nodeName: string, output = 0): IDataObject[] {
    return this.output(nodeName, output).map((item) => item.json);
  }

  /** Returns the hints that the node showed to the user. */
  hints(nodeName: string): NodeExecutionHint[] {
    return this.lastRun(nodeName).hints ?? [];
  }

  /** Returns the texts of the node's hints. */
  messages(nodeName: string): string[] {
    return this.hints(nodeName).map(({ message }) => message);
  }

  /** Data that nodes stored with `customData`. */
  get customData(): Record<string, string> {
    return this.record.data.resultData.metadata ?? {};
  }

  /**
   * Returns the value of the trace expression for each item on an output of the traced node. n8n's
   * own expression engine evaluates it in a node behind that output. The value is `{ unresolved:
   * <n8n's message> }` if n8n could not resolve the expression.
   */
  traced(output = 0): unknown[] {
    const name = this.traceNodes[output];
    if (name === undefined) throw new Error(`Output ${output} is not traced in this run.`);
    if (this.runs(name).length === 0) return [];
    return this.json(name).map((json) => ('unresolved' in json ? json : json['traced']));
  }

  private lastRun(nodeName: string): ITaskData {
    const last = this.runs(nodeName).at(-1);
    if (last !== undefined) return last;
    const ran = Object.keys(this.record.data.resultData.runData).join(', ');
    throw new Error(
      `The node "${nodeName}" did not run, but: ${ran}. Error: ${String(this.error?.message)}`,
    );
  }
}
