import { randomUUID } from 'node:crypto';

import Bottleneck from 'bottleneck';

import { isRecord } from '../../values';
import { steadyNow } from '../steady-clock';
import { answered } from './answered';
import { reasonOf } from './trouble';
import type { RedisAddress } from './redis-address';
import { RedisLink } from './redis-link';

/** What one worker tells all others about their key. */
export interface News {
  /** The service said 429: send nothing for so long. */
  readonly pauseMs: number;
  /** Requests per minute that the service named. */
  readonly limitPerMinute: number | undefined;
}

/** Requests by minute since the epoch, as {@link steadyNow} counts. */
export type Minutes = ReadonlyMap<number, number>;

interface SessionOptions {
  readonly address: RedisAddress;
  /** Tells keys apart; holds nothing secret. */
  readonly name: string;
  /** Milliseconds between two turns of all workers together. */
  readonly gapMs: number;
  /** The longest that each step of opening may take. */
  readonly openMs: number;
  /** Told by any worker, this one included. */
  readonly onNews: (news: News) => void;
}

/** Whatever a limiter keeps in Redis goes away after so long without a request. */
const KEPT_MS = 10 * 60_000;
const COUNTS_KEPT_MS = 25 * 60 * 60_000;
const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 24 * 60;

/** Names this process to the others. */
const WORKER = randomUUID();

/** Workers that have not been heard of for so long are no longer counted. */
const WORKER_FORGOTTEN_MS = 5 * 60_000;

/**
 * Turns are given out so far ahead, so that none is lost while Redis answers. A worker that dies
 * takes those it was given with it.
 */
const AHEAD_MS = 700;

/** Turns that all workers together may hold without having used them. */
export function turnsAhead(gapMs: number): number {
  return Math.max(2, Math.ceil(AHEAD_MS / gapMs));
}

/** Bottleneck's clustered limiter of one key in Redis. Ends with the first trouble. */
export class RedisSession {
  /** Says why, when Redis can no longer be relied on. */
  readonly lost: Promise<string>;

  private constructor(
    private readonly link: RedisLink,
    private readonly bottleneck: Bottleneck,
    private readonly name: string,
    private gapMs: number,
  ) {
    const failed = new Promise<string>((resolve) => {
      bottleneck.on('error', (error: unknown) => {
        resolve(reasonOf(error));
      });
    });
    this.lost = Promise.race([link.lost, failed]);
  }

  /** @throws when Redis cannot be reached, refuses the password, or does not answer in time. */
  static async open(options: SessionOptions): Promise<RedisSession> {
    const { address, name, gapMs, openMs, onNews } = options;
    const link = await RedisLink.open(address, openMs);
    const bottleneck = new Bottleneck({
      ...settingsFor(gapMs),
      connection: link.connection,
      id: `company-intelligence:${name}`,
      timeout: KEPT_MS,
    });
    const session = new RedisSession(link, bottleneck, name, gapMs);
    bottleneck.on('message', (text: unknown) => {
      const news = readNews(text);
      if (news !== undefined) onNews(news);
    });
    try {
      await answered(bottleneck.ready(), openMs);
      // Another worker may have begun with other limits.
      await answered(session.setGap(gapMs), openMs);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /** Settles when it is this worker's turn among all. */
  async turn(): Promise<void> {
    // A job is over as soon as it starts, so a worker that dies holds nothing but turns ahead.
    const expiration = turnsAhead(this.gapMs) * this.gapMs + 5_000;
    await this.bottleneck.schedule({ expiration }, async () => {
      await Promise.resolve();
    });
  }

  async setGap(gapMs: number): Promise<void> {
    this.gapMs = gapMs;
    await Promise.resolve(this.bottleneck.updateSettings(settingsFor(gapMs)));
  }

  /**
   * Asks how many turns are given out and not used yet. Asking also mends what Redis has forgotten.
   */
  async turnsGivenOut(): Promise<number> {
    return await this.bottleneck.running();
  }

  async tell(news: News): Promise<void> {
    await this.bottleneck.publish(JSON.stringify(news));
  }

  /**
   * Tells what this worker has sent, and learns what all have.
   *
   * @returns requests of the last day by minute, and the number of workers.
   */
  async exchangeCounts(
    sent: Minutes,
  ): Promise<{ readonly sent: Minutes; readonly workers: number }> {
    const counts = `company-intelligence:${this.name}:sent`;
    const seen = `company-intelligence:${this.name}:workers`;
    const now = this.link.now();
    // In Redis, minutes are those of its own clock.
    const ahead = Math.round((now - steadyNow()) / MINUTE_MS);
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES_PER_DAY;
    const told = [...sent].map(([minute, count]) =>
      this.link.client.hincrby(counts, String(minute + ahead), count),
    );
    const [all, workers] = await Promise.all([
      this.link.client.hgetall(counts),
      this.countWorkers(seen, now),
      this.link.client.pexpire(counts, COUNTS_KEPT_MS),
      ...told,
    ]);
    const minutes = Object.entries(all).map(
      ([minute, count]) => [Number(minute), Number(count)] as const,
    );
    const outdated = minutes
      .filter(([minute]) => minute < oldest)
      .map(([minute]) => String(minute));
    if (outdated.length > 0) await this.link.client.hdel(counts, ...outdated);
    return {
      sent: new Map(minutes.map(([minute, count]) => [minute - ahead, count])),
      workers,
    };
  }

  /** Ends the connection; whatever waits for a turn waits in vain. */
  close(): void {
    this.link.close();
  }

  private async countWorkers(seen: string, now: number): Promise<number> {
    const [, , , workers] = await Promise.all([
      this.link.client.zadd(seen, now, WORKER),
      this.link.client.zremrangebyscore(seen, '-inf', now - WORKER_FORGOTTEN_MS),
      this.link.client.pexpire(seen, WORKER_FORGOTTEN_MS),
      this.link.client.zcard(seen),
    ]);
    return workers;
  }
}

/** Bottleneck reckons in whole milliseconds in Redis; other numbers are errors there. */
function settingsFor(gapMs: number): { minTime: number; maxConcurrent: number } {
  return { minTime: gapMs, maxConcurrent: turnsAhead(gapMs) };
}

function readNews(text: unknown): News | undefined {
  let news: unknown;
  try {
    news = JSON.parse(String(text));
  } catch {
    return undefined;
  }
  if (!isRecord(news)) return undefined;
  const { pauseMs, limitPerMinute } = news;
  if (typeof pauseMs !== 'number') return undefined;
  return {
    pauseMs,
    limitPerMinute: typeof limitPerMinute === 'number' ? limitPerMinute : undefined,
  };
}
