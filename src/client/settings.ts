import type { RedisAddress } from './limiter/redis/redis-address';
import { truncateText } from '../values/text';

export interface ClientSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requestsPerMinute: number;
  readonly redis?: RedisAddress | undefined;
  readonly throttledWarning?: string | undefined;
}

/** Rate limit of an API key unless its credential has another (API spec: Limits, Rate limits). */
export const REQUESTS_PER_MINUTE = 600;

/** Lower than that of the key, so that other runs continue if these requests hang. */
export const RUN_CONCURRENT = 90;

/** Time after its last 429 for which a key is paced, and keeps a limit that the service stated. */
export const THROTTLED_MS = 60 * 60_000;

/** In one object, so that tests can compress time instead of sleeping. */
export interface Timing {
  readonly windowMs: number;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** Waiting requests are spread after a pause, so that they do not start together. */
  readonly spreadMs: number;
  /** From connecting to the last byte. */
  readonly requestTimeoutMs: number;
  readonly slowTimeoutMs: number;
  /** For a shared request, so that one lookup that hangs does not delay the others for long. */
  readonly briefTimeoutMs: number;
  readonly maxRateLimitWaitMs: number;
  readonly redisTimeoutMs: number;
  readonly redisRetryMs: number;
  readonly timeZone?: string;
}

export const REAL_TIME: Timing = {
  windowMs: 60_000,
  backoffBaseMs: 500,
  backoffMaxMs: 20_000,
  spreadMs: 250,
  requestTimeoutMs: 60_000,
  slowTimeoutMs: 5 * 60_000,
  briefTimeoutMs: 10_000,
  maxRateLimitWaitMs: 10 * 60_000,
  redisTimeoutMs: 1_000,
  redisRetryMs: 5_000,
};

/**
 * Stricter than the URL parser, which repairs tabs, backslashes and dots, so that requests go exactly to
 * the address that the user reads. A query is dropped.
 */
const NAME = String.raw`[^\s\x00-\x1f/?#@:\\[\]%]+`;
const HOST = String.raw`(?:https?:\/\/(?:${NAME}|\[[\da-f:.]+\])|${NAME}\.${NAME})`;
/** Path without `.` and `..`, and without anything that a parser would drop at the end. */
const PATH = String.raw`(?:\/(?!(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\x00-\x1f/?#\\]*)*`;
const IS_ADDRESS = new RegExp(String.raw`^(?=.{1,2000}$)${HOST}(?::\d*)?${PATH}(?:[?#].*)?$`, 'i');

const MAX_SHOWN_LENGTH = 60;

/** Adds `https://` if the scheme is missing, and removes spaces, a trailing slash, `/v1` and the query. */
export function normalizeBaseUrl(text: string): string {
  const pasted = text.trim();
  const isAddress = IS_ADDRESS.test(pasted);
  const url = parseUrl(isAddress && !/^https?:\/\//i.test(pasted) ? `https://${pasted}` : pasted);
  if (url !== undefined && url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new TypeError(
      `The Base URL must start with https:// (or http://), not ${url.protocol.slice(0, MAX_SHOWN_LENGTH)}//`,
    );
  }
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new TypeError('The Base URL must not contain a user name or password');
  }
  if (url === undefined || !isAddress) {
    const safe = pasted.slice(0, 2 * MAX_SHOWN_LENGTH).replace(/[^/]*@/, '…@');
    throw new TypeError(
      `The Base URL "${truncateText(safe, MAX_SHOWN_LENGTH)}" is not a valid URL. Use the form https://api.example.com`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  return `${url.origin}${path}`;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
