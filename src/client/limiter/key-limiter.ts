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
 * Bottleneck starts no job before the start of the last one plus `minTime`. After the clock was set back
 * by a day, it would start none for a day. A very negative `minTime` moves that time into the past.
 */
const NO_WAIT = { minTime: -1e15 };

/**
 * Maximum requests of one key in flight. The rate limit holds whatever this number is. It bounds the
 * connections, and the requests that are already sent when a 429 arrives.
 */
export const KEY_CONCURRENT = 100;

/** Maximum requests of one run in flight. It is lower than {@link KEY_CONCURRENT}, so that other runs continue if these hang. */
export const RUN_CONCURRENT = 90;

export interface Pace {
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

export interface Turn {
  /** Run of the request, compared by identity. Runs take turns. */
  readonly run: unknown;
  readonly signal?: AbortSignal | undefined;
  /** True for a retry, which goes before first attempts. */
  readonly again: boolean;
  /** Maximum pause of the key, in milliseconds, that this request waits for. */
  readonly maxPauseMs?: number;
  /** Time zone in which a refusal says when the limit resets. */
  readonly timeZone?: string | undefined;
  /** Runs immediately before sending; if it throws, nothing is sent. */
  readonly beforeSend?: (() => void) | undefined;
  /** Called if the request is sent while Redis cannot be used. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A request in the queue. */
interface Waiter {
  readonly turn: Turn;
  /** Resolves when the request has ended in any way; with false if nothing was sent after all. */
  readonly send: () => Promise<boolean>;
  readonly refuse: (error: unknown) => void;
}

/**
 * Rate limiter of one key, for all nodes and executions of this process and, with Redis, for all workers
 * together.
 *
 * The window opens first; only then the limiter chooses the next request. So runs take turns, requests
 * cancelled in the meantime are gone, and a pause applies to all requests that have not been sent. If
 * the service sends a 429 although the limit was respected (another program uses the key, or the service
 * smooths bursts), the limiter paces the key evenly from then on.
 */
export class KeyLimiter {
  readonly credits = new CreditBudget(() => this.shared);
  private readonly queue = new FairQueue<Waiter>(RUN_CONCURRENT);
  private readonly window: SlidingWindow;
  private readonly day: DayBudget;
  /** Created for the first round, because before its first job Bottleneck uses the wall clock. */
  private rounds: Bottleneck | undefined;
  /** Number of rounds in progress. */
  private openRounds = 0;
  /** End of the pause, on the clock of `performance.now()`. */
  private pausedUntil = 0;
  /** Keeps the process alive, so it runs only while requests wait. */
  private timer: NodeJS.Timeout | undefined;
  /** Requests per minute that the service itself stated. */
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

  /** Applies the limits of the credential; requests sent already still count. */
  setPace(pace: Pace): void {
    this.pace = pace;
    this.proceed();
  }

  /**
   * Shares the limit with all workers that use the same Redis from now on.
   *
   * @param address Redis address; undefined to share with nobody.
   * @param name Distinguishes keys in Redis; contains nothing secret.
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

  /** Closes the connection to Redis, which would stay open otherwise. */
  close(): void {
    this.shared?.close();
    this.shared = undefined;
  }

  /**
   * Queues `send` and runs it once the limiter grants a permit.
   *
   * @param wasSent Returns from the result whether anything was sent. If not, because the connection was
   * never established, the permit is refunded.
   * @throws {CancelledError} as soon as the signal fires, whether the request is queued, paused or in flight.
   * @throws {RateLimitError} if the daily limit is used up, or the key pauses for too long.
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
   * Pauses the key for `ms` milliseconds after a 429, and paces it evenly after that. Workers that share
   * the limit do the same.
   *
   * @param limitPerMinute Limit that the service stated; if it is lower than the credential's, it applies
   * from now on.
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

  /** Starts the requests that can go now, or waits until one can. */
  private proceed(): void {
    const now = performance.now();
    const isAwaited = this.queue.waiting > 0;
    this.window.setAwaited(isAwaited, now);
    clearTimeout(this.timer);
    if (!isAwaited) return;
    const pauseMs = this.pausedUntil - now;
    // Spread, so that processes that wait for the same time do not all start together.
    const spreadMs = pauseMs > 0 ? Math.random() * this.timing.spreadMs : 0;
    const waitMs = Math.max(pauseMs, this.window.opensAt(this.allowance, now) - now) + spreadMs;
    if (waitMs > 0) {
      // Nothing can go before another request has ended, after which this method runs again.
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
   * Sends the requests that can go, after a turn among all workers that share the limit. One round, not
   * each request, is a Bottleneck job, because a job takes several consecutive timers (about 3 ms).
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

  /** Starts all requests that are ready; with a shared limit, only one. Returns their number. */
  private start(): number {
    const most = this.shared === undefined ? this.ready : Math.min(1, this.ready);
    return this.window.start(most, this.allowance, performance.now());
  }

  /** Sends the next request that can still be sent; returns false if there is none. */
  private sendNext(): boolean {
    for (;;) {
      const next = this.pausedUntil > performance.now() ? undefined : this.queue.next();
      if (next === undefined) return false;
      const { turn, send, refuse } = next.thing;
      try {
        if (turn.signal?.aborted === true) throw new CancelledError();
        const waitMs = this.dayOpensIn;
        if (waitMs > 0) throw this.dayUsedUp(waitMs, turn);
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

  /** Rejects waiting requests that cannot be sent in time. */
  private refuseHopeless(): void {
    const pauseMs = this.pausedUntil - performance.now();
    const dayMs = this.dayOpensIn;
    if (pauseMs <= 0 && dayMs <= 0) return;
    const isHopeless = ({ turn: { maxPauseMs = Infinity } }: Waiter) =>
      dayMs > 0 || pauseMs > maxPauseMs;
    for (const { refuse, turn } of this.queue.removeAll(isHopeless)) {
      const pause = { waitMs: pauseMs, timeZone: turn.timeZone };
      const said = { code: 'operational_rate_limit_exceeded' };
      refuse(dayMs > 0 ? this.dayUsedUp(dayMs, turn) : limitUsedUp(pause, said));
    }
  }

  /** Milliseconds until the daily limit lets a request through. */
  private get dayOpensIn(): number {
    const now = steadyNow();
    return this.day.opensAt(now) - now;
  }

  private dayUsedUp(waitMs: number, { timeZone }: Turn): RateLimitError {
    return dayUsedUp({ waitMs, timeZone }, this.pace.requestsPerDay);
  }
}
