import { CancelledError } from '../errors';
import { createWaitError } from '../error-mapping';
import { RUN_CONCURRENT, THROTTLED_MS, type Timing } from '../settings';
import { abortable } from '../../concurrency';
import { FairQueue } from './fair-queue';
import { Permits, type Pace } from './permits';
import type * as Redis from './redis';

/** Only credentials with a Redis URL need the folder `redis`, and nothing else loads it. */
export const loadRedis = () => require('./redis') as typeof Redis;

export interface QueuedSend {
  readonly run: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly isRetry: boolean;
  readonly maxPauseMs?: number;
  readonly timeZone?: string | undefined;
  readonly beforeSend?: (() => void) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

interface PendingSend {
  readonly turn: QueuedSend;
  /** Resolves when the request has ended in any way; with false if nothing was sent. */
  readonly send: () => Promise<boolean>;
  readonly refuse: (error: unknown) => void;
}

/**
 * Rate limiter of one key, for this process and, with Redis, for all workers together.
 *
 * Bottleneck decides when a request goes ({@link Permits}), then the fair queue decides which one: runs take
 * turns, cancelled requests are gone, and a pause applies to all that have not been sent. If a 429 arrives
 * although the limit was respected (another program uses the key), the key is paced evenly for an hour.
 */
export class KeyLimiter {
  private readonly queue = new FairQueue<PendingSend>(RUN_CONCURRENT);
  private readonly permits: Permits;
  private requestedSlots = 0;
  private pausedUntil = 0;
  /** Keeps the process alive, so it runs only while requests wait. */
  private resuming: NodeJS.Timeout | undefined;
  private ceiling = Infinity;
  private throttledUntil = -Infinity;
  private distributed: Redis.DistributedLimiter | undefined;

  constructor(
    private requestsPerMinute: number,
    private readonly timing: Timing,
  ) {
    this.permits = new Permits(requestsPerMinute, timing.windowMs);
  }

  setLimit(requestsPerMinute: number): void {
    this.requestsPerMinute = requestsPerMinute;
    this.requestSlots();
  }

  shareOverRedis(address: Redis.RedisAddress | undefined, name: string): void {
    if (JSON.stringify(address) === JSON.stringify(this.distributed?.address)) return;
    this.close();
    if (address !== undefined) {
      const { DistributedLimiter } = loadRedis();
      this.distributed = new DistributedLimiter(address, name, () => this.limit, this.timing, {
        shareChanged: () => {
          this.requestSlots();
        },
        onBroadcast: ({ pauseMs, limitPerMinute }) => {
          const isForgotten = pauseMs === 0 && limitPerMinute === undefined;
          if (isForgotten) this.ceiling = Infinity;
          else this.pause(pauseMs, limitPerMinute);
        },
      });
    }
    this.requestSlots();
  }

  close(): void {
    this.distributed?.close();
    this.distributed = undefined;
  }

  /**
   * Queues `send` and runs it once the limiter grants a permit.
   *
   * @param wasSent If it returns false, because no connection was established, the permit is refunded.
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
            this.queue.removeAll((one) => one === waiter);
            this.requestSlots();
          });
          this.queue.add(turn.run, waiter, turn.isRetry);
          this.rejectOverdue();
          this.requestSlots();
        }),
      turn.signal,
    );
  }

  /** Pauses the key after a 429, and paces it evenly for an hour; so do workers that share the limit. */
  throttle(ms: number, limitPerMinute: number | undefined): void {
    this.distributed?.broadcast({ pauseMs: ms, limitPerMinute });
    this.pause(ms, limitPerMinute);
  }

  get isIdle(): boolean {
    return this.queue.waiting === 0 && this.permits.isIdle && this.pauseMs <= 0;
  }

  private get isThrottled(): boolean {
    return performance.now() < this.throttledUntil;
  }

  private get limit(): number {
    return Math.min(this.requestsPerMinute, this.isThrottled ? this.ceiling : Infinity);
  }

  private get pauseMs(): number {
    return this.pausedUntil - performance.now();
  }

  private get pace(): Pace {
    const share = this.distributed?.share ?? 1;
    if (this.distributed !== undefined && share === 1) return 'unpaced';
    return this.isThrottled || share < 1 ? this.limit * share : 'burst';
  }

  private pause(ms: number, limitPerMinute: number | undefined): void {
    if (!this.isThrottled) this.ceiling = Infinity;
    this.ceiling = limitPerMinute ?? this.ceiling;
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    this.throttledUntil = performance.now() + THROTTLED_MS;
    this.rejectOverdue();
    this.requestSlots();
  }

  private requestSlots(): void {
    const isAwaited = this.queue.waiting > 0;
    this.permits.setLimit(this.limit);
    this.permits.setPace(isAwaited, this.pace);
    clearTimeout(this.resuming);
    if (!isAwaited) return;
    const { pauseMs } = this;
    if (pauseMs > 0) {
      // So that processes that wait for the same time do not all start together.
      const spreadMs = Math.random() * this.timing.spreadMs;
      this.resuming = setTimeout(
        () => {
          this.requestSlots();
        },
        Math.ceil(pauseMs + spreadMs),
      );
      return;
    }
    const isShared = this.pace === 'unpaced';
    const most = (isShared ? this.distributed?.pendingPermits : undefined) ?? this.permits.ahead;
    while (this.requestedSlots < Math.min(most, this.queue.ready)) {
      this.requestedSlots += 1;
      this.permits.ask(async () => await this.useSlot());
    }
  }

  private async useSlot(): Promise<boolean> {
    const turn = await this.distributed?.waitForTurn();
    this.requestedSlots -= 1;
    const next = turn === 'lost' ? undefined : this.takeNext();
    this.requestSlots();
    if (next === undefined) return false;
    const wasSent = await next.entry.send();
    this.queue.recordFinished(next.run);
    this.requestSlots();
    return wasSent;
  }

  private takeNext(): ReturnType<FairQueue<PendingSend>['next']> {
    for (;;) {
      const next = this.pauseMs > 0 ? undefined : this.queue.next();
      if (next === undefined) return undefined;
      const { turn, refuse } = next.entry;
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
      return next;
    }
  }

  private rejectOverdue(): void {
    const { pauseMs } = this;
    if (pauseMs <= 0) return;
    const overdue = this.queue.removeAll(({ turn }) => pauseMs > (turn.maxPauseMs ?? Infinity));
    for (const { refuse, turn } of overdue) {
      const pause = { waitMs: pauseMs, timeZone: turn.timeZone };
      refuse(createWaitError(pause, { code: 'operational_rate_limit_exceeded' }));
    }
  }
}
