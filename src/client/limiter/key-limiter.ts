import type Bottleneck from 'bottleneck';

import { lazy } from '../../lazy';
import { CancelledError } from '../errors';
import { createWaitError } from '../error-mapping';
import type { RedisAddress, Timing } from '../settings';
import { abortable } from '../sleep';
import { FairQueue } from './fair-queue';
import { DistributedLimiter } from './distributed-limiter';
import { SlidingWindow, type WindowLimit } from './sliding-window';

const bottleneck = lazy(() => require('bottleneck') as typeof Bottleneck);

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

export interface QueuedSend {
  /** Run of the request, compared by identity. Runs take turns. */
  readonly run: unknown;
  readonly signal?: AbortSignal | undefined;
  /** True for a retry, which goes before first attempts. */
  readonly isRetry: boolean;
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
interface PendingSend {
  readonly turn: QueuedSend;
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
  private readonly queue = new FairQueue<PendingSend>(RUN_CONCURRENT);
  private readonly window: SlidingWindow;
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
  private distributed: DistributedLimiter | undefined;

  constructor(
    private requestsPerMinute: number,
    private readonly timing: Timing,
  ) {
    this.window = new SlidingWindow(timing.windowMs);
  }

  /** Applies the limit of the credential; requests sent already still count. */
  setLimit(requestsPerMinute: number): void {
    if (requestsPerMinute === this.requestsPerMinute) return;
    this.requestsPerMinute = requestsPerMinute;
    this.scheduleNext();
  }

  /**
   * Shares the limit with all workers that use the same Redis from now on.
   *
   * @param address Redis address; undefined to stop sharing.
   * @param name Distinguishes keys in Redis; contains nothing secret.
   */
  shareOverRedis(address: RedisAddress | undefined, name: string): void {
    if (JSON.stringify(address) === JSON.stringify(this.distributed?.address)) return;
    this.close();
    if (address !== undefined) {
      const limit = () => this.limit;
      this.distributed = new DistributedLimiter(address, name, limit, this.timing, {
        shareChanged: () => {
          this.scheduleNext();
        },
        onBroadcast: ({ pauseMs, limitPerMinute }) => {
          this.pause(pauseMs, limitPerMinute);
        },
      });
    }
    this.scheduleNext();
  }

  /** Closes the connection to Redis, which would stay open otherwise. */
  close(): void {
    this.distributed?.close();
    this.distributed = undefined;
  }

  /**
   * Queues `send` and runs it once the limiter grants a permit.
   *
   * @param wasSent Returns from the result whether anything was sent. If not, because the connection was
   * never established, the permit is refunded.
   * @throws {CancelledError} as soon as the signal fires, whether the request is queued, paused or in flight.
   * @throws {RateLimitError} if the key pauses for too long.
   */
  async run<T>(
    send: () => Promise<T>,
    turn: QueuedSend,
    wasSent: (result: T) => boolean = () => true,
  ): Promise<T> {
    return await abortable(
      async (onCancel) =>
        await new Promise<T>((resolve, reject) => {
          const waiter: PendingSend = {
            turn,
            send: async () => {
              const sending = send();
              await sending.then(resolve, reject);
              return await sending.then(wasSent, () => true);
            },
            refuse: reject,
          };
          onCancel(() => {
            this.queue.remove(turn.run, waiter);
            this.scheduleNext();
          });
          this.queue.add(turn.run, waiter, turn.isRetry);
          this.rejectOverdue();
          this.scheduleNext();
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
    this.distributed?.broadcast({ pauseMs: ms, limitPerMinute });
    this.pause(ms, limitPerMinute);
  }

  /** True when nothing is queued or counts against a limit. */
  get isIdle(): boolean {
    return (
      this.queue.waiting === 0 &&
      this.window.used(performance.now()) === 0 &&
      this.pausedUntil <= performance.now()
    );
  }

  private get limit(): number {
    return Math.min(this.requestsPerMinute, this.ceiling);
  }

  private get windowLimit(): WindowLimit {
    const { limit } = this;
    const share = this.distributed?.share ?? 1;
    const evenly = this.throttled || share < 1;
    return { limit, pace: evenly ? limit * share : undefined };
  }

  private pause(ms: number, limitPerMinute: number | undefined): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    this.ceiling = limitPerMinute ?? this.ceiling;
    this.throttled = true;
    this.rejectOverdue();
    this.scheduleNext();
  }

  private get ready(): number {
    return Math.min(this.queue.ready, KEY_CONCURRENT - this.window.inFlight);
  }

  /** Starts the requests that can go now, or waits until one can. */
  private scheduleNext(): void {
    const now = performance.now();
    const isAwaited = this.queue.waiting > 0;
    this.window.recordWaiting(isAwaited, now);
    clearTimeout(this.timer);
    if (!isAwaited) return;
    const pauseMs = this.pausedUntil - now;
    // Spread, so that processes that wait for the same time do not all start together.
    const spreadMs = pauseMs > 0 ? Math.random() * this.timing.spreadMs : 0;
    const waitMs = Math.max(pauseMs, this.window.opensAt(this.windowLimit, now) - now) + spreadMs;
    if (waitMs > 0) {
      // Nothing can go before another request has ended, after which this method runs again.
      if (waitMs === Infinity) return;
      this.timer = setTimeout(() => {
        this.scheduleNext();
      }, Math.ceil(waitMs));
      return;
    }
    const roundsAtOnce = Math.min(this.ready, this.distributed?.pendingPermits ?? 1);
    while (this.openRounds < roundsAtOnce) void this.runRound();
  }

  /**
   * Sends the requests that can go, after a turn among all workers that share the limit. One round, not
   * each request, is a Bottleneck job, because a job takes several consecutive timers (about 3 ms).
   */
  private async runRound(): Promise<void> {
    this.openRounds += 1;
    this.rounds ??= new (bottleneck())(NO_WAIT);
    const started = await this.rounds.schedule(
      async () => await Promise.resolve(this.startReady()),
    );
    const turn = started > 0 ? await this.distributed?.waitForTurn() : 'lost';
    this.openRounds -= 1;
    for (let index = 0; index < started; index += 1) {
      if (turn === 'lost' || !this.sendNext()) this.window.end(false, performance.now());
    }
    this.scheduleNext();
  }

  /** Starts all requests that are ready; with a shared limit, only one. Returns their number. */
  private startReady(): number {
    const most = this.distributed === undefined ? this.ready : Math.min(1, this.ready);
    return this.window.start(most, this.windowLimit, performance.now());
  }

  /** Sends the next request that can still be sent; returns false if there is none. */
  private sendNext(): boolean {
    for (;;) {
      const next = this.pausedUntil > performance.now() ? undefined : this.queue.next();
      if (next === undefined) return false;
      const { turn, send, refuse } = next.entry;
      try {
        if (turn.signal?.aborted === true) throw new CancelledError();
        turn.beforeSend?.();
      } catch (error) {
        this.queue.recordFinished(next.run);
        refuse(error);
        continue;
      }
      const { warning } = this.distributed ?? {};
      if (warning !== undefined) turn.warn?.(warning);
      void send().then((wasSent) => {
        this.window.end(wasSent, performance.now());
        this.queue.recordFinished(next.run);
        this.scheduleNext();
      });
      return true;
    }
  }

  /** Rejects waiting requests that cannot be sent in time. */
  private rejectOverdue(): void {
    const pauseMs = this.pausedUntil - performance.now();
    const cannotBeSentInTime = ({ turn: { maxPauseMs = Infinity } }: PendingSend) =>
      pauseMs > maxPauseMs;
    for (const { refuse, turn } of this.queue.removeAll(cannotBeSentInTime)) {
      const pause = { waitMs: pauseMs, timeZone: turn.timeZone };
      const rejection = { code: 'operational_rate_limit_exceeded' };
      refuse(createWaitError(pause, rejection));
    }
  }
}
