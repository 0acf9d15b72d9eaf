/** What all results that are kept may take together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** When a node run is not tried again, only small results stay, so that many runs take little. */
const MAX_BYTES_AFTER_RUN = 1024;
/** How many deeds of runs that are over are remembered. */
const MAX_DEEDS_AFTER_RUNS = 10_000;
/** n8n waits five seconds at most before it tries a node again. */
const NEXT_TRY_MS = 2 * 60_000;
/** A worker that seemed to have died may have its whole execution done again. */
const AFTER_RUN_MS = 60 * 60_000;

/** Something with a lasting effect, and what came of it. */
export type Deed = { readonly state: 'doing'; readonly doing: Promise<unknown> } | Settled;

interface Settled {
  readonly state: 'done' | 'unknown';
  /** An answer, or the error that says why the outcome is unknown; undefined once it is forgotten. */
  result: { readonly value: unknown; readonly bytes: number } | undefined;
}

/** The deeds of one run of a node, over all of its tries. */
export interface NodeRun {
  readonly id: string;
  /** Whether n8n tries the node again when it fails. */
  readonly isTriedAgain: boolean;
  readonly deeds: Map<string, Deed>;
  /** Those under way. */
  tries: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Remembers what node runs have done, for as long as a run may be tried again, and a while longer.
 * As long as it may, every deed stays known; where results together are too large, the oldest are
 * forgotten, but not that there were any. After it, few and small things are kept.
 */
export class Deeds {
  private readonly runs = new Map<string, NodeRun>();
  /** Runs that are not tried again, the oldest first. */
  private readonly over = new Set<NodeRun>();
  /** Deeds of which results are kept, the oldest first. */
  private readonly withResults = new Set<Settled>();
  private bytes = 0;
  private deedsAfterRuns = 0;

  /** What is remembered just now. */
  get size(): { readonly runs: number; readonly deeds: number; readonly bytes: number } {
    const deeds = [...this.runs.values()].reduce((sum, run) => sum + run.deeds.size, 0);
    return { runs: this.runs.size, deeds, bytes: this.bytes };
  }

  /** Begins a try of a node run. */
  begin(id: string, isTriedAgain: boolean): NodeRun {
    const run = this.runs.get(id) ?? newRun(id, isTriedAgain);
    this.runs.set(id, run);
    clearTimeout(run.timer);
    if (this.over.delete(run)) this.deedsAfterRuns -= run.deeds.size;
    run.tries += 1;
    return run;
  }

  /** Ends a try. A run that has not failed is not tried again. */
  end(run: NodeRun, failed: boolean): void {
    run.tries -= 1;
    if (run.tries > 0) return;
    if (run.deeds.size === 0) this.forget(run);
    else if (!failed || !run.isTriedAgain) this.close(run);
    else {
      this.later(run, NEXT_TRY_MS, () => {
        this.close(run);
      });
    }
  }

  /** A deed that is under way. */
  begun(run: NodeRun, id: string, doing: Promise<unknown>): void {
    run.deeds.set(id, { state: 'doing', doing });
  }

  /** What came of a deed. */
  settled(run: NodeRun, id: string, state: 'done' | 'unknown', value: unknown): void {
    const limit = run.isTriedAgain ? MAX_BYTES : MAX_BYTES_AFTER_RUN;
    const bytes = sizeOf(value, limit);
    const deed: Settled = { state, result: bytes > limit ? undefined : { value, bytes } };
    run.deeds.set(id, deed);
    if (deed.result === undefined) return;
    this.withResults.add(deed);
    this.bytes += bytes;
    for (const oldest of this.withResults) {
      if (this.bytes <= MAX_BYTES) return;
      this.forgetResult(oldest);
    }
  }

  /** A deed that was not done after all. */
  notDone(run: NodeRun, id: string): void {
    run.deeds.delete(id);
  }

  private close(run: NodeRun): void {
    for (const deed of run.deeds.values()) this.forgetResult(deed, MAX_BYTES_AFTER_RUN);
    this.over.add(run);
    this.deedsAfterRuns += run.deeds.size;
    this.later(run, AFTER_RUN_MS, () => {
      this.forget(run);
    });
    for (const oldest of this.over) {
      if (this.deedsAfterRuns <= MAX_DEEDS_AFTER_RUNS) return;
      this.forget(oldest);
    }
  }

  private forget(run: NodeRun): void {
    clearTimeout(run.timer);
    if (this.over.delete(run)) this.deedsAfterRuns -= run.deeds.size;
    for (const deed of run.deeds.values()) this.forgetResult(deed);
    this.runs.delete(run.id);
  }

  /** @param kept the bytes of a result that is so small that it stays. */
  private forgetResult(deed: Deed, kept = -1): void {
    if (deed.state === 'doing' || deed.result === undefined || deed.result.bytes <= kept) return;
    this.bytes -= deed.result.bytes;
    deed.result = undefined;
    this.withResults.delete(deed);
  }

  private later(run: NodeRun, ms: number, act: () => void): void {
    clearTimeout(run.timer);
    run.timer = setTimeout(act, ms);
    // What was done is no reason for the process to live on.
    run.timer.unref();
  }
}

function newRun(id: string, isTriedAgain: boolean): NodeRun {
  return { id, isTriedAgain, deeds: new Map(), tries: 0, timer: undefined };
}

/** What one value costs beside its text: a pointer, a header, a number. */
const VALUE_BYTES = 16;

/**
 * About how many bytes of memory a value takes, as far as it is plain data. Counting ends when there
 * are more than `limit`. Not recursive, so that data of any depth can be counted.
 */
export function sizeOf(value: unknown, limit: number): number {
  const open: unknown[] = [value];
  const seen = new Set<object>();
  let bytes = 0;
  while (open.length > 0 && bytes <= limit) {
    const one = open.pop();
    bytes += VALUE_BYTES;
    if (typeof one === 'string') bytes += 2 * one.length;
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const part of partsOf(one)) open.push(part);
  }
  return bytes;
}

function* partsOf(object: object): Iterable<unknown> {
  if (Array.isArray(object) || object instanceof Set) {
    yield* object as Iterable<unknown>;
  } else if (object instanceof Map) {
    for (const [key, value] of object) {
      yield key;
      yield value;
    }
  } else {
    for (const [name, value] of Object.entries(object)) {
      yield name;
      yield value;
    }
  }
}
