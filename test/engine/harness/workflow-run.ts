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

/** Records of a run in addition to n8n's own record. */
export interface RunRecords {
  logs: LogEntry[];
  uiMessages: unknown[];
  traceNodes: readonly string[];
}

/** A finished run of a workflow, read from n8n's record of the run. */
export class WorkflowRun {
  constructor(
    /** n8n's complete record of the run. */
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

  /**
   * Returns each run of the node, in order: one per batch of items that reached the node. Returns
   * an empty list if the node never ran.
   */
  runs(nodeName: string): ITaskData[] {
    return this.record.data.resultData.runData[nodeName] ?? [];
  }

  /** Returns the node's error, even if n8n continued after the error. */
  nodeError(nodeName: string): ExecutionError | undefined {
    return this.lastRun(nodeName).error;
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

  /** All lines that n8n and nodes logged between the start and the end of the run. */
  get logs(): LogEntry[] {
    return this.records.logs;
  }

  /** Data that nodes sent to the browser's console. Only manual runs have any. */
  get uiMessages(): unknown[] {
    return this.records.uiMessages;
  }

  /**
   * Returns the value of the trace expression for each item on an output of the traced node. n8n's
   * own expression engine evaluates it in a node behind that output. The value is `{ unresolved:
   * <n8n's message> }` if n8n could not resolve the expression.
   */
  traced(output = 0): unknown[] {
    const name = this.records.traceNodes[output];
    if (name === undefined) throw new Error(`Output ${output} is not traced in this run.`);
    if (this.runs(name).length === 0) return [];
    return this.json(name).map((json) => ('unresolved' in json ? json : json['traced']));
  }

  /** Returns all output of the run as text, to search for content that must not appear in it. */
  transcript(): string {
    const everything = { record: this.record, ...this.records };
    // JSON omits error properties that are not enumerable; inspect shows them.
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
