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
