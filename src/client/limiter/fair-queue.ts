/**
 * What one run has waiting, and under way. In lists: a Set that has made room for more leads from what it
 * held to what it holds later, and the answers of all of them would stay in memory for long.
 */
class RunLine<T> {
  /** What is sent again, before what waits for its first turn. */
  readonly again: T[] = [];
  readonly first: T[] = [];
  underWay = 0;

  get waiting(): number {
    return this.again.length + this.first.length;
  }

  take(): T | undefined {
    return this.again.shift() ?? this.first.shift();
  }

  removeAll(leaves: (thing: T) => boolean): T[] {
    const removed: T[] = [];
    for (const line of [this.again, this.first]) {
      for (const thing of line.splice(0)) (leaves(thing) ? removed : line).push(thing);
    }
    return removed;
  }
}

/**
 * Who is next, fairly between runs: they take turns, so a run of one row does not wait for the rest
 * of a run of 50,000, and no run has more than its share under way.
 */
export class FairQueue<T> {
  /** By run; whose turn is furthest away is last. */
  private readonly runs = new Map<unknown, RunLine<T>>();

  /** @param share how many things of one run may be under way at once. */
  constructor(private readonly share: number) {}

  /** Things that wait. */
  get waiting(): number {
    return this.sumOf((line) => line.waiting);
  }

  /** Things that wait and whose run has room for them. */
  get ready(): number {
    return this.sumOf(({ waiting, underWay }) => Math.min(waiting, this.share - underWay));
  }

  /** @param again it goes before what waits for its first turn. */
  add(run: unknown, thing: T, again: boolean): void {
    const line = this.runs.get(run) ?? new RunLine<T>();
    this.runs.set(run, line);
    line[again ? 'again' : 'first'].push(thing);
  }

  /** Takes the next thing, which is under way until {@link finished} is called for its run. */
  next(): { readonly run: unknown; readonly thing: T } | undefined {
    const [run, line] = this.nextRun('again') ?? this.nextRun('first') ?? [];
    const thing = line?.take();
    if (line === undefined || thing === undefined) return undefined;
    line.underWay += 1;
    this.runs.delete(run);
    this.runs.set(run, line);
    return { run, thing };
  }

  /** Something of this run is no longer under way. */
  finished(run: unknown): void {
    const line = this.runs.get(run);
    if (line === undefined) return;
    line.underWay -= 1;
    this.forgetIdle(run, line);
  }

  /** Takes out something that does not want to wait any longer. */
  leave(run: unknown, thing: T): void {
    const line = this.runs.get(run);
    if (line === undefined) return;
    line.removeAll((one) => one === thing);
    this.forgetIdle(run, line);
  }

  /** Takes out everything that waits and that `leaves` says yes to. */
  removeAll(leaves: (thing: T) => boolean): T[] {
    return [...this.runs].flatMap(([run, line]) => {
      const removed = line.removeAll(leaves);
      this.forgetIdle(run, line);
      return removed;
    });
  }

  private sumOf(countOf: (line: RunLine<T>) => number): number {
    let sum = 0;
    for (const line of this.runs.values()) sum += countOf(line);
    return sum;
  }

  private nextRun(which: 'again' | 'first'): [unknown, RunLine<T>] | undefined {
    for (const run of this.runs) {
      if (run[1][which].length > 0 && run[1].underWay < this.share) return run;
    }
    return undefined;
  }

  private forgetIdle(run: unknown, line: RunLine<T>): void {
    if (line.underWay === 0 && line.waiting === 0) this.runs.delete(run);
  }
}
