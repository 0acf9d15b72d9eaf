import { CancelledError, ConnectionError, ServiceError } from '../errors';
import { isJsonObject } from '../../values/json';
import type { HttpRequest } from '../call';

interface TransportFault {
  /** In words, because n8n replaces messages that contain names of system errors. */
  readonly reason: string;
  readonly fix?: string;
}

const UNRESOLVED: TransportFault = { reason: 'its host name could not be resolved' };
const UNTRUSTED: TransportFault = {
  reason: 'its TLS certificate is not trusted',
  fix: 'Ask the operator of the service to send the full certificate chain. For a private certificate authority, start n8n with NODE_EXTRA_CA_CERTS set to the path of its certificate.',
};

type FaultsByCode = Readonly<Partial<Record<string, TransportFault>>>;

const CERTIFICATE_FAULTS: FaultsByCode = {
  CERT_HAS_EXPIRED: {
    reason: 'its TLS certificate has expired',
    fix: 'Ask the operator of the service to renew the certificate. If the certificate is still valid, correct the clock of the machine that runs n8n.',
  },
  CERT_NOT_YET_VALID: {
    reason: 'its TLS certificate is not valid yet',
    fix: 'Correct the clock of the machine that runs n8n. If the clock is right, the certificate was issued for a later time.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'its TLS certificate is for another host',
    fix: 'In the Base URL or Redis URL of the credential, use the host name that the certificate was issued for.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

const CLOSED = { reason: 'the connection was closed before the response was complete' };
const NO_TLS: TransportFault = {
  reason: 'no TLS connection could be established',
  fix: 'Check the Base URL in the credential: a server that uses plain HTTP needs http:// instead of https://. Otherwise, the server and n8n have no TLS version in common.',
};

const REFUSED_BY_PROXY: TransportFault = {
  reason: 'the proxy refused to connect to it',
  fix: 'Ask the operator of the proxy to allow this host, correct HTTPS_PROXY, or add the host to NO_PROXY where n8n runs.',
};
const DAMAGED: TransportFault = {
  reason: 'its compressed data is damaged',
  fix: 'Run again. If the error returns, a proxy between n8n and the service damages the data.',
};

const KNOWN_FAULTS: FaultsByCode = {
  ...CERTIFICATE_FAULTS,
  ECONNREFUSED: { reason: 'it refused the connection' },
  ENOTFOUND: UNRESOLVED,
  EAI_AGAIN: UNRESOLVED,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: { reason: 'the connection timed out' },
  HPE_INVALID_CONSTANT: {
    reason: 'the response is not HTTP',
    fix: 'Check the Base URL in the credential: its host, its port, and whether it needs https:// instead of http://.',
  },
  HPE_HEADER_OVERFLOW: {
    reason: 'the headers of the response are too large',
    fix: 'Ask the operator of the service, or of a proxy in between, to send less than 16 kB of headers.',
  },
  Z_DATA_ERROR: DAMAGED,
  Z_BUF_ERROR: CLOSED,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_INVALID_CHAR: {
    reason: 'the API key contains characters that cannot be sent',
    fix: 'Copy the API key into the credential again.',
  },
};

const NOT_SENT = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_INVALID_CHAR)$/;

export function findCertificateFault(error: unknown): TransportFault | undefined {
  return CERTIFICATE_FAULTS[getCode(error)];
}

function getCode(error: unknown): string {
  return isJsonObject(error) ? String(error.code) : '';
}

export interface Course {
  readonly request: HttpRequest;
  readonly isConnected: boolean;
  readonly isRefusedByProxy: boolean;
  readonly isLate: boolean;
}

export function toExchangeError(error: unknown, course: Course): ServiceError {
  const { request, isConnected, isLate, isRefusedByProxy } = course;
  const { url, signal, timeoutMs } = request;
  if (error instanceof ServiceError) return error;
  if (signal?.aborted === true) return new CancelledError();
  const awaited = `${isConnected ? 'complete response' : 'connection'} within ${String(timeoutMs / 1000)} s`;
  const known = isRefusedByProxy ? REFUSED_BY_PROXY : KNOWN_FAULTS[getCode(error)];
  const { reason, fix } = isLate
    ? { reason: `no ${awaited}` }
    : (known ?? { reason: 'the connection failed' });
  // Without a sign of a connection, only some failures prove that nothing was sent; over TLS, all do.
  const isSent =
    isConnected || !(isLate || url.startsWith('https:') || NOT_SENT.test(getCode(error)));
  return new ConnectionError({
    code: isSent ? 'no_answer' : 'connection_failed',
    message: isSent
      ? `The service did not respond: ${reason}`
      : `The service at ${new URL(url).host} could not be reached: ${reason}`,
    hint:
      fix ??
      'Check the Base URL in the credential and the network between n8n and the service, then run again.',
  });
}
