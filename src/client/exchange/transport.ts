import http, {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import https, { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

import type { AxiosStatic } from 'axios';

import { lazy } from '../../lazy';
import type { ServiceError } from '../errors';
import type { Headers } from '../retry';
import {
  ACCEPTED_ENCODINGS,
  responseMemoryBudget,
  withDeadline,
  MAX_RESPONSE_BYTES,
  peekFirstBytes,
  readText,
  decompressBody,
  type ResponseMemoryBudget,
} from './body';
import { RequestDeadline } from './request-deadline';
import { ClosedEarlyError, createTooLargeError, TransportFaultError } from './transport-fault';

/** Maximum bytes read of an error body, because more would not be shown. */
const MAX_ERROR_BYTES = 1024 * 1024;

// The limiter bounds the number of sockets. A bound here would make one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/** The axios instance with the settings of all requests. */
const sender = lazy(() =>
  (require('axios') as AxiosStatic).create({
    // The key is in a custom header, which redirects would send to any host.
    maxRedirects: 0,
    maxBodyLength: MAX_RESPONSE_BYTES,
    validateStatus: () => true,
    responseType: 'stream',
    // This client decompresses itself, to count the bytes, wait for memory and detect truncated bodies.
    decompress: false,
  }),
);

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Maximum time from connecting to the last byte of the response; for a streamed body, between two bytes. */
  readonly timeoutMs: number;
  /** True to open a new connection, because a stale one could swallow the request. */
  readonly freshConnection: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A successful response (2xx). */
export interface HttpSuccess<Body = string> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A response with any other status; its body may be truncated. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly refusal: string;
}

/** Outcome of a request; an error if there is no usable response. */
export type ExchangeResult<Body> = HttpSuccess<Body> | ErrorResponse | ServiceError;

/** A body that is read while it arrives. */
export interface ResponseStream {
  /** First bytes of the body; empty if there is no body. */
  readonly start: Uint8Array;
  /** The whole body, including its first bytes. Can be read once; throws {@link ServiceError}. */
  readonly whole: AsyncIterable<Uint8Array>;
  /** Discards the unread rest. */
  readonly close: () => void;
}

/** Sends one request and waits for the complete response. Never throws. */
export async function exchangeWhole(
  request: HttpRequest,
  memory: ResponseMemoryBudget = responseMemoryBudget,
): Promise<ExchangeResult<string>> {
  const deadline = new RequestDeadline(request);
  try {
    deadline.start();
    const answer = await openExchange(request, deadline, ACCEPTED_ENCODINGS);
    if (!isSuccess(answer)) return await readErrorResponse(answer, memory, deadline);
    if (isAnnouncedTooLarge(request, answer.headers, memory.largest)) {
      answer.body.destroy();
      return createTooLargeError(memory.largest);
    }
    return { ...answer, body: await readText(answer.body, memory, deadline) };
  } catch (error) {
    return deadline.toNoResponseError(error);
  } finally {
    deadline.end();
  }
}

/**
 * Sends one request and waits for the first bytes of a successful response. `timeoutMs` is the maximum
 * pause between two bytes, and {@link withDeadline} enforces a minimum rate. Never throws.
 */
export async function openStream(request: HttpRequest): Promise<ExchangeResult<ResponseStream>> {
  const deadline = new RequestDeadline(request);
  try {
    deadline.restart();
    // Requested uncompressed, because compressed bytes say little about the remaining amount of data.
    const answer = await openExchange(request, deadline, 'identity');
    deadline.restart();
    if (!isSuccess(answer)) {
      const refusal = await readErrorResponse(answer, responseMemoryBudget, deadline);
      deadline.end();
      return refusal;
    }
    const { body: source } = answer;
    const start = (await peekFirstBytes(source)) ?? new Uint8Array();
    deadline.pause();
    const close = (): void => {
      deadline.abort();
      source.destroy();
    };
    const whole = withDeadline(source, deadline, request.timeoutMs, close);
    return { ...answer, body: { start, whole, close } };
  } catch (error) {
    const failure = deadline.toNoResponseError(error);
    deadline.abort();
    return failure;
  }
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

async function readErrorResponse(
  { status, headers, body }: HttpSuccess<Readable>,
  memory: ResponseMemoryBudget,
  deadline: RequestDeadline,
): Promise<ErrorResponse> {
  return { status, headers, refusal: await readText(body, memory, deadline, MAX_ERROR_BYTES) };
}

/**
 * Sends one request and waits for the head of its response.
 *
 * @param packing Accepted content encodings.
 * @throws The original error; `deadline` converts it to a {@link ServiceError}.
 */
async function openExchange(
  request: HttpRequest,
  deadline: RequestDeadline,
  packing: string,
): Promise<HttpSuccess<Readable>> {
  const answer = await sender().request<IncomingMessage>({
    method: request.method,
    url: request.url,
    // Without `'Content-Type': false`, axios labels a missing body as a form.
    headers: { 'Content-Type': false, 'Accept-Encoding': packing, ...request.headers },
    data: request.body,
    signal: deadline.signal,
    transport: watchConnection(deadline),
    ...(request.freshConnection
      ? { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }
      : { httpAgent, httpsAgent }),
  });
  const source = answer.data;
  // Reading reports the socket's error as well. Without this listener, the error would end the process.
  source.on('error', () => undefined);
  const headers = toPlainHeaders(source.headers);
  const body = await decompressBody(source, headers['content-encoding'] ?? '').catch(
    (error: unknown) => {
      // For an error response, the status and headers are enough.
      if (error instanceof TransportFaultError && !isSuccess(answer)) return Readable.from([]);
      throw error;
    },
  );
  body.on('error', () => undefined);
  return { status: answer.status, headers, body };
}

/** Returns Node's HTTP transport, extended to record when the connection is established. */
function watchConnection(deadline: RequestDeadline) {
  return {
    request: (
      options: RequestOptions,
      answered: (answer: IncomingMessage) => void,
    ): ClientRequest => {
      const encrypted = options.protocol === 'https:';
      const request = (encrypted ? https : http).request(options, (answer) => {
        request.off('close', reportClose);
        answered(answer);
      });
      // Report a close without a reason, too: after "101 Switching Protocols", Node closes without an error.
      const reportClose = (): void => void request.emit('error', new ClosedEarlyError());
      request.once('close', reportClose);
      request.once('socket', (socket: Socket) => {
        const stands = request.reusedSocket || (!encrypted && !socket.connecting);
        if (stands) deadline.markConnected();
        else {
          socket.once(encrypted ? 'secureConnect' : 'connect', () => {
            deadline.markConnected();
          });
        }
      });
      return request;
    },
  };
}

function isAnnouncedTooLarge({ method }: HttpRequest, headers: Headers, largest: number): boolean {
  return method !== 'HEAD' && Number(headers['content-length']) > largest;
}

/** Converts Node's headers, whose names are lowercase, to plain text; several values become one text. */
function toPlainHeaders(headers: IncomingHttpHeaders): Headers {
  const plain: Record<string, string> = {};
  for (const name in headers) plain[name] = String(headers[name]);
  return plain;
}
