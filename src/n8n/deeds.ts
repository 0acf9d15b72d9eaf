/** What all answers that are kept may take together; what comes on top is not kept. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Larger answers are kept only while n8n may try their run again, so that many runs take little. */
const SMALL_BYTES = 1024;
/** Beyond it the runs that ended first are forgotten, unless n8n may try them again just now. */
const MAX_DEEDS = 10_000;
/** n8n waits up to five seconds before it tries a node again. */
const NEXT_TRY_MS = 2 * 60_000;
/** A worker that seemed to have died may have its whole execution done again. */
const KEPT_MS = 60 * 60_000;

/** Something with a lasting effect that was done, is being done, or may have been done. */
export interface Deed {
  /** Its answer, or the error that says why the outcome is unknown; undefined where it is not kept. */
  outcome: Promise<unknown> | undefined;
  bytes: number;
}

/** The deeds of one run of a node, over all of its tries. */
export interface NodeRun {
  readonly id: string;
  /** Whether n8n tries the node again when it fails. */
  readonly isTriedAgain: boolean;
  readonly deeds: Map<string, Deed>;
  /** Those in progress. */
  tries: number;
  /** Until when the next try may begin, in milliseconds since 1970. */
  neededUntil: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Remembers what node runs have done, until an hour after their last try: of each deed that it was
 * done, and its answer where there is room for it.
 */
export class Deeds {
  /** Those that are over in the order of their ends. */
  private readonly runs = new Map<string, NodeRun>();
  private bytes = 0;
  private count = 0;

  /** What is remembered just now. */
  get size(): { readonly runs: number; readonly deeds: number; readonly bytes: number } {
    return { runs: this.runs.size, deeds: this.count, bytes: this.bytes };
  }

  /** Begins a try of a node run. */
  begin(id: string, isTriedAgain: boolean): NodeRun {
    const run = this.runs.get(id) ?? newRun(id, isTriedAgain);
    this.runs.set(id, run);
    clearTimeout(run.timer);
    run.tries += 1;
    return run;
  }

  /** Ends a try. A run that has not failed is not tried again. */
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

  /** Notes a deed, which is being done. */
  begun(run: NodeRun, id: string, outcome: Promise<unknown>): void {
    run.deeds.set(id, { outcome, bytes: 0 });
    this.count += 1;
  }

  /** Keeps the answer of a deed, if it is small enough. */
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

  /** A deed that was not done after all. */
  notDone(run: NodeRun, id: string): void {
    if (run.deeds.delete(id)) this.count -= 1;
  }

  private forget(run: NodeRun): void {
    clearTimeout(run.timer);
    this.forgetAnswers(run);
    this.count -= run.deeds.size;
    this.runs.delete(run.id);
  }

  /** @param kept answers of up to so many bytes stay. */
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

/** About how many bytes of memory an answer takes. One too deep to be written as JSON is not kept. */
function sizeOf(answer: unknown): number {
  try {
    return 2 * ((JSON.stringify(answer) as string | undefined) ?? '').length;
  } catch {
    return Infinity;
  }
}
