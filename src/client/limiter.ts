import Bottleneck from 'bottleneck';

import { DayBudget } from './day-budget';
import { CancelledError, RateLimitError } from './errors';
import { limitUsedUp } from './meaning';
import type { Timing } from './settings';
import { abortable, sleep } from './sleep';

/**
 * Requests of one key that may be under way at once. The rate limit is kept whatever this number is;
 * it bounds connections and what a 429 can still overtake.
 */
export const MAX_CONCURRENT = 100;

/** Priorities of Bottleneck: smaller goes first. */
const PRIORITY = { again: 4, first: 5 } as const;

/** The interface's code for a key that is throttled. */
const THROTTLED = 'operational_rate_limit_exceeded';

export interface Pace {
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

export interface Turn {
  readonly signal?: AbortSignal | undefined;
  /** A request that is sent again goes before those that wait for their first turn. */
  readonly again: boolean;
  /** A longer pause of the key than this is not waited for. */
  readonly maxPauseMs?: number;
  /** Runs at the last moment before sending; throwing gives the turn back unused. */
  readonly beforeSend?: (() => void) | undefined;
}

/**
 * Keeps one key within its limits, for every node and every execution of this process.
 *
 * A permit is taken when a request starts and given back one window after its *response*: whatever
 * way the service counts its minutes, it never sees more than the limit, and an idle key may still
 * send its first requests in one burst. Bottleneck's own periodic refresh would allow twice the
 * limit around the moment of refreshing. When the service throttles all the same (somebody else
 * uses the key, or it smooths bursts), the key is paced evenly from then on.
 */
export class KeyLimiter {
  private readonly bottleneck: Bottleneck;
  private readonly day: DayBudget;
  /** Moments (Unix milliseconds) at which permits come back, in order. */
  private readonly returns: number[] = [];
  private returnTimer: NodeJS.Timeout | undefined;
  private waiting = 0;
  private pausedUntil = 0;
  /** Requests per minute that the service itself named. */
  private ceiling = Infinity;
  private paced = false;

  constructor(
    private pace: Pace,
    private readonly timing: Timing,
  ) {
    this.bottleneck = new Bottleneck({
      reservoir: pace.requestsPerMinute,
      maxConcurrent: MAX_CONCURRENT,
    });
    this.day = new DayBudget(() => this.pace.requestsPerDay);
  }

  /** Takes over the credential's limits; what was sent already still counts. */
  async setPace(pace: Pace): Promise<void> {
    const before = this.perMinute;
    this.pace = pace;
    await this.adjust(before);
  }

  /**
   * Runs `send` when it is its turn.
   *
   * @throws {CancelledError} at once when the signal fires, whether queued, paused or under way.
   * @throws {RateLimitError} when the daily limit is used up, or the key pauses for too long.
   */
  async run<T>(send: () => Promise<T>, turn: Turn): Promise<T> {
    this.waiting += 1;
    this.arm();
    try {
      return await abortable(
        async () =>
          await this.bottleneck.schedule(
            { priority: turn.again ? PRIORITY.again : PRIORITY.first },
            async () => await this.takeTurn(send, turn),
          ),
        turn.signal,
      );
    } finally {
      this.waiting -= 1;
      this.arm();
    }
  }

  /**
   * The service said 429: nothing of this key is sent for `ms` milliseconds, and evenly after that.
   *
   * @param limitPerMinute the ceiling the service named; a lower one than ours is kept from now on.
   */
  async throttle(ms: number, limitPerMinute: number | undefined): Promise<void> {
    this.pausedUntil = Math.max(this.pausedUntil, Date.now() + ms);
    const before = this.perMinute;
    this.ceiling = limitPerMinute ?? this.ceiling;
    await this.adjust(before);
    if (!this.paced) {
      this.paced = true;
      this.spaceOut();
    }
  }

  /** True when nothing is queued, nothing counts against a window, and today was not used. */
  get forgettable(): boolean {
    const now = Date.now();
    return (
      this.waiting === 0 &&
      this.returns.length === 0 &&
      this.pausedUntil <= now &&
      this.day.used(now) === 0
    );
  }

  private get perMinute(): number {
    return Math.min(this.pace.requestsPerMinute, this.ceiling);
  }

  private async adjust(before: number): Promise<void> {
    const more = this.perMinute - before;
    if (more === 0) return;
    await this.bottleneck.incrementReservoir(more);
    if (this.paced) this.spaceOut();
  }

  private async takeTurn<T>(send: () => Promise<T>, turn: Turn): Promise<T> {
    let sent = false;
    try {
      await this.waitForGate(turn);
      this.checkDay();
      turn.beforeSend?.();
      this.day.count(Date.now());
      sent = true;
      return await send();
    } finally {
      if (sent) this.returnLater();
      else await this.bottleneck.incrementReservoir(1);
    }
  }

  private async waitForGate({ signal, maxPauseMs = Infinity }: Turn): Promise<void> {
    if (signal?.aborted === true) throw new CancelledError();
    for (;;) {
      const left = this.pausedUntil - Date.now();
      if (left <= 0) return;
      if (left > maxPauseMs) throw limitUsedUp(this.pausedUntil, { code: THROTTLED });
      await sleep(left + Math.random() * this.timing.spreadMs, signal);
    }
  }

  private checkDay(): void {
    const now = Date.now();
    const opensAt = this.day.opensAt(now);
    if (opensAt <= now) return;
    throw new RateLimitError({
      code: 'daily_limit_reached',
      message: `The daily limit of ${String(this.pace.requestsPerDay)} requests set in the credential is used up until ${new Date(opensAt).toISOString()}`,
      hint: 'Run again after that time, or raise Requests per Day in the credential if the key allows more.',
      details: { resets_at: new Date(opensAt).toISOString() },
    });
  }

  private spaceOut(): void {
    // One millisecond more than the exact share keeps a fixed and a sliding window from refusing.
    const minTime = Math.ceil(this.timing.windowMs / this.perMinute) + 1;
    this.bottleneck.updateSettings({ minTime });
  }

  private returnLater(): void {
    this.returns.push(Date.now() + this.timing.windowMs);
    this.arm();
  }

  /** Keeps one timer for the next permit; it holds the process open only while somebody waits. */
  private arm(): void {
    const next = this.returns[0];
    if (this.returnTimer === undefined && next !== undefined) {
      this.returnTimer = setTimeout(
        () => {
          this.returnTimer = undefined;
          this.returnDue();
        },
        Math.max(0, next - Date.now()),
      );
    }
    if (this.waiting > 0) this.returnTimer?.ref();
    else this.returnTimer?.unref();
  }

  private returnDue(): void {
    const now = Date.now();
    const pending = this.returns.findIndex((moment) => moment > now);
    const due = pending === -1 ? this.returns.length : pending;
    this.returns.splice(0, due);
    if (due > 0) void this.bottleneck.incrementReservoir(due);
    this.arm();
  }
}
