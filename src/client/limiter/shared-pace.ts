import { setMaxListeners } from 'node:events';

import { sleep } from '../sleep';
import type { RedisAddress, Timing } from '../settings';
import type { CreditBudget } from './credit-budget';
import type { DayBudget } from './day-budget';
import { RedisTurns, troubleWith, type News } from './redis-turns';

/** What came of asking for a turn among all workers. */
export type SharedTurn =
  /** It is this worker's. */
  | 'given'
  /** Redis cannot be used now: this worker decides alone, within its share. */
  | 'alone'
  /** Redis was lost while waiting: ask again. */
  | 'lost';

export interface SharedPaceEvents {
  /** The share of the limit that this worker may use has changed. */
  readonly shareChanged: () => void;
  readonly news: (news: News) => void;
}

/** Without Redis each worker keeps to such a part of the limit, if no more workers were seen. */
const PARTS = 4;

/** More than the exact share, so that late requests do not pile up to more than the limit. */
const SLACK = 1.02;

/**
 * All workers together reserve turns so far ahead, so that none is lost while one of them is busy. A
 * worker that dies takes those it has reserved with it.
 */
const AHEAD_MS = 700;

/** A connection that nobody has needed for so long is closed. */
const IDLE_MS = 60_000;

/**
 * Shares one key's pace between all workers through Redis: turns are spaced evenly over all of them.
 *
 * Whatever happens to Redis, a request waits for it no longer than a moment. From then on this worker
 * goes on alone with a safe part of the limit, tries Redis again every few seconds, and takes up the
 * whole again when all others had time to come back too.
 */
export class SharedPace {
  private redis: RedisTurns | undefined;
  private opening: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private heartbeat: NodeJS.Timeout | undefined;
  private settling: NodeJS.Timeout | undefined;
  private retryAt = 0;
  private lastAskedAt = 0;
  private workers = 1;
  /** The last that was told of a limit. */
  private toldLimit: number | undefined;
  /** Why Redis cannot be used, or could not be until a moment ago. */
  private reason: string | undefined;

  /**
   * @param name tells keys apart in Redis; holds nothing secret.
   * @param limit requests in a window.
   */
  constructor(
    readonly address: RedisAddress,
    private readonly name: string,
    private readonly limit: () => number,
    private readonly timing: Timing,
    private readonly day: DayBudget,
    private readonly credits: CreditBudget,
    private readonly events: SharedPaceEvents,
  ) {
    setMaxListeners(0, this.closing.signal);
  }

  /** The part of the limit that this worker may use by itself; 1 while Redis decides. */
  get share(): number {
    return this.reason === undefined ? 1 : 1 / Math.max(PARTS, this.workers);
  }

  /** Why this worker has only its share of the limit; undefined while all is well. */
  get warning(): string | undefined {
    if (this.reason === undefined) return undefined;
    const perMinute = Math.max(1, Math.floor(this.limit() * this.share));
    return `The Redis of the credential cannot be used (${this.reason}). Requests go on, but each worker keeps to ${String(perMinute)} per minute by itself until Redis is back.`;
  }

  /** More turns than these are better left to others. */
  get asksAtOnce(): number {
    return Math.max(2, Math.ceil(AHEAD_MS / this.gapMs / this.workers));
  }

  /** Waits until it is this worker's turn among all. Never rejects. */
  async turn(): Promise<SharedTurn> {
    const isAlone = this.redis === undefined && this.reason !== undefined;
    await this.seek();
    if (isAlone) return 'alone';
    const { redis } = this;
    if (redis === undefined) return 'lost';
    try {
      const { waitMs, ...news } = await redis.next(this.gapMs, this.reservedMs);
      this.hear(news);
      await sleep(waitMs, this.closing.signal);
      return 'given';
    } catch (error) {
      this.lose(redis, error);
      return 'lost';
    }
  }

  /**
   * Has Redis do something, unless this worker decides alone. Never rejects.
   *
   * @returns undefined when Redis did not do it, or nobody knows.
   */
  async ask<T>(what: (redis: RedisTurns) => Promise<T>): Promise<T | undefined> {
    await this.seek();
    const { redis } = this;
    if (redis === undefined || this.reason !== undefined) return undefined;
    try {
      return await what(redis);
    } catch (error) {
      this.lose(redis, error);
      return undefined;
    }
  }

  /** Tells all other workers, as far as Redis can be used. */
  tell(news: News): void {
    const { redis } = this;
    redis?.tell(news).catch((error: unknown) => {
      this.lose(redis, error);
    });
  }

  close(): void {
    this.closing.abort();
    this.disconnect();
  }

  private get gapMs(): number {
    return Math.ceil((this.timing.windowMs / this.limit()) * SLACK);
  }

  /** How far ahead all workers together reserve turns. */
  private get reservedMs(): number {
    return this.workers * this.asksAtOnce * this.gapMs;
  }

  private hear(news: News): void {
    const { pauseMs, limitPerMinute } = news;
    if (pauseMs === 0 && limitPerMinute === this.toldLimit) return;
    this.toldLimit = limitPerMinute;
    this.events.news(news);
  }

  /** Opens the connection; after trouble in the background, and not before it is time to try again. */
  private async seek(): Promise<void> {
    this.lastAskedAt = performance.now();
    if (this.redis !== undefined) return;
    if (this.reason === undefined) await this.open();
    else if (this.lastAskedAt >= this.retryAt) void this.open();
  }

  private async open(): Promise<void> {
    this.opening ??= this.tryToOpen().finally(() => (this.opening = undefined));
    await this.opening;
  }

  private async tryToOpen(): Promise<void> {
    let redis: RedisTurns | undefined;
    try {
      redis = await RedisTurns.open(this.address, this.name, this.timing.redisAnswerMs);
      await this.exchangeCounts(redis);
    } catch (error) {
      redis?.close();
      this.lose(undefined, error);
      return;
    }
    if (this.closing.signal.aborted) redis.close();
    else this.use(redis);
  }

  private use(redis: RedisTurns): void {
    this.redis = redis;
    void redis.lost.then((error) => {
      this.lose(redis, error);
    });
    this.scheduleHeartbeat(redis);
    if (this.reason === undefined) return;
    // Others may still go on alone until they have tried again.
    this.settling = setTimeout(() => {
      this.reason = undefined;
      this.events.shareChanged();
    }, 2 * this.timing.redisRetryMs).unref();
  }

  /** The next heartbeat is scheduled when the last has ended, so that there are never two at once. */
  private scheduleHeartbeat(redis: RedisTurns): void {
    this.heartbeat = setTimeout(
      () => void this.lookAfter(redis),
      this.timing.redisHeartbeatMs,
    ).unref();
  }

  private async lookAfter(redis: RedisTurns): Promise<void> {
    try {
      await this.exchangeCounts(redis);
    } catch (error) {
      this.lose(redis, error);
      return;
    }
    if (redis !== this.redis) return;
    if (performance.now() - this.lastAskedAt > IDLE_MS) this.disconnect();
    else this.scheduleHeartbeat(redis);
  }

  /** Counts that do not arrive are known to this worker only. */
  private async exchangeCounts(redis: RedisTurns): Promise<void> {
    const { sent, workers } = await redis.count(this.day.tell());
    this.day.learn(sent);
    this.workers = workers;
    if (!this.credits.forgettable) await this.credits.exchange(redis);
  }

  /** Redis cannot be relied on: go on alone, and try again later. */
  private lose(redis: RedisTurns | undefined, error: unknown): void {
    if (redis !== this.redis || this.closing.signal.aborted) return;
    this.reason = troubleWith(error, this.address);
    this.retryAt = performance.now() + this.timing.redisRetryMs;
    this.disconnect();
    this.events.shareChanged();
  }

  private disconnect(): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.settling);
    this.redis?.close();
    this.redis = undefined;
  }
}
