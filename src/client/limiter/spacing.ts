/** Lets things through one after the other, at least so far apart. No change of the clock matters. */
export class Spacing {
  /** Milliseconds between two; 0: all at once. */
  gapMs = 0;
  /** The earliest moment for the next one, as `performance.now()` counts. */
  private nextAt = 0;

  /** Waits until it is the turn of the next one; whoever asks first goes first. */
  async next(): Promise<void> {
    const now = performance.now();
    const waitMs = Math.max(0, this.nextAt - now);
    this.nextAt = now + waitMs + this.gapMs;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
