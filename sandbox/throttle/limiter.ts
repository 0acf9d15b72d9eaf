import { type Clock, waitSeconds } from '../clock';
import { errors } from '../errors';
import { createWindow, type RateWindow, type WindowMode } from './window';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A caller whose requests are counted together, with the allowed numbers. */
export interface Throttled {
  /** The API key, or the client's address for open endpoints. */
  readonly key: string;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

/** Rate limits per key (Limits, Rate limits). Rejected requests are not counted. */
export class RateLimiter {
  private readonly windows = new Map<string, { minute: RateWindow; day: RateWindow }>();

  constructor(
    private readonly clock: Clock,
    private readonly mode: WindowMode,
  ) {}

  /**
   * Counts a request.
   *
   * @throws 429 `operational_rate_limit_exceeded` with all rate-limit headers if a window is full
   */
  admit(caller: Throttled): void {
    const now = this.clock.now();
    const { minute, day } = this.windowsOf(caller);
    const minuteLeft = minute.remaining(now);
    const dayLeft = day.remaining(now);
    if (minuteLeft > 0 && dayLeft > 0) {
      minute.count(now);
      day.count(now);
      return;
    }
    const minuteReset = minute.resetsAt(now);
    const dayReset = day.resetsAt(now);
    const freeAt = Math.max(minuteLeft > 0 ? now : minuteReset, dayLeft > 0 ? now : dayReset);
    throw errors.rateLimited(waitSeconds(freeAt - now), {
      'x-ratelimit-limit': String(caller.requestsPerMinute),
      'x-ratelimit-remaining': String(minuteLeft),
      'x-ratelimit-reset': this.unixSeconds(minuteReset),
      'x-ratelimit-limit-day': String(caller.requestsPerDay),
      'x-ratelimit-remaining-day': String(dayLeft),
      'x-ratelimit-reset-day': this.unixSeconds(dayReset),
    });
  }

  reset(): void {
    this.windows.clear();
  }

  private unixSeconds(ms: number): string {
    return String(Math.ceil(this.clock.toReal(ms) / 1000));
  }

  private windowsOf(caller: Throttled): { minute: RateWindow; day: RateWindow } {
    let windows = this.windows.get(caller.key);
    if (windows === undefined) {
      windows = {
        minute: createWindow(
          this.mode,
          this.clock.compressed(MINUTE_MS),
          () => caller.requestsPerMinute,
        ),
        day: createWindow(this.mode, this.clock.compressed(DAY_MS), () => caller.requestsPerDay),
      };
      this.windows.set(caller.key, windows);
    }
    return windows;
  }
}
