import type Bottleneck from 'bottleneck';

import { lazily } from '../../lazily';
import { CancelledError, type RateLimitError } from '../errors';
import { dayUsedUp, limitUsedUp } from '../waits';
import type { RedisAddress, Timing } from '../settings';
import { abortable } from '../sleep';
import { CreditBudget } from './credit-budget';
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
  readonly credits = new CreditBudget(() => this.shared);
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
    this.proceed();
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
      const limit = () => this.limit;
      this.shared = new SharedPace(address, name, limit, this.timing, this.day, this.credits, {
        shareChanged: () => {
          this.proceed();
        },
        news: ({ pauseMs, limitPerMinute }) => {
          this.pause(pauseMs, limitPerMinute);
        },
      });
    }
    this.proceed();
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

  /** True when nothing is queued or counts against a limit. */
  get forgettable(): boolean {
    return (
      this.queue.waiting === 0 &&
      this.window.used(performance.now()) === 0 &&
      this.pausedUntil <= performance.now() &&
      this.day.used(steadyNow()) === 0 &&
      this.credits.forgettable
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
    this.proceed();
  }

  private get ready(): number {
    return Math.min(this.queue.ready, KEY_CONCURRENT - this.window.underWay);
  }

  /** Begins what may go now, or waits until something may. */
  private proceed(): void {
    const now = performance.now();
    const isAwaited = this.queue.waiting > 0;
    this.window.setAwaited(isAwaited, now);
    clearTimeout(this.timer);
    if (!isAwaited) return;
    const pauseMs = this.pausedUntil - now;
    // Processes that were told the same moment do not all start at it.
    const spreadMs = pauseMs > 0 ? Math.random() * this.timing.spreadMs : 0;
    const waitMs = Math.max(pauseMs, this.window.opensAt(this.allowance, now) - now) + spreadMs;
    if (waitMs > 0) {
      // Nothing goes before another request has ended, after which this runs again.
      if (waitMs === Infinity) return;
      this.timer = setTimeout(() => {
        this.proceed();
      }, Math.ceil(waitMs));
      return;
    }
    const roundsAtOnce = Math.min(this.ready, this.shared?.asksAtOnce ?? 1);
    while (this.openRounds < roundsAtOnce) void this.round();
  }

  /**
   * Sends what may go, after its turn among all who share the limit. A round is a job of Bottleneck, not
   * each request, because a job takes Bottleneck several timers, one after the other (about 3 ms).
   */
  private async round(): Promise<void> {
    this.openRounds += 1;
    this.rounds ??= new (bottleneck())(NO_WAIT);
    const started = await this.rounds.schedule(async () => await Promise.resolve(this.start()));
    const turn = started > 0 ? await this.shared?.turn() : 'lost';
    this.openRounds -= 1;
    for (let index = 0; index < started; index += 1) {
      if (turn === 'lost' || !this.sendNext()) this.window.end(false, performance.now());
    }
    this.proceed();
  }

  /** By itself a process lets all go together that are ready by then; with others, one by one. */
  private start(): number {
    const most = this.shared === undefined ? this.ready : Math.min(1, this.ready);
    return this.window.start(most, this.allowance, performance.now());
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
      const { warning } = this.shared ?? {};
      if (warning !== undefined) turn.warn?.(warning);
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
    const isHopeless = ({ turn: { maxPauseMs = Infinity } }: Waiter) =>
      dayUsedUp !== undefined || pauseMs > maxPauseMs;
    for (const { refuse } of this.queue.removeAll(isHopeless)) {
      refuse(dayUsedUp ?? limitUsedUp(pauseMs, { code: 'operational_rate_limit_exceeded' }));
    }
  }

  private dayUsedUp(): RateLimitError | undefined {
    const now = steadyNow();
    const waitMs = this.day.opensAt(now) - now;
    return waitMs > 0 ? dayUsedUp(waitMs, this.pace.requestsPerDay) : undefined;
  }
}
