import { ConnectionError, InvalidResponseError, type ServiceError } from '../errors';
import { cut, isRow } from '../values';

/** What went wrong on the way, without a word of the libraries that noticed it. */
export interface Trouble {
  /** In words; n8n replaces messages that hold the names of system errors. */
  readonly reason: string;
  /** What helps against it, where that is known. */
  readonly cure?: string;
  /** An answer came that nobody can read, and would come again. */
  readonly isUnreadable?: boolean;
}

/** Trouble that no library noticed. */
export class Troubled extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.reason);
  }
}

/** The connection was closed, and nothing said why. */
export class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';
}

const UNRESOLVED: Trouble = { reason: 'its host name could not be resolved' };
const UNREACHABLE: Trouble = { reason: 'there is no route to it' };
const CLOSED: Trouble = { reason: 'the connection was closed before the answer was complete' };
const NOT_HTTP: Trouble = {
  reason: 'what came back is not HTTP',
  cure: 'Check the Base URL in the credential: its host, its port, and whether it has to begin with https:// in place of http://.',
};
const NOT_TLS: Trouble = {
  reason: 'no TLS connection could be made with it',
  cure: 'Check the Base URL in the credential: a server that speaks plain HTTP needs http:// in place of https://. Otherwise the server and n8n have no version of TLS in common.',
};
const UNTRUSTED: Trouble = {
  reason: 'its TLS certificate is not trusted',
  cure: 'Whoever runs the service has to send the whole chain of certificates. For an authority of your own, start n8n with NODE_EXTRA_CA_CERTS set to the file of its certificate.',
};
const OTHER_HOST: Trouble = {
  reason: 'its TLS certificate is for another host',
  cure: 'Use the host name in the Base URL of the credential for which the certificate was made.',
};
const UNPACKABLE: Trouble = {
  reason: 'the compressed answer is damaged or was cut off',
  cure: 'Run again; if that does not help, something between n8n and the service damages answers.',
};

/** By the code of the error. */
const BY_CODE: Readonly<Record<string, Trouble>> = {
  ECONNREFUSED: { reason: 'it refused the connection' },
  ENOTFOUND: UNRESOLVED,
  EAI_AGAIN: UNRESOLVED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  CERT_HAS_EXPIRED: {
    reason: 'its TLS certificate has expired',
    cure: 'Whoever runs the service has to renew the certificate. If it is valid, set the clock of the machine that n8n runs on.',
  },
  CERT_NOT_YET_VALID: {
    reason: 'its TLS certificate is not valid yet',
    cure: 'Set the clock of the machine that n8n runs on.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_HOST,
  HOSTNAME_MISMATCH: OTHER_HOST,
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  ERR_STREAM_PREMATURE_CLOSE: CLOSED,
  EPIPE: { reason: 'the connection was closed while the request was sent' },
  ETIMEDOUT: { reason: 'the connection timed out' },
  EMFILE: {
    reason: 'this machine has no connection left to make',
    cure: 'Raise the number of open files that the n8n process may have.',
  },
  ERR_INVALID_CHAR: {
    reason: 'the API key holds characters that cannot be sent',
    cure: 'Copy the API key into the credential again.',
  },
  HPE_HEADER_OVERFLOW: {
    reason: 'the headers of the answer are too large',
    cure: 'Check the Base URL in the credential; something between n8n and the service may have answered.',
  },
};

/** By how the code begins, where there are many of a kind. */
const BY_BEGINNING: ReadonlyArray<readonly [RegExp, Trouble]> = [
  [/^HPE_/, NOT_HTTP],
  [/^(?:Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZSTD|ZSTD_)/, UNPACKABLE],
  [/^(?:CERT_|CRL_|UNABLE_TO_|INVALID_CA|PATH_LENGTH_|INVALID_PURPOSE)/, UNTRUSTED],
  [/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, NOT_TLS],
];

const UNKNOWN: Trouble = { reason: 'the connection failed' };

/** Errors that come before anything is sent, whatever else is known about the connection. */
const BEFORE_SENDING =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*|ERR_TLS_CERT_.*|HOSTNAME_MISMATCH|ERR_INVALID_CHAR)$/;

/** Says in words what an error of a socket, of TLS, of the HTTP parser or of unpacking means. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Troubled) return error.trouble;
  const code = codeOf(error);
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  return known ?? BY_BEGINNING.find(([beginning]) => beginning.test(code))?.[1] ?? UNKNOWN;
}

/** What is repeated of a header. */
const MAX_PACKING_LENGTH = 60;

/** An answer is packed in a way that was not asked for. */
export function unknownPacking(packing: string): Troubled {
  const name = cut(packing.replace(/[^\x20-\x7e]/g, '?'), MAX_PACKING_LENGTH);
  return new Troubled({
    reason: `it is packed in a way that was not asked for (Content-Encoding: ${name})`,
    cure: 'Something between n8n and the service compresses answers again, or misnames their compression. Whoever runs it has to let gzip, deflate, br or plain answers through.',
    isUnreadable: true,
  });
}

/**
 * Whether an error was raised by making the connection.
 *
 * @param encrypted the connection would have been encrypted: until that is agreed upon, any error is
 * one of making it.
 */
export function isBeforeSending(error: unknown, encrypted: boolean): boolean {
  const call = isRow(error) ? error.syscall : undefined;
  return (
    encrypted || call === 'connect' || call === 'getaddrinfo' || BEFORE_SENDING.test(codeOf(error))
  );
}

function codeOf(error: unknown): string {
  return isRow(error) ? String(error.code) : '';
}

/** The request was not sent, or no whole answer came, or none that can be read. */
export function noAnswer({ reason, cure, isUnreadable }: Trouble, isSent: boolean): ServiceError {
  const hint =
    cure ??
    'Check the Base URL in the credential and the network between n8n and the service, then run again.';
  if (isUnreadable === true) {
    const message = `The answer cannot be read: ${reason}`;
    return new InvalidResponseError({
      code: 'unknown_encoding',
      message,
      hint,
      isEverybodys: true,
    });
  }
  return new ConnectionError({
    code: isSent ? 'no_answer' : 'connection_failed',
    message: isSent
      ? `The service did not answer: ${reason}`
      : `The service could not be reached: ${reason}`,
    hint,
  });
}

/** The answer was given up. */
export function tooLarge(bytes: number): ServiceError {
  return new InvalidResponseError({
    code: 'response_too_large',
    message: `The answer is larger than ${inMegabytes(bytes)} and was not read`,
    hint: 'Ask for fewer rows at once.',
  });
}

/** For a body of which some has been read already. */
export function brokenOff(reason: string): ConnectionError {
  return new ConnectionError({
    code: 'broken_off',
    message: `The answer broke off in the middle: ${reason}`,
    hint: 'What had arrived was thrown away. Run again: companies that were sent already are free for 30 days.',
  });
}

/** The largest answer that is streamed. A million members are about 100 MB of CSV. */
export const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

/** Why a larger one breaks off. */
export const STREAM_TOO_LARGE = `it is larger than ${inMegabytes(MAX_STREAM_BYTES)}`;

function inMegabytes(bytes: number): string {
  return `${String(bytes / 1024 / 1024)} MB`;
}
