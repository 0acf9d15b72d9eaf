interface Waiter {
  /** As `performance.now()` counts. */
  readonly since: number;
  readonly go: () => void;
}

/** Lets things through one after the other, at least so far apart. No change of the clock matters. */
export class Spacing {
  private gap = 0;
  private readonly waiting: Waiter[] = [];
  /** When the last one was to go, which may be a little before it did. */
  private lastAt = -Infinity;
  /** How long the next one was to wait after it. */
  private lastGap = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Milliseconds between two; 0: all at once. A shorter one holds at once, a longer one after the next. */
  get gapMs(): number {
    return this.gap;
  }

  set gapMs(gapMs: number) {
    if (gapMs === this.gap) return;
    this.gap = gapMs;
    this.letThrough();
  }

  /** Waits until it is the turn of the next one; whoever asks first goes first. */
  async next(): Promise<void> {
    await new Promise<void>((go) => {
      this.waiting.push({ since: performance.now(), go });
      this.letThrough();
    });
  }

  private letThrough(): void {
    clearTimeout(this.timer);
    for (let first = this.waiting[0]; first !== undefined; first = this.waiting[0]) {
      const turnAt = Math.max(first.since, this.lastAt + Math.min(this.lastGap, this.gap));
      const leftMs = turnAt - performance.now();
      if (leftMs > 0) {
        this.timer = setTimeout(() => {
          this.letThrough();
        }, leftMs);
        return;
      }
      this.lastAt = turnAt;
      this.lastGap = this.gap;
      this.waiting.shift();
      first.go();
    }
  }
}
