/** Maximum memory of all stored responses; further responses are not stored. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Larger responses are stored only while n8n can retry their run, so that many runs need little memory. */
const SMALL_BYTES = 1024;
/** Above this number, the runs that ended first are dropped, unless n8n can still retry them. */
const MAX_RECORDS = 10_000;
/** n8n waits up to 5 s before it retries a node. */
const NEXT_ATTEMPT_MS = 2 * 60_000;
/** If a worker seems dead, n8n can repeat its whole execution. */
const RETENTION_MS = 60 * 60_000;

/** A change that was made, is in progress, or has an unknown outcome. */
export interface IdempotencyRecord {
  /** The response, or the error about an unknown outcome; undefined if it is not stored. */
  outcome: Promise<unknown> | undefined;
  bytes: number;
}

/** The changes of one node run, over all of its attempts. */
export interface NodeRun {
  readonly id: string;
  /** Whether n8n retries the node if it fails. */
  readonly isRetried: boolean;
  readonly records: Map<string, IdempotencyRecord>;
  /** Number of attempts in progress. */
  activeAttempts: number;
  /** Latest start of the next attempt, in milliseconds since 1970. */
  neededUntil: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Records the changes of node runs until an hour after their last attempt: that each change was made,
 * and its response if there is room.
 */
export class IdempotencyStore {
  /** Runs; those that have ended are in the order of their ends. */
  private readonly runs = new Map<string, NodeRun>();
  private bytes = 0;
  private count = 0;

  /** Current size of the store. */
  get size(): { readonly runs: number; readonly records: number; readonly bytes: number } {
    return { runs: this.runs.size, records: this.count, bytes: this.bytes };
  }

  /** Starts an attempt of a node run. */
  beginAttempt(id: string, isTriedAgain: boolean): NodeRun {
    const run = this.runs.get(id) ?? createNodeRun(id, isTriedAgain);
    this.runs.set(id, run);
    clearTimeout(run.timer);
    run.activeAttempts += 1;
    return run;
  }

  /** Ends an attempt. n8n does not retry a run that succeeded. */
  endAttempt(run: NodeRun, failed: boolean): void {
    run.activeAttempts -= 1;
    if (run.activeAttempts > 0) return;
    this.runs.delete(run.id);
    if (run.records.size === 0) return;
    this.runs.set(run.id, run);
    run.neededUntil = run.isRetried && failed ? Date.now() + NEXT_ATTEMPT_MS : 0;
    if (run.isRetried && !failed) this.dropLargeResponses(run, SMALL_BYTES);
    // Do not keep the process alive for this timer.
    run.timer = setTimeout(() => {
      this.forget(run);
    }, RETENTION_MS).unref();
    for (const oldest of this.runs.values()) {
      if (this.count <= MAX_RECORDS) return;
      if (oldest.activeAttempts === 0 && oldest.neededUntil < Date.now()) this.forget(oldest);
    }
  }

  /** Records a change in progress. */
  recordStart(run: NodeRun, id: string, outcome: Promise<unknown>): void {
    run.records.set(id, { outcome, bytes: 0 });
    this.count += 1;
  }

  /** Stores the response of a change if it is small enough. */
  recordResult(run: NodeRun, id: string, answer: unknown): void {
    const record = run.records.get(id);
    if (record === undefined) return;
    const bytes = estimateBytes(answer);
    if (bytes > (run.isRetried ? MAX_BYTES - this.bytes : SMALL_BYTES)) {
      record.outcome = undefined;
    } else {
      record.bytes = bytes;
      this.bytes += bytes;
    }
  }

  /** Removes a change that had no effect. */
  removeRecord(run: NodeRun, id: string): void {
    if (run.records.delete(id)) this.count -= 1;
  }

  private forget(run: NodeRun): void {
    clearTimeout(run.timer);
    this.dropLargeResponses(run);
    this.count -= run.records.size;
    this.runs.delete(run.id);
  }

  /** @param kept Responses of up to this many bytes stay. */
  private dropLargeResponses({ records }: NodeRun, kept = 0): void {
    for (const record of records.values()) {
      if (record.bytes <= kept) continue;
      this.bytes -= record.bytes;
      Object.assign(record, { outcome: undefined, bytes: 0 });
    }
  }
}

function createNodeRun(id: string, isTriedAgain: boolean): NodeRun {
  return {
    id,
    isRetried: isTriedAgain,
    records: new Map(),
    activeAttempts: 0,
    neededUntil: 0,
    timer: undefined,
  };
}

/** Estimates the memory of a response in bytes; infinite if it is too deep for JSON. */
function estimateBytes(answer: unknown): number {
  try {
    return 2 * ((JSON.stringify(answer) as string | undefined) ?? '').length;
  } catch {
    return Infinity;
  }
}
