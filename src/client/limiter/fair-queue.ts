/** Things that wait in order. Taking the first and leaving from the middle are both quick. */
class Line<T> {
  private readonly things = new Set<T>();
  /** Kept between calls: a new one would walk over the places of all that have left. */
  private cursor = this.things.values();

  get length(): number {
    return this.things.size;
  }

  add(thing: T): void {
    this.things.add(thing);
  }

  remove(thing: T): boolean {
    return this.things.delete(thing);
  }

  removeAll(leaves: (thing: T) => boolean): T[] {
    const removed = [...this.things].filter(leaves);
    for (const thing of removed) this.things.delete(thing);
    return removed;
  }

  take(): T | undefined {
    let first = this.cursor.next();
    if (first.done === true) {
      this.cursor = this.things.values();
      first = this.cursor.next();
    }
    if (first.done === true) return undefined;
    this.things.delete(first.value);
    return first.value;
  }
}

/** One run's share of the queue. */
class RunLines<T> {
  /** What is sent again, before what waits for its first turn. */
  readonly again = new Line<T>();
  readonly first = new Line<T>();
  underWay = 0;

  get waiting(): number {
    return this.again.length + this.first.length;
  }
}

/**
 * Who is next, fairly between runs: they take turns, so a run of one row does not wait for the rest
 * of a run of 50,000, and no run has more than its share under way.
 */
export class FairQueue<T> {
  /** By run; whose turn is furthest away is last. */
  private readonly runs = new Map<unknown, RunLines<T>>();

  /** @param share how many things of one run may be under way at once. */
  constructor(private readonly share: number) {}

  /** Things that wait. */
  get waiting(): number {
    let waiting = 0;
    for (const lines of this.runs.values()) waiting += lines.waiting;
    return waiting;
  }

  /** Things that wait and whose run has room for them. */
  get ready(): number {
    let ready = 0;
    for (const lines of this.runs.values()) {
      ready += Math.min(lines.waiting, Math.max(0, this.share - lines.underWay));
    }
    return ready;
  }

  /** @param again it goes before what waits for its first turn. */
  add(run: unknown, thing: T, again: boolean): void {
    let lines = this.runs.get(run);
    if (lines === undefined) {
      lines = new RunLines();
      this.runs.set(run, lines);
    }
    (again ? lines.again : lines.first).add(thing);
  }

  /** Takes the next thing, which is under way until {@link finished} is called for its run. */
  next(): { readonly run: unknown; readonly thing: T } | undefined {
    const run = this.nextRun('again') ?? this.nextRun('first');
    if (run === undefined) return undefined;
    const [id, lines] = run;
    const thing = lines.again.take() ?? lines.first.take();
    if (thing === undefined) return undefined;
    lines.underWay += 1;
    this.runs.delete(id);
    this.runs.set(id, lines);
    return { run: id, thing };
  }

  /** Something of this run is no longer under way. */
  finished(run: unknown): void {
    const lines = this.runs.get(run);
    if (lines === undefined) return;
    lines.underWay -= 1;
    this.forgetIdle(run, lines);
  }

  /** Takes out something that does not want to wait any longer. */
  leave(run: unknown, thing: T): void {
    const lines = this.runs.get(run);
    if (lines === undefined) return;
    if (!lines.again.remove(thing)) lines.first.remove(thing);
    this.forgetIdle(run, lines);
  }

  /** Takes out everything that waits and that `leaves` says yes to. */
  removeAll(leaves: (thing: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [run, lines] of [...this.runs]) {
      for (const line of [lines.again, lines.first]) removed.push(...line.removeAll(leaves));
      this.forgetIdle(run, lines);
    }
    return removed;
  }

  private nextRun(line: 'again' | 'first'): [unknown, RunLines<T>] | undefined {
    for (const run of this.runs) {
      if (run[1][line].length > 0 && run[1].underWay < this.share) return run;
    }
    return undefined;
  }

  private forgetIdle(run: unknown, lines: RunLines<T>): void {
    if (lines.underWay === 0 && lines.waiting === 0) this.runs.delete(run);
  }
}
