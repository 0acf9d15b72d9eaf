import { findCertificateFault } from '../../exchange/faults';
import { isJsonObject } from '../../../values/json';
import type { RedisAddress } from './redis-address';

const FAULTS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^NOAUTH/, 'it requires a password: use the form redis://:password@host:port'],
  [/^WRONGPASS|^ERR invalid password/, 'it rejects the user name or password'],
  [
    /NOPERM/,
    'its user may not run the commands that share the limit, or use keys that begin with company-intelligence:',
  ],
  [/READONLY/, 'it is a replica, which cannot be written to: enter the address of its primary'],
  [/\bOOM\b/, 'its memory is full'],
  [/^CLUSTERDOWN|^MOVED/, 'it is part of a Redis Cluster, which is not supported: use one Redis'],
  [
    /^ERR unknown command .(?:time|select)/i,
    'it is a Sentinel, which is not supported: enter the address of the Redis that it watches',
  ],
  [
    /^Protocol error|^Unknown RESP type/,
    'another server than Redis responds there: check host and port',
  ],
  [/^ERR DB index/, 'it has no database with this number'],
  [/^getaddrinfo/, 'its host name could not be resolved'],
  [/ECONNREFUSED/, 'it refused the connection: check host and port, and that Redis runs there'],
];

/** A client uses TLS with a server that does not, or vice versa. */
const ANOTHER_PROTOCOL = /no response within|ETIMEDOUT|ECONNRESET|EPIPE|closed|SSL|EPROTO/i;

/** Never contains the password. */
export function describeRedisFault(error: unknown, { password = '' }: RedisAddress): string {
  const certificate = findCertificateFault(error);
  if (certificate !== undefined) {
    return `${certificate.reason}. ${certificate.fix ?? ''}`.replace(/\.$/, '');
  }
  const message =
    isJsonObject(error) && typeof error['message'] === 'string'
      ? error['message'].trim()
      : 'unknown';
  const plain = FAULTS.find(([pattern]) => pattern.test(message))?.[1];
  if (plain !== undefined) return plain;
  // Replacing a password that is part of common words would reveal it.
  return password.length < 4 ? message : message.replaceAll(password, '[password]');
}

/** The scheme of the URL may be wrong, because Redis has not responded yet. */
export function describeOpeningFault(error: unknown, address: RedisAddress): string {
  const trouble = describeRedisFault(error, address);
  if (!ANOTHER_PROTOCOL.test(trouble)) return trouble;
  return address.tls
    ? 'it does not respond over TLS: if this port has no TLS, start the Redis URL with redis://'
    : `${trouble}: if this port uses TLS, start the Redis URL with rediss://`;
}
