/**
 * The service's only source of time. It can be moved forward (so that a 30-day window passes without
 * waiting), and lengths of time can be compressed (so that a job or a minute takes a second).
 */
export class Clock {
  private movedMs = 0;

  /**
   * @param timeScale how many times faster jobs and rate windows pass; 1 is real time
   * @param realNow milliseconds since 1970
   */
  constructor(
    readonly timeScale: number,
    private readonly realNow: () => number = Date.now,
  ) {}

  /** The service's time in milliseconds since 1970. */
  now(): number {
    return this.realNow() + this.movedMs;
  }

  /** A length of time of the interface (milliseconds) as it really lasts here. */
  compressed(ms: number): number {
    return ms / this.timeScale;
  }

  /** Turns a moment of the service's time into a moment of the caller's. */
  toReal(ms: number): number {
    return ms - this.movedMs;
  }

  /** Moves the service's time forward by milliseconds, without waiting. */
  advance(ms: number): void {
    this.movedMs += ms;
  }

  reset(): void {
    this.movedMs = 0;
  }
}

/** Whole seconds to wait for a length of time, never less than one: what `Retry-After` can say. */
export function waitSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
