/** Maximum memory of all stored responses; further responses are not stored. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Larger responses are stored only while n8n can retry their run, so that many runs need little memory. */
const SMALL_BYTES = 1024;
/** Above this number, the runs that ended first are dropped, unless n8n can still retry them. */
const MAX_DEEDS = 10_000;
/** n8n waits up to 5 s before it retries a node. */
const NEXT_TRY_MS = 2 * 60_000;
/** If a worker seems dead, n8n can repeat its whole execution. */
const KEPT_MS = 60 * 60_000;

/** A change that was made, is in progress, or has an unknown outcome. */
export interface Deed {
  /** The response, or the error about an unknown outcome; undefined if it is not stored. */
  outcome: Promise<unknown> | undefined;
  bytes: number;
}

/** The changes of one node run, over all of its attempts. */
export interface NodeRun {
  readonly id: string;
  /** Whether n8n retries the node if it fails. */
  readonly isTriedAgain: boolean;
  readonly deeds: Map<string, Deed>;
  /** Number of attempts in progress. */
  tries: number;
  /** Latest start of the next attempt, in milliseconds since 1970. */
  neededUntil: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Records the changes of node runs until an hour after their last attempt: that each change was made,
 * and its response if there is room.
 */
export class Deeds {
  /** Runs; those that have ended are in the order of their ends. */
  private readonly runs = new Map<string, NodeRun>();
  private bytes = 0;
  private count = 0;

  /** Current size of the store. */
  get size(): { readonly runs: number; readonly deeds: number; readonly bytes: number } {
    return { runs: this.runs.size, deeds: this.count, bytes: this.bytes };
  }

  /** Starts an attempt of a node run. */
  begin(id: string, isTriedAgain: boolean): NodeRun {
    const run = this.runs.get(id) ?? newRun(id, isTriedAgain);
    this.runs.set(id, run);
    clearTimeout(run.timer);
    run.tries += 1;
    return run;
  }

  /** Ends an attempt. n8n does not retry a run that succeeded. */
  end(run: NodeRun, failed: boolean): void {
    run.tries -= 1;
    if (run.tries > 0) return;
    this.runs.delete(run.id);
    if (run.deeds.size === 0) return;
    this.runs.set(run.id, run);
    run.neededUntil = run.isTriedAgain && failed ? Date.now() + NEXT_TRY_MS : 0;
    if (run.isTriedAgain && !failed) this.forgetAnswers(run, SMALL_BYTES);
    // Do not keep the process alive for this timer.
    run.timer = setTimeout(() => {
      this.forget(run);
    }, KEPT_MS).unref();
    for (const oldest of this.runs.values()) {
      if (this.count <= MAX_DEEDS) return;
      if (oldest.tries === 0 && oldest.neededUntil < Date.now()) this.forget(oldest);
    }
  }

  /** Records a change in progress. */
  begun(run: NodeRun, id: string, outcome: Promise<unknown>): void {
    run.deeds.set(id, { outcome, bytes: 0 });
    this.count += 1;
  }

  /** Stores the response of a change if it is small enough. */
  done(run: NodeRun, id: string, answer: unknown): void {
    const deed = run.deeds.get(id);
    if (deed === undefined) return;
    const bytes = sizeOf(answer);
    if (bytes > (run.isTriedAgain ? MAX_BYTES - this.bytes : SMALL_BYTES)) {
      deed.outcome = undefined;
    } else {
      deed.bytes = bytes;
      this.bytes += bytes;
    }
  }

  /** Removes a change that had no effect. */
  notDone(run: NodeRun, id: string): void {
    if (run.deeds.delete(id)) this.count -= 1;
  }

  private forget(run: NodeRun): void {
    clearTimeout(run.timer);
    this.forgetAnswers(run);
    this.count -= run.deeds.size;
    this.runs.delete(run.id);
  }

  /** @param kept Responses of up to this many bytes stay. */
  private forgetAnswers({ deeds }: NodeRun, kept = 0): void {
    for (const deed of deeds.values()) {
      if (deed.bytes <= kept) continue;
      this.bytes -= deed.bytes;
      Object.assign(deed, { outcome: undefined, bytes: 0 });
    }
  }
}

function newRun(id: string, isTriedAgain: boolean): NodeRun {
  return { id, isTriedAgain, deeds: new Map(), tries: 0, neededUntil: 0, timer: undefined };
}

/** Estimates the memory of a response in bytes; infinite if it is too deep for JSON. */
function sizeOf(answer: unknown): number {
  try {
    return 2 * ((JSON.stringify(answer) as string | undefined) ?? '').length;
  } catch {
    return Infinity;
  }
}
