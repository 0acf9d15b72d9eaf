/**
 * The waiting and in-flight requests of one run. It uses arrays because a Set that has grown keeps
 * references from its former entries to later ones, so that the responses of all of them would stay in
 * memory for a long time.
 */
class RunQueue<T> {
  /** Retries, which go before first attempts. */
  readonly again: T[] = [];
  readonly first: T[] = [];
  inFlight = 0;

  get waiting(): number {
    return this.again.length + this.first.length;
  }

  take(): T | undefined {
    return this.again.shift() ?? this.first.shift();
  }

  removeAll(leaves: (entry: T) => boolean): T[] {
    const removed: T[] = [];
    for (const line of [this.again, this.first]) {
      for (const entry of line.splice(0)) (leaves(entry) ? removed : line).push(entry);
    }
    return removed;
  }
}

/**
 * Queue that schedules runs fairly: runs take turns, so that a run of one row does not wait for the rest
 * of a run of 50,000, and no run has more than its share in flight.
 */
export class FairQueue<T> {
  /** Requests by run; the run whose turn is furthest away comes last. */
  private readonly runs = new Map<unknown, RunQueue<T>>();

  /** @param share Maximum number of entries of one run in flight at the same time. */
  constructor(private readonly share: number) {}

  /** Number of waiting entries. */
  get waiting(): number {
    return this.sumOver((line) => line.waiting);
  }

  /** Number of waiting entries that the share of their run allows now. */
  get ready(): number {
    return this.sumOver(({ waiting, inFlight }) => Math.min(waiting, this.share - inFlight));
  }

  /** @param again True for a retry, which goes before first attempts. */
  add(run: unknown, entry: T, again: boolean): void {
    const line = this.runs.get(run) ?? new RunQueue<T>();
    this.runs.set(run, line);
    line[again ? 'again' : 'first'].push(entry);
  }

  /** Removes and returns the next entry, which is in flight until {@link recordFinished} is called for its run. */
  next(): { readonly run: unknown; readonly entry: T } | undefined {
    const [run, line] = this.nextRun('again') ?? this.nextRun('first') ?? [];
    const entry = line?.take();
    if (line === undefined || entry === undefined) return undefined;
    line.inFlight += 1;
    this.runs.delete(run);
    this.runs.set(run, line);
    return { run, entry };
  }

  /** Records that one entry of this run is no longer in flight. */
  recordFinished(run: unknown): void {
    const line = this.runs.get(run);
    if (line === undefined) return;
    line.inFlight -= 1;
    this.forgetIdle(run, line);
  }

  /** Removes an entry that was cancelled while waiting. */
  remove(run: unknown, entry: T): void {
    const line = this.runs.get(run);
    if (line === undefined) return;
    line.removeAll((one) => one === entry);
    this.forgetIdle(run, line);
  }

  /** Removes and returns all waiting entries for which `leaves` returns true. */
  removeAll(leaves: (entry: T) => boolean): T[] {
    return [...this.runs].flatMap(([run, line]) => {
      const removed = line.removeAll(leaves);
      this.forgetIdle(run, line);
      return removed;
    });
  }

  private sumOver(countOf: (line: RunQueue<T>) => number): number {
    let sum = 0;
    for (const line of this.runs.values()) sum += countOf(line);
    return sum;
  }

  private nextRun(which: 'again' | 'first'): [unknown, RunQueue<T>] | undefined {
    for (const run of this.runs) {
      if (run[1][which].length > 0 && run[1].inFlight < this.share) return run;
    }
    return undefined;
  }

  private forgetIdle(run: unknown, line: RunQueue<T>): void {
    if (line.inFlight === 0 && line.waiting === 0) this.runs.delete(run);
  }
}
