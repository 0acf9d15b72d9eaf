import type Bottleneck from 'bottleneck';

import { lazily } from '../../lazily';
import { CancelledError, RateLimitError, type ServiceError } from '../errors';
import { limitUsedUp } from '../meaning';
import type { RedisAddress, Timing } from '../settings';
import { abortable } from '../sleep';
import { DayBudget, steadyNow } from './day-budget';
import { FairQueue } from './fair-queue';
import { SharedPace } from './shared-pace';
import { SlidingWindow, type Allowance } from './sliding-window';

const bottleneck = lazily(() => require('bottleneck') as typeof Bottleneck);

/**
 * Bottleneck begins no job before the moment at which the last one began, plus `minTime`: after the clock
 * was set back by a day, none for a day. A `minTime` far below zero puts that moment into the past.
 */
const NO_WAIT = { minTime: -1e15 };

/**
 * Requests of one key that may be under way at once. The rate limit is kept whatever this number is;
 * it bounds connections and what a 429 can still overtake.
 */
export const KEY_CONCURRENT = 100;

/** Requests of one run that may be under way at once: when they hang, others still get through. */
export const RUN_CONCURRENT = 90;

/** The interface's code for a key that is throttled. */
const THROTTLED = 'operational_rate_limit_exceeded';

export interface Pace {
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

export interface Turn {
  /** Whose request it is. Runs take turns; the same value is the same run. */
  readonly run: unknown;
  readonly signal?: AbortSignal | undefined;
  /** A request that is sent again goes before those that wait for their first turn. */
  readonly again: boolean;
  /** A longer pause of the key than this is not waited for. */
  readonly maxPauseMs?: number;
  /** Runs at the last moment before sending; throwing means it is not sent. */
  readonly beforeSend?: (() => void) | undefined;
  /** Called when it is sent while Redis cannot be used. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A request that waits for its turn. */
interface Waiter {
  readonly turn: Turn;
  /** Settles when the request is over, however it ended; false when nothing was sent after all. */
  readonly send: () => Promise<boolean>;
  readonly refuse: (error: unknown) => void;
}

/**
 * Keeps one key within its limits, for every node and every execution of this process, and with
 * Redis for all workers together.
 *
 * First the window opens, then it is chosen who goes: runs take turns, whoever was cancelled in
 * the meantime is gone, and a pause holds for all that have not been sent. When the service throttles
 * although the limit was kept (somebody else uses the key, or it smooths bursts), the key is paced
 * evenly from then on.
 */
export class KeyLimiter {
  private readonly queue = new FairQueue<Waiter>(RUN_CONCURRENT);
  private readonly window: SlidingWindow;
  private readonly day: DayBudget;
  /** Made for the first round: before its first job it goes by the clock. */
  private rounds: Bottleneck | undefined;
  /** Rounds that have begun and not ended. */
  private openRounds = 0;
  /** As `performance.now()` counts. */
  private pausedUntil = 0;
  /** Holds the process open, so it runs only while somebody waits. */
  private timer: NodeJS.Timeout | undefined;
  /** Requests per minute that the service itself named. */
  private ceiling = Infinity;
  private throttled = false;
  private shared: SharedPace | undefined;

  constructor(
    private pace: Pace,
    private readonly timing: Timing,
  ) {
    this.window = new SlidingWindow(timing.windowMs);
    this.day = new DayBudget(() => this.pace.requestsPerDay);
  }

  /** Takes over the credential's limits; what was sent already still counts. */
  setPace(pace: Pace): void {
    this.pace = pace;
    this.adjust();
  }

  /**
   * From now on the limit is shared with all workers that use the same Redis.
   *
   * @param address undefined: it is shared with nobody.
   * @param name tells keys apart in Redis; holds nothing secret.
   */
  shareThrough(address: RedisAddress | undefined, name: string): void {
    if (JSON.stringify(address) === JSON.stringify(this.shared?.address)) return;
    this.shared?.close();
    this.shared = undefined;
    if (address !== undefined) {
      this.shared = new SharedPace(address, name, this.limit, this.timing, this.day, {
        shareChanged: () => this.adjust(),
        news: ({ pauseMs, limitPerMinute }) => this.pause(pauseMs, limitPerMinute),
      });
    }
    this.adjust();
  }

  /** Ends what would go on by itself: the connection to Redis. */
  close(): void {
    this.shared?.close();
    this.shared = undefined;
  }

  /**
   * Runs `send` when it is its turn.
   *
   * @param wasSent tells from what came of it whether anything was sent; what was not, because the
   * connection was never made, takes nothing off the limits.
   * @throws {CancelledError} at once when the signal fires, whether queued, paused or under way.
   * @throws {RateLimitError} when the daily limit is used up, or the key pauses for too long.
   */
  async run<T>(
    send: () => Promise<T>,
    turn: Turn,
    wasSent: (result: T) => boolean = () => true,
  ): Promise<T> {
    return await abortable(
      async (onCancel) =>
        await new Promise<T>((resolve, reject) => {
          const waiter: Waiter = {
            turn,
            send: async () => {
              const sending = send();
              await sending.then(resolve, reject);
              return await sending.then(wasSent, () => true);
            },
            refuse: reject,
          };
          onCancel(() => {
            this.queue.leave(turn.run, waiter);
            this.proceed();
          });
          this.queue.add(turn.run, waiter, turn.again);
          this.refuseHopeless();
          this.proceed();
        }),
      turn.signal,
    );
  }

  /**
   * The service said 429: nothing of this key is sent for `ms` milliseconds, and evenly after that.
   * Workers that share the limit do the same.
   *
   * @param limitPerMinute the ceiling the service named; a lower one than ours is kept from now on.
   */
  throttle(ms: number, limitPerMinute: number | undefined): void {
    this.shared?.tell({ pauseMs: ms, limitPerMinute });
    this.pause(ms, limitPerMinute);
  }

  /** True when nothing is queued, nothing counts against a window, and today was not used. */
  get forgettable(): boolean {
    return (
      this.queue.waiting === 0 &&
      this.window.used(performance.now()) === 0 &&
      this.pausedUntil <= performance.now() &&
      this.day.used(steadyNow()) === 0
    );
  }

  private get limit(): number {
    return Math.min(this.pace.requestsPerMinute, this.ceiling);
  }

  private get allowance(): Allowance {
    const { limit } = this;
    const share = this.shared?.share ?? 1;
    const evenly = this.throttled || share < 1;
    return { limit, pace: evenly ? limit * share : undefined };
  }

  private pause(ms: number, limitPerMinute: number | undefined): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    this.ceiling = limitPerMinute ?? this.ceiling;
    this.throttled = true;
    this.refuseHopeless();
    this.adjust();
  }

  /** Passes on what may be sent, after something about it has changed. */
  private adjust(): void {
    if (this.shared !== undefined) this.shared.limit = this.limit;
    this.proceed();
  }

  /** Begins what may go now, or waits until something may. */
  private proceed(): void {
    const now = performance.now();
    const isAwaited = this.queue.waiting > 0;
    this.window.setAwaited(isAwaited, now);
    clearTimeout(this.timer);
    if (!isAwaited) return;
    const pauseMs = this.pausedUntil - now;
    if (pauseMs > 0) {
      // Processes that were told the same moment do not all start at it.
      this.proceedIn(pauseMs + Math.random() * this.timing.spreadMs);
      return;
    }
    const { shared, allowance } = this;
    const useful = Math.min(this.queue.ready, KEY_CONCURRENT - this.window.underWay);
    // By itself a process lets all go together that have become ready since the last round. With others
    // who share the limit, requests go one by one, some of them waiting for their turn among all.
    const [atOnce, each] = shared === undefined ? [1, useful] : [shared.asksAtOnce, 1];
    while (this.openRounds < Math.min(useful, atOnce)) {
      const started = this.window.start(each, allowance, now);
      if (started === 0) {
        this.proceedIn(this.window.opensAt(allowance, now) - now);
        return;
      }
      void this.round(started);
    }
  }

  private proceedIn(ms: number): void {
    // Nothing goes before another request has ended, after which this runs anyway.
    if (ms === Infinity) return;
    this.timer = setTimeout(() => {
      this.proceed();
    }, Math.ceil(ms));
  }

  /**
   * Sends so many requests, which the window counts already. A round is a job of Bottleneck, not each
   * request, because a job takes Bottleneck several timers, one after the other (about 3 ms).
   */
  private async round(count: number): Promise<void> {
    this.openRounds += 1;
    this.rounds ??= new (bottleneck())(NO_WAIT);
    const turn = await this.rounds.schedule(async () => await this.shared?.turn());
    this.openRounds -= 1;
    for (let index = 0; index < count; index += 1) {
      if (turn === 'lost' || !this.sendNext()) this.window.end(false, performance.now());
    }
    this.proceed();
  }

  /** Sends the next request that may still be sent, if there is one. */
  private sendNext(): boolean {
    for (;;) {
      const next = this.pausedUntil > performance.now() ? undefined : this.queue.next();
      if (next === undefined) return false;
      const { turn, send, refuse } = next.thing;
      try {
        if (turn.signal?.aborted === true) throw new CancelledError();
        const hopeless = this.dayUsedUp();
        if (hopeless !== undefined) throw hopeless;
        turn.beforeSend?.();
      } catch (error) {
        this.queue.finished(next.run);
        refuse(error);
        continue;
      }
      const sentAt = steadyNow();
      this.day.count(sentAt);
      if (this.shared?.trouble !== undefined) turn.warn?.(this.warning(this.shared));
      void send().then((wasSent) => {
        this.window.end(wasSent, performance.now());
        if (!wasSent) this.day.takeBack(sentAt);
        this.queue.finished(next.run);
        this.proceed();
      });
      return true;
    }
  }

  /** Nobody waits for something that will not come in time. */
  private refuseHopeless(): void {
    const pauseMs = this.pausedUntil - performance.now();
    const dayUsedUp = this.dayUsedUp();
    if (pauseMs <= 0 && dayUsedUp === undefined) return;
    const tooLong = ({ turn: { maxPauseMs = Infinity } }: Waiter) => pauseMs > maxPauseMs;
    for (const { refuse } of this.queue.removeAll(tooLong)) {
      refuse(limitUsedUp(pauseMs, { code: THROTTLED }));
    }
    if (dayUsedUp === undefined) return;
    for (const { refuse } of this.queue.removeAll(() => true)) refuse(dayUsedUp);
  }

  private warning({ trouble = '', share }: SharedPace): string {
    const perMinute = Math.max(1, Math.floor(this.limit * share));
    return `The Redis of the credential cannot be used (${trouble}). Requests go on, but each worker keeps to ${String(perMinute)} per minute by itself until Redis is back.`;
  }

  private dayUsedUp(): ServiceError | undefined {
    const now = steadyNow();
    const waitMs = this.day.opensAt(now) - now;
    if (waitMs <= 0) return undefined;
    const resetsAt = new Date(Date.now() + waitMs).toISOString();
    return new RateLimitError({
      code: 'daily_limit_reached',
      message: `The daily limit of ${String(this.pace.requestsPerDay)} requests set in the credential is used up until ${resetsAt}`,
      hint: 'Run again after that time, or raise Requests per Day in the credential if the key allows more.',
      details: { resets_at: resetsAt },
    });
  }
}
