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
 * Parses `redis://user:password@host:port/database`, or `rediss://` for TLS.
 *
 * @throws {TypeError} without the text, because it may contain a password.
 */
export function parseRedisUrl(text: string): RedisAddress | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    throw new TypeError(
      `The Redis URL is not a valid URL. Use the form ${EXAMPLE}, and percent-encode special characters in the password`,
    );
  }
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') {
    throw new TypeError(
      `The Redis URL must start with redis:// (or rediss:// for TLS), for example ${EXAMPLE}`,
    );
  }
  if (url.hostname === '')
    throw new TypeError(`The Redis URL has no host. Use the form ${EXAMPLE}`);
  if (url.search !== '' || url.hash !== '') {
    throw new TypeError(
      `The Redis URL must not contain ? or #. Write the number of a database as ${EXAMPLE}/3, and percent-encode special characters in the password`,
    );
  }
  const db = /^\/?(\d*)\/?$/.exec(url.pathname)?.[1];
  if (db === undefined) {
    throw new TypeError(
      `After the host, the Redis URL may contain only a database number, for example ${EXAMPLE}/0`,
    );
  }
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    username: decodeOrUndefined(url.username),
    password: decodeOrUndefined(url.password),
    db: Number(db),
    tls: url.protocol === 'rediss:',
  };
}

function decodeOrUndefined(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError(
      'The Redis URL has a % that is not a valid percent-encoding. In the password, write %25 instead of %',
    );
  }
}
