/**
 * The service's only source of time. Tests can move it forward, for example past a 30-day window.
 * They can also compress durations, so that a job or a minute takes a second.
 */
export class Clock {
  private movedMs = 0;

  /**
   * @param timeScale how many times faster jobs and rate windows pass; 1 is real time
   * @param realNow returns the real time in milliseconds since 1970
   */
  constructor(
    readonly timeScale: number,
    private readonly realNow: () => number = Date.now,
  ) {}

  /** Returns the service's time in milliseconds since 1970. */
  now(): number {
    return this.realNow() + this.movedMs;
  }

  /** Converts a duration from the API spec (milliseconds) to real time in this sandbox. */
  compressed(ms: number): number {
    return ms / this.timeScale;
  }

  /** Converts a point in the service's time to the caller's time. */
  toReal(ms: number): number {
    return ms - this.movedMs;
  }

  /** Moves the service's time forward by milliseconds, without waiting. */
  advance(ms: number): void {
    this.movedMs += ms;
  }
}

/** Returns a duration in whole seconds, at least 1, because `Retry-After` has whole seconds. */
export function waitSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
