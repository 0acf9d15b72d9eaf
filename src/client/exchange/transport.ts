import http, { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import https, { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

import type { AxiosInstance, AxiosRequestConfig, AxiosStatic } from 'axios';

import type { HttpRequest } from '../call';
import type { ServiceError } from '../errors';
import type { Headers } from '../retry';
import { createTruncationError, toExchangeError, type Course } from './faults';

/** After decompression. 10,000 rows are about 3 MB. */
export const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** A million members are about 100 MB of CSV. */
const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

// The limiter bounds the number of sockets. A bound here would make one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

const SETTINGS: AxiosRequestConfig = {
  // The key is in a custom header, which redirects would send to any host.
  maxRedirects: 0,
  maxBodyLength: MAX_RESPONSE_BYTES,
  validateStatus: () => true,
  // axios counts decompressed bytes of what it decompresses, and the status is known before the body.
  responseType: 'stream',
};
let sender: AxiosInstance | undefined;

export interface HttpSuccess<Body = string> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** With any other status; the body may be truncated. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly refusal: string;
}

export type ExchangeResult<Body> = HttpSuccess<Body> | ErrorResponse | ServiceError;

interface ResponseStream {
  readonly start: Uint8Array;
  /** Can be read once; throws {@link ServiceError}. */
  readonly whole: AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/** One exchange, with its deadline. */
class Attempt implements Course {
  isConnected = false;
  isRefusedByProxy = false;
  isPassedOn = false;
  isLate = false;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  // Bound to only the controller, because a removed listener may stay in memory for a long time.
  private readonly onCancel = this.controller.abort.bind(this.controller, undefined);
  private timer: NodeJS.Timeout | undefined;
  timeoutMs: number;

  constructor(readonly request: HttpRequest) {
    this.timeoutMs = request.timeoutMs;
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
    if (request.signal?.aborted === true) this.onCancel();
    this.start();
  }

  start(): void {
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort();
    }, this.timeoutMs);
  }

  /** While the client is not waiting for the service. */
  pause(): void {
    clearTimeout(this.timer);
  }

  readonly abort = (): void => {
    this.end();
    this.controller.abort();
  };

  end(): void {
    this.pause();
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}

/** Never throws. */
export async function exchangeWhole(request: HttpRequest): Promise<ExchangeResult<string>> {
  const attempt = new Attempt(request);
  try {
    const limits = { maxContentLength: MAX_RESPONSE_BYTES };
    const response = await openExchange(request, attempt, limits);
    return isSuccess(response)
      ? { ...response, body: await readText(response.body) }
      : await readErrorResponse(response);
  } catch (error) {
    return toExchangeError(error, attempt);
  } finally {
    attempt.end();
  }
}

/** Waits for the first bytes of a successful response; `pauseMs` is the longest pause after them. Never throws. */
export async function openStream(
  request: HttpRequest,
  pauseMs: number,
): Promise<ExchangeResult<ResponseStream>> {
  const attempt = new Attempt(request);
  try {
    // Requested uncompressed, because a truncated compressed body can look complete.
    const headers = { ...request.headers, 'Accept-Encoding': 'identity' };
    const limits = { maxContentLength: MAX_STREAM_BYTES, decompress: false };
    const received = await openExchange({ ...request, headers }, attempt, limits);
    const response = { ...received, body: unpack(received) };
    if (!isSuccess(response)) {
      const refusal = await readErrorResponse(response);
      attempt.end();
      return refusal;
    }
    const first = await response.body.next();
    attempt.pause();
    attempt.timeoutMs = pauseMs;
    const whole = readChunks(first, response.body, attempt);
    const start = first.value ?? new Uint8Array();
    return { ...response, body: { start, whole, close: attempt.abort } };
  } catch (error) {
    attempt.end();
    return toExchangeError(error, attempt);
  }
}

/** Unlike axios, it takes a truncated body for an error. Throws if the decompressed body is too large. */
async function* unpack(response: HttpSuccess<Readable>): AsyncGenerator<Uint8Array, undefined> {
  let bytes = 0;
  for await (const chunk of decompress(response)) {
    bytes += chunk.length;
    if (bytes > MAX_STREAM_BYTES) throw createTruncationError('it is larger than 1 GB');
    yield chunk;
  }
}

function decompress({ headers, body }: HttpSuccess<Readable>): AsyncIterable<Uint8Array> {
  const encoding = headers['content-encoding'] ?? '';
  if (/\bbr\b/i.test(encoding)) return pipeline(body, createBrotliDecompress(), () => undefined);
  // Storage servers state encodings that change nothing, such as "utf-8", "none" and "aws-chunked".
  if (!/gzip|deflate|compress|zstd/i.test(encoding)) return body;
  return pipeline(body, createUnzip(), () => undefined);
}

async function readErrorResponse({ body, ...head }: HttpSuccess<AsyncIterable<Uint8Array>>) {
  return { ...head, refusal: await readText(body) };
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** After two timeouts: 1 kB/s, far below any usable connection. */
const MIN_BYTES_PER_MS = 1;

/**
 * Only the time spent waiting for the service counts toward the deadline and the minimum rate, not the time
 * that the consumer takes to store the data. Throws {@link ServiceError} for an incomplete body.
 */
async function* readChunks(
  first: IteratorResult<Uint8Array, undefined>,
  chunks: AsyncIterator<Uint8Array, undefined>,
  attempt: Attempt,
): AsyncGenerator<Uint8Array, undefined> {
  const allowanceMs = 2 * attempt.timeoutMs;
  let leftMs = allowanceMs;
  attempt.isPassedOn = true;
  try {
    for (let next = first; next.done !== true;) {
      yield next.value;
      const waitedSince = performance.now();
      attempt.start();
      next = await chunks.next();
      attempt.pause();
      leftMs -= performance.now() - waitedSince;
      leftMs = Math.min(allowanceMs, leftMs + (next.value?.length ?? 0) / MIN_BYTES_PER_MS);
      if (leftMs < 0) throw createTruncationError('it arrived at less than 1000 bytes per second');
    }
  } catch (error) {
    throw toExchangeError(error, attempt);
  } finally {
    attempt.abort();
  }
}

/** @throws The original error; {@link toExchangeError} converts it. */
async function openExchange(
  request: HttpRequest,
  attempt: Attempt,
  limits: Pick<AxiosRequestConfig, 'maxContentLength' | 'decompress'>,
): Promise<HttpSuccess<Readable>> {
  sender ??= (require('axios') as AxiosStatic).create(SETTINGS);
  const { status, headers, data } = await sender.request<Readable>({
    method: request.method,
    url: request.url,
    // Without `'Content-Type': false`, axios labels a missing body as a form.
    headers: { 'Content-Type': false, ...request.headers },
    data: request.body,
    ...limits,
    signal: attempt.signal,
    transport: watchConnection(attempt),
    httpAgent: request.freshConnection ? new HttpAgent() : httpAgent,
    httpsAgent: request.freshConnection ? new HttpsAgent() : httpsAgent,
  });
  if (attempt.isRefusedByProxy) throw new Error('The response is that of the proxy');
  const plain = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status, headers: Object.fromEntries(plain) as Headers, body: data };
}

/** Extends Node's HTTP transport to record when the connection is established. */
function watchConnection(attempt: Attempt) {
  return {
    request: (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
      const encrypted = options.protocol === 'https:';
      const request = (encrypted ? https : http).request(options, onResponse);
      const markConnected = (): void => {
        attempt.isConnected = true;
      };
      request.once('socket', (socket: Socket) => {
        // The proxy agent presents the response to a refused CONNECT as that of the service.
        if (encrypted && !('encrypted' in socket)) attempt.isRefusedByProxy = true;
        else if (request.reusedSocket || (!encrypted && !socket.connecting)) markConnected();
        else socket.once(encrypted ? 'secureConnect' : 'connect', markConnected);
      });
      return request;
    },
  };
}
