import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import axios, { type AxiosRequestConfig } from 'axios';

import { isRecord } from './is-record';
import type { Headers } from './retry-after';

/** One HTTP request, ready to be sent. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** From connecting to the last byte of the answer; of a streamed one, between two bytes. */
  readonly timeoutMs: number;
  /** A fresh connection rules out that a stale one swallows the request. */
  readonly freshConnection: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What came of it. An exchange never throws: every way it can end is one of these. */
export type Exchange =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Headers;
      readonly body: string;
    }
  | Unanswered;

/** Why there is no answer. */
export type Unanswered =
  | {
      readonly kind: 'no-answer';
      /** False when the connection was never made, so that nothing can have been processed. */
      readonly maybeProcessed: boolean;
      /** In words; n8n replaces messages that hold the names of system errors. */
      readonly reason: string;
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'cancelled' };

/** The largest answer that is read, after decompression. 10,000 rows are about 3 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const UNTRUSTED = 'its TLS certificate is not trusted';
const UNRESOLVED = 'its host name could not be resolved';
const UNREACHABLE = 'there is no route to it';

/** System errors that come before the first byte is sent, in words. */
const NEVER_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ENOTFOUND: UNRESOLVED,
  EAI_AGAIN: UNRESOLVED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another host',
};

/** System errors that may come after the request was processed, in words. */
const BROKEN_OFF: Readonly<Record<string, string>> = {
  ECONNRESET: 'the connection was closed before the answer was complete',
  ECONNABORTED: 'the connection was closed before the answer was complete',
  EPIPE: 'the connection was closed while the request was sent',
  ETIMEDOUT: 'the connection timed out',
};

/** Why a request was given up. */
const TOO_LATE = Symbol('too late');

// The limiter bounds how many sockets there are; a bound here would let one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/** Sends requests with what holds for all of them. */
export const http = axios.create({
  // The key travels in a header of our own, which redirects would carry to any host.
  maxRedirects: 0,
  maxContentLength: MAX_RESPONSE_BYTES,
  maxBodyLength: MAX_RESPONSE_BYTES,
  validateStatus: () => true,
  responseType: 'text',
  // Reading the text is this client's own concern: it has to tell JSON from HTML and from nothing.
  transformResponse: (text: unknown) => text,
  transitional: { clarifyTimeoutError: true },
});

/** Sends one request and waits for the whole answer. */
export async function exchange(request: HttpRequest): Promise<Exchange> {
  const patience = new Patience(request);
  try {
    const answer = await patience.wait(async () =>
      http.request<string>(httpConfig(request, patience.signal)),
    );
    return {
      kind: 'answer',
      status: answer.status,
      headers: plainHeaders(answer.headers),
      body: typeof answer.data === 'string' ? answer.data : '',
    };
  } catch (error) {
    return patience.reasonFor(error);
  } finally {
    patience.end();
  }
}

/** The request as axios takes it. */
export function httpConfig(request: HttpRequest, signal: AbortSignal): AxiosRequestConfig {
  return {
    method: request.method,
    url: request.url,
    // Without this, axios calls a body that is not there a form.
    headers: { 'Content-Type': false, ...request.headers },
    data: request.body,
    signal,
    ...(request.freshConnection
      ? { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }
      : { httpAgent, httpsAgent }),
  };
}

/** How long a request is waited for: until its deadline, or until the run is stopped. */
export class Patience {
  private readonly stop = new AbortController();
  private readonly onCancel = (): void => {
    this.stop.abort();
  };

  constructor(private readonly request: HttpRequest) {
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Waits for one thing, as long as the request's timeout. */
  async wait<T>(begin: () => Promise<T>): Promise<T> {
    const deadline = setTimeout(() => {
      this.stop.abort(TOO_LATE);
    }, this.request.timeoutMs);
    try {
      return await begin();
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Why there is no answer, when waiting for it has thrown. */
  reasonFor(error: unknown): Unanswered {
    if (this.request.signal?.aborted === true) return { kind: 'cancelled' };
    return this.signal.reason === TOO_LATE
      ? tooLate(this.request.timeoutMs)
      : readTransportError(error);
  }

  /** Closes the connection if it is still in use. */
  giveUp(): void {
    this.end();
    this.stop.abort();
  }

  end(): void {
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}

function tooLate(timeoutMs: number): Unanswered {
  const seconds = String(Math.round(timeoutMs / 100) / 10);
  const reason = `no complete answer within ${seconds} s`;
  return { kind: 'no-answer', maybeProcessed: true, reason };
}

function readTransportError(error: unknown): Unanswered {
  const { code, message } = isRecord(error) ? error : { code: '', message: error };
  const text = String(message);
  if (text.includes('maxContentLength')) return { kind: 'too-large' };
  const neverConnected = NEVER_CONNECTED[String(code)];
  if (neverConnected !== undefined) {
    return { kind: 'no-answer', maybeProcessed: false, reason: neverConnected };
  }
  return { kind: 'no-answer', maybeProcessed: true, reason: BROKEN_OFF[String(code)] ?? text };
}

/** Headers with their names in lower case. */
export function plainHeaders(headers: object): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
