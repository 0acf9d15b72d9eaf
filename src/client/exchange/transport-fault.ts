import { ConnectionError, InvalidResponseError, type ServiceError } from '../errors';
import { truncateText, isRow } from '../values';

/** Transport failure, described without the error texts of the libraries that reported it. */
export interface TransportFault {
  /** What happened, in words, because n8n replaces messages that contain names of system errors. */
  readonly reason: string;
  /** What the user can do; undefined if unknown. */
  readonly fix?: string;
  /** True if the response cannot be decoded and a retry would get the same. */
  readonly isUnreadable?: true;
}

/** Transport failure that this client detected itself. */
export class TransportFaultError extends Error {
  constructor(readonly fault: TransportFault) {
    super(fault.reason);
  }
}

/** The connection was closed without a reason. */
export class ClosedEarlyError extends Error {
  readonly code = 'ECONNRESET';
}

/** Transport failure that Node reports with a matching code. The first match in a list wins. */
interface KnownFault extends TransportFault {
  readonly codes: RegExp;
}

const CERTIFICATES: readonly KnownFault[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    reason: 'its TLS certificate has expired',
    fix: 'Ask the operator of the service to renew the certificate. If the certificate is still valid, correct the clock of the machine that runs n8n.',
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    reason: 'its TLS certificate is not valid yet',
    fix: 'Correct the clock of the machine that runs n8n.',
  },
  {
    codes: /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    reason: 'its TLS certificate is for another host',
    fix: 'In the Base URL or Redis URL of the credential, use the host name that the certificate was issued for.',
  },
  {
    codes:
      /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_|INVALID_PURPOSE)/,
    reason: 'its TLS certificate is not trusted',
    fix: 'Ask the operator of the service to send the full certificate chain. For a private certificate authority, start n8n with NODE_EXTRA_CA_CERTS set to the path of its certificate.',
  },
];

/** Failures that happen before anything is sent, whatever else is known about the connection. */
const BEFORE_SENDING: readonly KnownFault[] = [
  ...CERTIFICATES,
  { codes: /^ECONNREFUSED$/, reason: 'it refused the connection' },
  { codes: /^(?:ENOTFOUND|EAI_AGAIN)$/, reason: 'its host name could not be resolved' },
  { codes: /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, reason: 'there is no route to it' },
  {
    codes: /^ERR_INVALID_CHAR$/,
    reason: 'the API key contains characters that cannot be sent',
    fix: 'Copy the API key into the credential again.',
  },
];

const KNOWN_FAULTS: readonly KnownFault[] = [
  ...BEFORE_SENDING,
  {
    codes: /^(?:ECONNRESET|ECONNABORTED|ERR_STREAM_PREMATURE_CLOSE)$/,
    reason: 'the connection was closed before the response was complete',
  },
  { codes: /^EPIPE$/, reason: 'the connection was closed while the node sent the request' },
  { codes: /^ETIMEDOUT$/, reason: 'the connection timed out' },
  {
    codes: /^EMFILE$/,
    reason: 'the n8n process has too many open files and connections',
    fix: 'Raise the limit of open files for the n8n process.',
  },
  {
    codes: /^HPE_HEADER_OVERFLOW$/,
    reason: 'the response headers are too large',
    fix: 'Check the Base URL in the credential. A system between n8n and the service may have responded.',
  },
  {
    codes: /^HPE_/,
    reason: 'the response is not HTTP',
    fix: 'Check the Base URL in the credential: its host, its port, and whether it needs https:// instead of http://.',
  },
  {
    codes: /^(?:Z_|ERR__ERROR_|ERR_BROTLI)/,
    reason: 'the compressed response is damaged or truncated',
    fix: 'Run again. If the error returns, a system between n8n and the service damages responses.',
  },
  {
    codes: /^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/,
    reason: 'no TLS connection could be established',
    fix: 'Check the Base URL in the credential: a server that uses plain HTTP needs http:// instead of https://. Otherwise, the server and n8n have no TLS version in common.',
  },
];

/** Describes an error of a socket, of TLS, of the HTTP parser or of decompression. */
export function toTransportFault(error: unknown): TransportFault {
  if (error instanceof TransportFaultError) return error.fault;
  return findFault(KNOWN_FAULTS, error) ?? { reason: 'the connection failed' };
}

/** Describes what is wrong with a server's certificate; undefined if the error has another cause. */
export function findCertificateFault(error: unknown): TransportFault | undefined {
  return findFault(CERTIFICATES, error);
}

function findFault(known: readonly KnownFault[], error: unknown): TransportFault | undefined {
  const code = isRow(error) ? String(error.code) : '';
  return known.find(({ codes }) => codes.test(code));
}

/** Maximum number of characters shown of a header. */
const MAX_ENCODING_LENGTH = 60;

/** Creates the failure for a response with an encoding that the client did not request. */
export function createUnknownEncodingError(packing: string): TransportFaultError {
  const name = truncateText(packing.replace(/[^\x20-\x7e]/g, '?'), MAX_ENCODING_LENGTH);
  return new TransportFaultError({
    reason: `it has an encoding that the node did not request (Content-Encoding: ${name})`,
    fix: 'A system between n8n and the service recompresses responses or mislabels their compression. Ask its operator to allow gzip, deflate, br or uncompressed responses.',
    isUnreadable: true,
  });
}

/**
 * Returns whether an error occurred while the connection was being established.
 *
 * @param encrypted Whether the connection uses TLS. Until the handshake is complete, any error belongs
 * to establishing the connection.
 */
export function isBeforeSending(error: unknown, encrypted: boolean): boolean {
  const call = isRow(error) ? error.syscall : undefined;
  const isConnecting = call === 'connect' || call === 'getaddrinfo';
  return encrypted || isConnecting || findFault(BEFORE_SENDING, error) !== undefined;
}

/**
 * Creates the error for a request that was not sent, or that received no complete or readable response.
 *
 * @param url URL of the request.
 */
export function createNoResponseError(
  { reason, fix, isUnreadable }: TransportFault,
  url: string,
  isSent: boolean,
): ServiceError {
  const hint =
    fix ??
    'Check the Base URL in the credential and the network between n8n and the service, then run again.';
  if (isUnreadable === true) {
    const message = `The response cannot be read: ${reason}`;
    return new InvalidResponseError({
      code: 'unknown_encoding',
      message,
      hint,
      affectsAnyRequest: true,
    });
  }
  return new ConnectionError({
    code: isSent ? 'no_answer' : 'connection_failed',
    message: isSent
      ? `The service did not respond: ${reason}`
      : `The service at ${hostAndPort(url)} could not be reached: ${reason}`,
    hint,
  });
}

/** Returns host and port, because firewall rules need the port too. */
function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** Creates the error for a response that exceeds the size limit. */
export function createTooLargeError(bytes: number): ServiceError {
  return new InvalidResponseError({
    code: 'response_too_large',
    message: `The response is larger than ${formatMegabytes(bytes)} and was not read`,
    hint: 'Request fewer rows at once.',
  });
}

/** Creates the error for a body that was cut off after a part of it had been read. */
export function createTruncatedResponseError(reason: string): ConnectionError {
  return new ConnectionError({
    code: 'broken_off',
    message: `The response was cut off: ${reason}`,
    hint: 'The node discarded the partial data. Run again: companies already sent are free for 30 days.',
  });
}

/** Maximum size of a streamed response. A million members are about 100 MB of CSV. */
export const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

/** Why a larger stream is cut off. */
export const STREAM_TOO_LARGE = `it is larger than ${formatMegabytes(MAX_STREAM_BYTES)}`;

function formatMegabytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MB`;
}
