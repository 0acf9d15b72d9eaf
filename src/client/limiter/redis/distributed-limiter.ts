import { setMaxListeners } from 'node:events';

import { sleep } from '../../../concurrency';
import type { Timing } from '../../settings';
import type { RedisAddress } from './redis-address';
import { describeRedisFault } from './redis-faults';
import { RedisScheduler, type LimiterBroadcast } from './redis-scheduler';

/** Without Redis, a worker uses this part of the limit, or less if more workers were seen. */
const MIN_SHARES = 4;

/** So that delayed requests do not add up to more than the limit. */
const GAP_FACTOR = 1.02;

/** So that no turn is lost while a worker is busy. The reserved turns of a worker that dies are lost. */
const RESERVE_AHEAD_MS = 700;

const IDLE_MS = 60_000;

interface SharingEvents {
  /** This worker's share of the limit has changed. */
  readonly shareChanged: () => void;
  /** For a pause, each turn with a limit that the service stated, and once when it expires. */
  readonly onBroadcast: (broadcast: LimiterBroadcast) => void;
}

/**
 * A worker whose turn is `given` sends; `alone`, it decides within its share, because Redis cannot be used;
 * `lost`, it requests a turn again.
 */
type DistributedTurn = 'given' | 'alone' | 'lost';

/**
 * Spaces turns evenly over all workers. If Redis fails, a request waits for it only briefly. Then this worker
 * continues with a safe share of the limit, tries Redis again every few seconds, and uses the full limit again
 * once all other workers have had time to reconnect.
 */
export class DistributedLimiter {
  private redis: RedisScheduler | undefined;
  private opening: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private idle: NodeJS.Timeout | undefined;
  private settling: NodeJS.Timeout | undefined;
  private retryAt = 0;
  private workers = 1;
  private lastBroadcastLimit: number | undefined;
  /** Why Redis cannot be used, or could not be used until a moment ago; undefined otherwise. */
  private reason: string | undefined;

  /**
   * @param name Distinguishes keys in Redis; contains nothing secret.
   * @param limit Returns the requests in a window.
   */
  constructor(
    readonly address: RedisAddress,
    private readonly name: string,
    private readonly limit: () => number,
    private readonly timing: Timing,
    private readonly events: SharingEvents,
  ) {
    setMaxListeners(0, this.closing.signal);
  }

  /** Fraction of the limit that this worker may use alone; 1 while Redis decides. */
  get share(): number {
    return this.reason === undefined ? 1 : 1 / Math.max(MIN_SHARES, this.workers);
  }

  /** Says that this worker has only its share; undefined while Redis works. */
  get warning(): string | undefined {
    if (this.reason === undefined) return undefined;
    const perMinute = Math.max(1, Math.floor(this.limit() * this.share));
    return `Can't use the credential's Redis (${this.reason}). Requests continue, but each worker is limited to ${String(perMinute)} per minute until Redis is back.`;
  }

  /** Turns to request at the same time, to leave turns to other workers. */
  get pendingPermits(): number {
    return Math.max(2, Math.ceil(RESERVE_AHEAD_MS / this.gapMs / this.workers));
  }

  /** Never rejects. */
  async waitForTurn(): Promise<DistributedTurn> {
    const isAlone = this.redis === undefined && this.reason !== undefined;
    await this.ensureConnection();
    if (isAlone) return 'alone';
    const { redis } = this;
    if (redis === undefined) return 'lost';
    try {
      const turn = await redis.reserveNext(this.gapMs, this.reserveAheadMs);
      const { waitMs, workers, ...broadcast } = turn;
      this.workers = workers;
      this.idle?.refresh();
      this.onBroadcast(broadcast);
      await sleep(waitMs, this.closing.signal);
      return 'given';
    } catch (error) {
      this.disconnectAfterFault(redis, error);
      return 'lost';
    }
  }

  broadcast(broadcast: LimiterBroadcast): void {
    const { redis } = this;
    redis?.broadcast(broadcast).catch((error: unknown) => {
      this.disconnectAfterFault(redis, error);
    });
  }

  close(): void {
    this.closing.abort();
    this.disconnect();
  }

  private get gapMs(): number {
    return Math.ceil((this.timing.windowMs / this.limit()) * GAP_FACTOR);
  }

  private get reserveAheadMs(): number {
    return this.workers * this.pendingPermits * this.gapMs;
  }

  private onBroadcast(broadcast: LimiterBroadcast): void {
    const { pauseMs, limitPerMinute } = broadcast;
    const isNews = pauseMs > 0 || (limitPerMinute ?? this.lastBroadcastLimit) !== undefined;
    this.lastBroadcastLimit = limitPerMinute;
    if (isNews) this.events.onBroadcast(broadcast);
  }

  /** After trouble in the background, and not before it is time to try again. */
  private async ensureConnection(): Promise<void> {
    if (this.redis !== undefined) return;
    if (this.reason === undefined) await this.open();
    else if (performance.now() >= this.retryAt) void this.open();
  }

  private async open(): Promise<void> {
    this.opening ??= this.tryToOpen().finally(() => (this.opening = undefined));
    await this.opening;
  }

  private async tryToOpen(): Promise<void> {
    let redis: RedisScheduler;
    try {
      redis = await RedisScheduler.open(this.address, this.name, this.timing.redisTimeoutMs);
    } catch (error) {
      this.disconnectAfterFault(undefined, error);
      return;
    }
    if (this.closing.signal.aborted) redis.close();
    else this.useConnection(redis);
  }

  private useConnection(redis: RedisScheduler): void {
    this.redis = redis;
    void redis.lost.then((error) => {
      this.disconnectAfterFault(redis, error);
    });
    this.idle = setTimeout(() => {
      this.disconnect();
    }, IDLE_MS).unref();
    if (this.reason === undefined) return;
    // Other workers may still continue alone until they have tried Redis again.
    this.settling = setTimeout(() => {
      this.reason = undefined;
      this.events.shareChanged();
    }, 2 * this.timing.redisRetryMs).unref();
  }

  private disconnectAfterFault(redis: RedisScheduler | undefined, error: unknown): void {
    if (redis !== this.redis || this.closing.signal.aborted) return;
    this.reason = describeRedisFault(error, this.address);
    this.retryAt = performance.now() + this.timing.redisRetryMs;
    this.disconnect();
    this.events.shareChanged();
  }

  private disconnect(): void {
    clearTimeout(this.idle);
    clearTimeout(this.settling);
    this.redis?.close();
    this.redis = undefined;
  }
}
