import http, { Agent as HttpAgent, type IncomingMessage } from 'node:http';
import https, { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

import type { AxiosInstance, AxiosRequestConfig, AxiosStatic } from 'axios';

import { MAX_RESPONSE_BYTES, type HttpRequest } from '../call';
import { InvalidResponseError, type ServiceError } from '../errors';
import type { Headers } from '../retry';
import { toExchangeError, type Course } from './faults';

// The limiter bounds the number of sockets. A bound here would make one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

const SETTINGS: AxiosRequestConfig = {
  // The key is in a custom header, which redirects would send to any host.
  maxRedirects: 0,
  maxBodyLength: MAX_RESPONSE_BYTES,
  validateStatus: () => true,
  responseType: 'stream',
  // axios takes a truncated body for a complete one; see `decompress`.
  decompress: false,
};
let sender: AxiosInstance | undefined;

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export type ExchangeResult = HttpResponse | ServiceError;

class Attempt implements Course {
  isConnected = false;
  isRefusedByProxy = false;
  isLate = false;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  // Bound to only the controller, because a removed listener may stay in memory for a long time.
  private readonly onCancel = this.controller.abort.bind(this.controller, undefined);
  private readonly timer: NodeJS.Timeout;

  constructor(readonly request: HttpRequest) {
    request.signal?.addEventListener('abort', this.onCancel, { once: true });
    if (request.signal?.aborted === true) this.onCancel();
    this.timer = setTimeout(() => {
      this.isLate = true;
      this.controller.abort();
    }, request.timeoutMs);
  }

  end(): void {
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.onCancel);
  }
}

/** Reads the whole response. Never throws. */
export async function exchange(request: HttpRequest): Promise<ExchangeResult> {
  const attempt = new Attempt(request);
  try {
    const response = await openExchange(request, attempt);
    const maxBytes = isSuccess(response) ? request.maxBytes : MAX_RESPONSE_BYTES;
    const body = await readBytes(decompress(response, request), maxBytes);
    return { ...response, body };
  } catch (error) {
    return toExchangeError(error, attempt);
  } finally {
    attempt.end();
  }
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new InvalidResponseError({
        code: 'response_too_large',
        message: 'The response is too large and was not read',
        hint: 'Request fewer rows at once.',
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Unlike axios, it takes a truncated body for an error. */
function decompress(
  { status, headers, body }: OpenResponse,
  { method }: HttpRequest,
): AsyncIterable<Uint8Array> {
  const encoding = headers['content-encoding'] ?? '';
  const isEmpty = method === 'HEAD' || status === 204;
  if (isEmpty) return body;
  if (/\bbr\b/i.test(encoding)) return pipeline(body, createBrotliDecompress(), () => undefined);
  // Storage servers state encodings that change nothing, such as "utf-8", "none" and "aws-chunked".
  if (!/gzip|deflate|compress|zstd/i.test(encoding)) return body;
  return pipeline(body, createUnzip(), () => undefined);
}

type OpenResponse = Omit<HttpResponse, 'body'> & { readonly body: Readable };

async function openExchange(request: HttpRequest, attempt: Attempt): Promise<OpenResponse> {
  sender ??= (require('axios') as AxiosStatic).create(SETTINGS);
  const { status, headers, data } = await sender.request<Readable>({
    method: request.method,
    url: request.url,
    // Without `'Content-Type': false`, axios labels a missing body as a form.
    headers: { 'Content-Type': false, 'Accept-Encoding': 'gzip, br', ...request.headers },
    data: request.body,
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
