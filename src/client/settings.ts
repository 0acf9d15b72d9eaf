import { cut } from './values';

/** Credits that a key may spend in a UTC day and month; 0 or left out for no limit. */
export interface CreditCaps {
  readonly maxCreditsPerDay?: number;
  readonly maxCreditsPerMonth?: number;
}

/** What one credential says about the service: where it is, the key, and the pace the key allows. */
export interface ClientSettings extends CreditCaps {
  /** `{base_url}` of the interface, normalized by {@link normalizeBaseUrl}. */
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
  /** The same where others must not wait long for what may hang over one of them. */
  readonly briefTimeoutMs: number;
  /** The longest a request may wait in all because the service said 429. */
  readonly maxRateLimitWaitMs: number;
  /** The longest that Redis may take to answer; after that this worker goes on without it. */
  readonly redisAnswerMs: number;
  /** So often a worker tells the others through Redis what it has sent. */
  readonly redisHeartbeatMs: number;
  /** So long after trouble with Redis it is tried again. */
  readonly redisRetryMs: number;
}

export const REAL_TIME: Timing = {
  windowMs: 60_000,
  backoffBaseMs: 500,
  backoffMaxMs: 20_000,
  spreadMs: 250,
  requestTimeoutMs: 60_000,
  briefTimeoutMs: 10_000,
  maxRateLimitWaitMs: 10 * 60_000,
  redisAnswerMs: 1_000,
  redisHeartbeatMs: 10_000,
  redisRetryMs: 5_000,
};

/*
 * Which addresses of the service can be used: http(s), or a host with a dot and no scheme; host, port,
 * path, and a query that is dropped. Stricter than URLs are, whose parser mends tabs, backslashes and
 * dots, so that what is sent goes where one reads that it goes.
 */
const NAME = String.raw`[^\s\x00-\x1f/?#@:\\[\]%]+`;
const HOST = String.raw`(?:https?:\/\/(?:${NAME}|\[[\da-f:.]+\])|${NAME}\.${NAME})`;
/** Without `.` and `..`, and without what a parser would cut off at the end. */
const PATH = String.raw`(?:\/(?!(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\x00-\x1f/?#\\]*)*`;
const IS_ADDRESS = new RegExp(String.raw`^(?=.{1,2000}$)${HOST}(?::\d*)?${PATH}(?:[?#].*)?$`, 'i');

/** What of an address that cannot be used is shown. */
const SHOWN = 60;

/**
 * Brings a base URL as people paste it into the form the client needs: `https://` where there is no
 * scheme, no spaces, no trailing slash, no `/v1` (paths carry it), no query.
 *
 * @throws {TypeError} when the text is no http(s) URL, or holds a user name or password.
 */
export function normalizeBaseUrl(text: string): string {
  const pasted = text.trim();
  const isAddress = IS_ADDRESS.test(pasted);
  const url = urlOf(isAddress && !/^https?:\/\//i.test(pasted) ? `https://${pasted}` : pasted);
  if (url !== undefined && url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(
      `The Base URL must start with https:// (or http://), not ${url.protocol.slice(0, SHOWN)}//`,
    );
  }
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new TypeError('The Base URL must not hold a user name or password');
  }
  if (url === undefined || !isAddress) {
    const safe = pasted.slice(0, 2 * SHOWN).replace(/[^/]*@/, '…@');
    throw new TypeError(
      `The Base URL "${cut(safe, SHOWN)}" is not a URL. It looks like https://api.example.com`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

// --- Where a Redis is ----------------------------------------------------------------------------

/** Where a Redis is, as its client needs it. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  readonly tls: boolean;
}

const DEFAULT_PORT = 6379;
const EXAMPLE = 'redis://:password@redis:6379';

/**
 * Reads a Redis URL: `redis://user:password@host:port/database`, or `rediss://` for TLS.
 *
 * @returns undefined for an empty text.
 * @throws {TypeError} when it is something else; the text is not repeated, as it may hold a password.
 */
export function readRedisUrl(text: string): RedisAddress | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    throw new TypeError(
      `The Redis URL is not a URL. It looks like ${EXAMPLE}; special characters of the password have to be percent-encoded`,
    );
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw new TypeError(
      `The Redis URL must start with redis:// (or rediss:// for TLS): ${EXAMPLE}`,
    );
  }
  if (url.hostname === '') throw new TypeError(`The Redis URL names no host: ${EXAMPLE}`);
  const db = /^\/?(\d*)\/?$/.exec(url.pathname)?.[1];
  if (db === undefined) {
    throw new TypeError(`The Redis URL may only end with the number of a database: ${EXAMPLE}/0`);
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    username: decoded(url.username),
    password: decoded(url.password),
    db: Number(db),
    tls: url.protocol === 'rediss:',
  };
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(
      'The Redis URL has a % that encodes nothing. In the password, write %25 in place of %',
    );
  }
}
