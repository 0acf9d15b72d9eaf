import type { RedisAddress } from './limiter/shared/redis-address';

/** What one credential says about the service: where it is, the key, and the pace the key allows. */
export interface ClientSettings {
  /** `{base_url}` of the interface, normalized by `normalizeBaseUrl`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
  /** Through this Redis all workers share the key's limit; without, each has its own. */
  readonly redis?: RedisAddress | undefined;
}

/** Rate limits per API key (interface: Limits, Rate limits). */
export const RATE_LIMITS = { requestsPerMinute: 600, requestsPerDay: 100_000 } as const;

/**
 * Durations in milliseconds. They are together so that tests can compress time instead of
 * sleeping.
 */
export interface Timing {
  /** Length of the service's per-minute window. */
  readonly windowMs: number;
  /** First delay of the exponential backoff; it doubles with each attempt. */
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** After a pause the waiting requests start spread over this long, not all at once. */
  readonly spreadMs: number;
  /** The longest one request may take, from connecting to the last byte. */
  readonly requestTimeoutMs: number;
  /** The longest a request may wait in all because the service said 429. */
  readonly maxRateLimitWaitMs: number;
  /** The longest that Redis may take to answer; after that this worker goes on without it. */
  readonly redisAnswerMs: number;
  /** So long after trouble with Redis it is tried again. */
  readonly redisRetryMs: number;
}

export const REAL_TIME: Timing = {
  windowMs: 60_000,
  backoffBaseMs: 500,
  backoffMaxMs: 20_000,
  spreadMs: 250,
  requestTimeoutMs: 60_000,
  maxRateLimitWaitMs: 10 * 60_000,
  redisAnswerMs: 1_000,
  redisRetryMs: 5_000,
};
