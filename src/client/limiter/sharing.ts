import type { Timing } from '../settings';

/** Address of a Redis server, as the Redis client needs it. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  readonly tls: boolean;
}

/** Message of one worker to all others about their key. */
export interface LimiterBroadcast {
  /** Milliseconds for which nothing may be sent, after a 429. */
  readonly pauseMs: number;
  /** Requests per minute that the service named. */
  readonly limitPerMinute: number | undefined;
}

export interface SharingEvents {
  /** Called when this worker's share of the limit has changed. */
  readonly shareChanged: () => void;
  /** Called for a pause, and for each turn with a limit that the service stated, and once when it expires. */
  readonly onBroadcast: (broadcast: LimiterBroadcast) => void;
}

/**
 * Result of requesting a turn among all workers: this worker can send (`given`); Redis cannot be used now,
 * so this worker decides alone, within its share (`alone`); or the connection was lost while waiting, so a
 * turn has to be requested again (`lost`).
 */
export type DistributedTurn = 'given' | 'alone' | 'lost';

/** One key's limit, shared by all workers. */
export interface SharedLimit {
  readonly address: RedisAddress;
  /** Fraction of the limit that this worker may use alone; 1 while Redis decides. */
  readonly share: number;
  /** Warning that this worker has only its share of the limit; undefined while Redis works. */
  readonly warning: string | undefined;
  /** Maximum number of turns to request at the same time, to leave turns to other workers. */
  readonly pendingPermits: number;
  /** Waits for this worker's turn among all workers. Never rejects. */
  waitForTurn(): Promise<DistributedTurn>;
  /** Sends a message to all other workers if Redis can be used. */
  broadcast(broadcast: LimiterBroadcast): void;
  close(): void;
}

/** What the folder `redis` exports. */
interface RedisSharing {
  readonly parseRedisUrl: (text: string) => RedisAddress | undefined;
  /** Returns why a Redis cannot be used; undefined if it can. */
  readonly findRedisFault: (
    address: RedisAddress,
    timeoutMs: number,
  ) => Promise<string | undefined>;
  readonly DistributedLimiter: new (
    address: RedisAddress,
    /** Distinguishes keys in Redis; contains nothing secret. */
    name: string,
    /** Returns the maximum requests in a window. */
    limit: () => number,
    timing: Timing,
    events: SharingEvents,
  ) => SharedLimit;
}

/** Loads the folder `redis`, which only credentials with a Redis URL need and nothing else names. */
export const loadRedis = () => require('./redis') as RedisSharing;
