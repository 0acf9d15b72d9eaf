import { isRecord } from '../../values';
import type { RedisAddress } from './redis-address';

/** Node's codes for a certificate that nobody here vouches for. */
const NOT_TRUSTED = /^(?:CERT_|CRL_|DEPTH_ZERO_|INVALID_CA|SELF_SIGNED_|UNABLE_TO_)/;

/** Errors of a client that speaks TLS to a server that does not, or the other way round. */
const ANOTHER_PROTOCOL = /no answer within|ETIMEDOUT|ECONNRESET|EPIPE|closed|SSL|EPROTO/i;

/** What is wrong with a Redis, and the cure where there is one; never with its password. */
export function troubleWith(error: unknown, { host, password = '' }: RedisAddress): string {
  const code = isRecord(error) ? String(error['code']) : '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `its certificate is not for ${host}: the Redis URL has to name the host as its certificate does`;
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired: renew it';
  if (NOT_TRUSTED.test(code)) {
    return 'its certificate is not trusted here: name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS where n8n is started';
  }
  const reason =
    isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'unknown';
  // A password that is part of common words would be given away by hiding it.
  return password.length < 4 ? reason : reason.replaceAll(password, '[password]');
}

/** The same for a Redis that has not answered yet, where the scheme of its URL may be the wrong one. */
export function troubleOpening(error: unknown, address: RedisAddress): string {
  const trouble = troubleWith(error, address);
  if (!ANOTHER_PROTOCOL.test(trouble)) return trouble;
  return address.tls
    ? `it does not answer with TLS: if it has none at this port, begin the Redis URL with redis:// (${trouble})`
    : `${trouble}: if it has TLS at this port, begin the Redis URL with rediss://`;
}
