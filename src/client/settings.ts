import type { RedisAddress } from './limiter/sharing';
import { truncateText } from './values';

/** Settings of one credential: the address of the service, the key, and the key's limit. */
export interface ClientSettings {
  /** `{base_url}` of the API spec, normalized by {@link normalizeBaseUrl}. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly requestsPerMinute: number;
  /** Redis through which all workers share the key's limit; without it, each worker has its own limit. */
  readonly redis?: RedisAddress | undefined;
}

/** Rate limit of an API key unless its credential has another (API spec: Limits, Rate limits). */
export const REQUESTS_PER_MINUTE = 600;

/** Maximum requests of one run in flight. It is lower than that of the key, so that other runs continue if these hang. */
export const RUN_CONCURRENT = 90;

/** Time after its last 429 for which a key is paced, and keeps a limit that the service stated. */
export const THROTTLED_MS = 60 * 60_000;

/**
 * Durations in milliseconds, in one object so that tests can compress time instead of sleeping, and
 * the time zone of messages.
 */
export interface Timing {
  /** Length of the service's per-minute window. */
  readonly windowMs: number;
  /** First delay of the exponential backoff, which doubles with each attempt. */
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** Period over which waiting requests are spread after a pause, so that they do not start together. */
  readonly spreadMs: number;
  /** Maximum duration of one request, from connecting to the last byte; in a stream, between two bytes. */
  readonly requestTimeoutMs: number;
  /** The same for a request that makes the service compute, or whose work is unknown; see `CallSpec.isSlow`. */
  readonly slowTimeoutMs: number;
  /** Maximum duration of a shared request, so that one lookup that hangs does not delay the others for long. */
  readonly briefTimeoutMs: number;
  /** Maximum total time that a request may wait because of 429 responses. */
  readonly maxRateLimitWaitMs: number;
  /** Maximum response time of Redis; after that, this worker continues without it. */
  readonly redisTimeoutMs: number;
  /** Delay before a worker tries Redis again after a failure. */
  readonly redisRetryMs: number;
  /** Time zone, besides UTC, in which messages say when a wait ends. If undefined, messages use only UTC. */
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

/*
 * Pattern of usable service addresses: http(s), or a host with a dot and no scheme; host, port, path,
 * and a query, which is dropped. It is stricter than the URL parser, which repairs tabs, backslashes and
 * dots, so that requests go exactly to the address that the user reads.
 */
const NAME = String.raw`[^\s\x00-\x1f/?#@:\\[\]%]+`;
const HOST = String.raw`(?:https?:\/\/(?:${NAME}|\[[\da-f:.]+\])|${NAME}\.${NAME})`;
/** Path without `.` and `..`, and without anything that a parser would drop at the end. */
const PATH = String.raw`(?:\/(?!(?:\.|%2e){1,2}(?:[/?#]|$))[^\s\x00-\x1f/?#\\]*)*`;
const IS_ADDRESS = new RegExp(String.raw`^(?=.{1,2000}$)${HOST}(?::\d*)?${PATH}(?:[?#].*)?$`, 'i');

/** Maximum number of characters shown of an unusable address. */
const MAX_SHOWN_LENGTH = 60;

/**
 * Normalizes a pasted base URL: adds `https://` if the scheme is missing, and removes spaces, a trailing
 * slash, `/v1` (which the paths contain) and the query.
 *
 * @throws {TypeError} if the text is not an http(s) URL, or contains a user name or password.
 */
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
