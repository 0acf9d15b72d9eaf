interface RunQueue<T> {
  readonly waiting: T[];
  inFlight: number;
}

/**
 * Runs take turns, so that a run of one row does not wait for the rest of a run of 50,000, and no run has more
 * than its share in flight.
 */
export class FairQueue<T> {
  private readonly runs = new Map<unknown, RunQueue<T>>();

  constructor(private readonly share: number) {}

  get waiting(): number {
    return this.sumOver(({ waiting }) => waiting.length);
  }

  get ready(): number {
    return this.sumOver(this.readyOf);
  }

  add(run: unknown, entry: T, isRetry: boolean): void {
    const line = this.runs.get(run) ?? { waiting: [], inFlight: 0 };
    this.runs.set(run, line);
    if (isRetry) line.waiting.unshift(entry);
    else line.waiting.push(entry);
  }

  /** The entry is in flight until {@link recordFinished} is called for its run. */
  next(): { readonly run: unknown; readonly entry: T } | undefined {
    for (const [run, line] of this.runs) {
      const entry = this.readyOf(line) > 0 ? line.waiting.shift() : undefined;
      if (entry === undefined) continue;
      line.inFlight += 1;
      this.runs.delete(run);
      this.runs.set(run, line);
      return { run, entry };
    }
    return undefined;
  }

  recordFinished(run: unknown): void {
    const line = this.runs.get(run);
    if (line === undefined) return;
    line.inFlight -= 1;
    this.forgetIdle(run, line);
  }

  removeAll(leaves: (entry: T) => boolean): T[] {
    return [...this.runs].flatMap(([run, line]) => {
      const removed: T[] = [];
      for (const entry of line.waiting.splice(0)) {
        (leaves(entry) ? removed : line.waiting).push(entry);
      }
      this.forgetIdle(run, line);
      return removed;
    });
  }

  private readonly readyOf = ({ waiting, inFlight }: RunQueue<T>): number =>
    Math.min(waiting.length, this.share - inFlight);

  private sumOver(countOf: (line: RunQueue<T>) => number): number {
    let sum = 0;
    for (const line of this.runs.values()) sum += countOf(line);
    return sum;
  }

  private forgetIdle(run: unknown, { waiting, inFlight }: RunQueue<T>): void {
    if (inFlight === 0 && waiting.length === 0) this.runs.delete(run);
  }
}
