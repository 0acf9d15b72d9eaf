import type { Timing } from '../settings';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  readonly tls: boolean;
}

/** Message of one worker to the others. */
export interface LimiterBroadcast {
  /** Nothing may be sent for so long, after a 429. */
  readonly pauseMs: number;
  readonly limitPerMinute: number | undefined;
}

export interface SharingEvents {
  /** This worker's share of the limit has changed. */
  readonly shareChanged: () => void;
  /** For a pause, each turn with a limit that the service stated, and once when it expires. */
  readonly onBroadcast: (broadcast: LimiterBroadcast) => void;
}

/**
 * A worker whose turn is `given` sends; `alone`, it decides within its share, because Redis cannot be used;
 * `lost`, it requests a turn again.
 */
export type DistributedTurn = 'given' | 'alone' | 'lost';

/** One key's limit among all workers. */
export interface SharedLimit {
  readonly address: RedisAddress;
  /** Fraction of the limit that this worker may use alone; 1 while Redis decides. */
  readonly share: number;
  /** That this worker has only its share; undefined while Redis works. */
  readonly warning: string | undefined;
  /** Turns to request at the same time, to leave turns to other workers. */
  readonly pendingPermits: number;
  /** Never rejects. */
  waitForTurn(): Promise<DistributedTurn>;
  broadcast(broadcast: LimiterBroadcast): void;
  close(): void;
}

interface RedisSharing {
  readonly parseRedisUrl: (text: string) => RedisAddress | undefined;
  /** Says why a Redis cannot be used; undefined if it can. */
  readonly findRedisFault: (
    address: RedisAddress,
    timeoutMs: number,
  ) => Promise<string | undefined>;
  readonly DistributedLimiter: new (
    address: RedisAddress,
    /** Distinguishes keys in Redis; contains nothing secret. */
    name: string,
    /** Requests in a window. */
    limit: () => number,
    timing: Timing,
    events: SharingEvents,
  ) => SharedLimit;
}

/** Only credentials with a Redis URL need the folder `redis`, and nothing else names it. */
export const loadRedis = () => require('./redis') as RedisSharing;
