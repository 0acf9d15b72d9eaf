import { inspect } from 'node:util';
import type {
  ExecutionError,
  ExecutionStatus,
  IDataObject,
  INodeExecutionData,
  IRun,
  ITaskData,
  NodeExecutionHint,
} from 'n8n-workflow';
import type { LogEntry } from './logging';

/** What a run leaves behind besides n8n's own record. */
export interface RunRecords {
  logs: LogEntry[];
  uiMessages: unknown[];
  traceNodes: readonly string[];
}

/** A finished run of a workflow, read through n8n's record of it. */
export class WorkflowRun {
  constructor(
    /** n8n's record, complete. */
    readonly record: IRun,
    private readonly records: RunRecords,
  ) {}

  get status(): ExecutionStatus {
    return this.record.status;
  }

  /** The error that stopped the workflow, as n8n stores it (a plain object, not an Error). */
  get error(): ExecutionError | undefined {
    return this.record.data.resultData.error;
  }

  /** Each time the node ran, in order: one per batch of items that reached it. Empty if it never did. */
  runs(nodeName: string): ITaskData[] {
    return this.record.data.resultData.runData[nodeName] ?? [];
  }

  /** The node's error, also when n8n continued after it. */
  nodeError(nodeName: string): ExecutionError | undefined {
    return this.lastRun(nodeName).error;
  }

  /** The items on one output of the node's last run; output 0 is the first. */
  output(nodeName: string, output = 0): INodeExecutionData[] {
    return this.lastRun(nodeName).data?.['main']?.[output] ?? [];
  }

  /** As `output`, the JSON of the items only. */
  json(nodeName: string, output = 0): IDataObject[] {
    return this.output(nodeName, output).map((item) => item.json);
  }

  /** The hints the node showed to the user. */
  hints(nodeName: string): NodeExecutionHint[] {
    return this.lastRun(nodeName).hints ?? [];
  }

  /** Their texts. */
  messages(nodeName: string): string[] {
    return this.hints(nodeName).map(({ message }) => message);
  }

  /** What nodes stored with `customData`. */
  get customData(): Record<string, string> {
    return this.record.data.resultData.metadata ?? {};
  }

  /** All that was logged from the start of the run to its end, by n8n and by nodes. */
  get logs(): LogEntry[] {
    return this.records.logs;
  }

  /** What nodes sent to the browser's console; only in manual runs. */
  get uiMessages(): unknown[] {
    return this.records.uiMessages;
  }

  /**
   * For each item on an output of the traced node, what n8n's own expression engine resolved for the
   * trace expression in a node behind that output (`{ unresolved: <n8n's message> }` if it could not).
   */
  traced(output = 0): unknown[] {
    const name = this.records.traceNodes[output];
    if (name === undefined) throw new Error(`Output ${output} is not traced in this run.`);
    if (this.runs(name).length === 0) return [];
    return this.json(name).map((json) => ('unresolved' in json ? json : json['traced']));
  }

  /** Everything the run put out anywhere, as text: to search for what must not be in it. */
  transcript(): string {
    const everything = { record: this.record, ...this.records };
    // JSON misses properties of errors that are not enumerable; inspect shows them.
    return `${JSON.stringify(everything)}\n${inspect(everything, {
      depth: Infinity,
      maxArrayLength: Infinity,
      maxStringLength: Infinity,
      showHidden: true,
    })}`;
  }

  private lastRun(nodeName: string): ITaskData {
    const last = this.runs(nodeName).at(-1);
    if (last === undefined) {
      const ran = Object.keys(this.record.data.resultData.runData).join(', ') || 'none';
      const because = this.error ? ` The workflow's error: ${this.error.message}` : '';
      throw new Error(`The node "${nodeName}" did not run. Nodes that ran: ${ran}.${because}`);
    }
    return last;
  }
}
