import type { Timing } from '../../settings';
import type { DayBudget } from '../day-budget';
import { answered } from './answered';
import { reasonOf } from './trouble';
import type { RedisAddress } from './redis-address';
import { RedisSession, turnsAhead, type News } from './redis-session';

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

/** Turns that are waited for in vain for so long, although none are given out, never come. */
const STALLED_MS = 15_000;

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
  private session: RedisSession | undefined;
  private opening: Promise<void> | undefined;
  private readonly waiters = new Set<(turn: SharedTurn) => void>();
  private heartbeat: NodeJS.Timeout | undefined;
  private settling: NodeJS.Timeout | undefined;
  private closed = false;
  private retryAt = 0;
  private workers = 1;
  /** When a turn was given, or began to be waited for, for the last time. */
  private lastProgress = 0;
  /** Why Redis cannot be used, or could not be until a moment ago. */
  private reason: string | undefined;

  /** @param name tells keys apart in Redis; holds nothing secret. */
  constructor(
    readonly address: RedisAddress,
    private readonly name: string,
    private limit: number,
    private readonly timing: Timing,
    private readonly day: DayBudget,
    private readonly events: SharedPaceEvents,
  ) {}

  /** The part of the limit that this worker may use by itself; 1 while Redis decides. */
  get share(): number {
    return this.reason === undefined ? 1 : 1 / Math.max(PARTS, this.workers);
  }

  /** Why this worker has only its share of the limit; undefined while all is well. */
  get trouble(): string | undefined {
    return this.reason;
  }

  /** More turns than these are better left to others. */
  get asksAtOnce(): number {
    return turnsAhead(this.gapMs);
  }

  /** Waits until it is this worker's turn among all. Never rejects. */
  async turn(): Promise<SharedTurn> {
    if (this.session === undefined && this.reason !== undefined) {
      if (performance.now() >= this.retryAt) void this.open();
      return 'alone';
    }
    if (this.session === undefined) await this.open();
    const { session } = this;
    if (session === undefined || this.closed) return 'lost';
    return await new Promise((resolve) => {
      if (this.waiters.size === 0) this.lastProgress = performance.now();
      const settle = (turn: SharedTurn): void => {
        this.waiters.delete(settle);
        this.lastProgress = performance.now();
        if (this.waiters.size === 0) this.heartbeat?.unref();
        resolve(turn);
      };
      this.waiters.add(settle);
      this.heartbeat?.ref();
      session.turn().then(
        () => {
          settle('given');
        },
        (error: unknown) => {
          this.lose(session, error);
        },
      );
    });
  }

  /** Takes over another limit, for all workers. */
  setLimit(limit: number): void {
    if (limit === this.limit) return;
    this.limit = limit;
    this.attempt(async (session) => {
      await session.setGap(this.gapMs);
    });
  }

  tell(news: News): void {
    this.attempt(async (session) => {
      await session.tell(news);
    });
  }

  close(): void {
    this.closed = true;
    this.endSession();
  }

  private get gapMs(): number {
    return Math.ceil((this.timing.windowMs / this.limit) * SLACK);
  }

  private attempt(work: (session: RedisSession) => Promise<void>): void {
    const { session } = this;
    if (session === undefined) return;
    answered(work(session), this.timing.redisAnswerMs).catch((error: unknown) => {
      this.lose(session, error);
    });
  }

  private async open(): Promise<void> {
    this.opening ??= this.tryToOpen().finally(() => (this.opening = undefined));
    await this.opening;
  }

  private async tryToOpen(): Promise<void> {
    const { gapMs } = this;
    try {
      const session = await RedisSession.open({
        address: this.address,
        name: this.name,
        gapMs,
        openMs: 2 * this.timing.redisAnswerMs,
        onNews: this.events.news,
      });
      if (this.closed) {
        session.close();
        return;
      }
      void session.lost.then((reason) => {
        this.lose(session, new Error(reason));
      });
      this.session = session;
      // The limit may have changed in the meantime.
      if (gapMs !== this.gapMs) await session.setGap(this.gapMs);
      await this.exchangeCounts(session);
      this.lastProgress = performance.now();
      this.beat(session);
      // Others may still go on alone until they have tried again.
      if (this.reason !== undefined) this.settle();
    } catch (error) {
      this.lose(this.session, error);
    }
  }

  private settle(): void {
    this.settling = setTimeout(() => {
      this.reason = undefined;
      this.events.shareChanged();
    }, 2 * this.timing.redisRetryMs).unref();
  }

  /** Looks after a session for as long as it lives. */
  private beat(session: RedisSession): void {
    this.heartbeat = setTimeout(() => {
      void this.check(session);
    }, this.timing.redisAnswerMs);
    if (this.waiters.size === 0) this.heartbeat.unref();
  }

  private async check(session: RedisSession): Promise<void> {
    if (session !== this.session) return;
    const waiting = this.waiters.size > 0;
    const quietMs = performance.now() - this.lastProgress;
    try {
      const givenOut = await answered(session.turnsGivenOut(), this.timing.redisAnswerMs);
      if (waiting && givenOut === 0 && quietMs > STALLED_MS) throw new Error('it gives no turns');
      if (waiting || this.day.hasNews) await this.exchangeCounts(session);
    } catch (error) {
      this.lose(session, error);
      return;
    }
    if (session !== this.session) return;
    if (this.waiters.size === 0 && quietMs > IDLE_MS) this.endSession();
    else this.beat(session);
  }

  /** Counts that do not arrive are known to this worker only. */
  private async exchangeCounts(session: RedisSession): Promise<void> {
    const answer = session.exchangeCounts(this.day.tell());
    const counts = await answered(answer, this.timing.redisAnswerMs);
    this.day.learn(counts.sent);
    this.workers = counts.workers;
  }

  /** Redis cannot be relied on: go on alone, and try again later. */
  private lose(session: RedisSession | undefined, error: unknown): void {
    if (session !== this.session || this.closed) return;
    this.reason = withoutPassword(error, this.address.password ?? '');
    this.retryAt = performance.now() + this.timing.redisRetryMs;
    this.endSession();
    this.events.shareChanged();
  }

  private endSession(): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.settling);
    this.session?.close();
    this.session = undefined;
    for (const settle of [...this.waiters]) settle('lost');
  }
}

function withoutPassword(error: unknown, password: string): string {
  const text = reasonOf(error);
  // A password that is part of common words would be given away by hiding it.
  return password.length < 4 ? text : text.replaceAll(password, '[password]');
}
