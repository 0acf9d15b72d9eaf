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

import { lazily } from '../../lazily';
import type { ServiceError } from '../errors';
import type { Headers } from '../retry';
import {
  ACCEPTED_PACKING,
  answerMemory,
  inTime,
  MAX_RESPONSE_BYTES,
  peek,
  readText,
  unpacked,
  type AnswerMemory,
} from './body';
import { Patience } from './patience';
import { ClosedEarly, tooLarge, Troubled } from './trouble';

/** Maximum bytes read of an error body, because more would not be shown. */
const MAX_ERROR_BYTES = 1024 * 1024;

// The limiter bounds the number of sockets. A bound here would make one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/** The axios instance with the settings of all requests. */
const sender = lazily(() =>
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
export interface HttpAnswer<Body = string> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A response with any other status; its body may be truncated. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly refusal: string;
}

/** Outcome of a request; an error if there is no usable response. */
export type Outcome<Body> = HttpAnswer<Body> | Refusal | ServiceError;

/** A body that is read while it arrives. */
export interface Streaming {
  /** First bytes of the body; empty if there is no body. */
  readonly start: Uint8Array;
  /** The whole body, including its first bytes. Can be read once; throws {@link ServiceError}. */
  readonly whole: AsyncIterable<Uint8Array>;
  /** Discards the unread rest. */
  readonly close: () => void;
}

/** Sends one request and waits for the complete response. Never throws. */
export async function exchange(
  request: HttpRequest,
  memory: AnswerMemory = answerMemory,
): Promise<Outcome<string>> {
  const patience = new Patience(request);
  try {
    patience.go();
    const answer = await open(request, patience, ACCEPTED_PACKING);
    if (!isSuccess(answer)) return await refusalOf(answer, memory, patience);
    if (isAnnouncedTooLarge(request, answer.headers, memory.largest)) {
      answer.body.destroy();
      return tooLarge(memory.largest);
    }
    return { ...answer, body: await readText(answer.body, memory, patience) };
  } catch (error) {
    return patience.noAnswer(error);
  } finally {
    patience.end();
  }
}

/**
 * Sends one request and waits for the first bytes of a successful response. `timeoutMs` is the maximum
 * pause between two bytes, and {@link inTime} enforces a minimum rate. Never throws.
 */
export async function openStream(request: HttpRequest): Promise<Outcome<Streaming>> {
  const patience = new Patience(request);
  try {
    patience.goAnew();
    // Requested uncompressed, because compressed bytes say little about the remaining amount of data.
    const answer = await open(request, patience, 'identity');
    patience.goAnew();
    if (!isSuccess(answer)) {
      const refusal = await refusalOf(answer, answerMemory, patience);
      patience.end();
      return refusal;
    }
    const { body: source } = answer;
    const start = (await peek(source)) ?? new Uint8Array();
    patience.pause();
    const close = (): void => {
      patience.giveUp();
      source.destroy();
    };
    const whole = inTime(source, patience, request.timeoutMs, close);
    return { ...answer, body: { start, whole, close } };
  } catch (error) {
    const failure = patience.noAnswer(error);
    patience.giveUp();
    return failure;
  }
}

function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

async function refusalOf(
  { status, headers, body }: HttpAnswer<Readable>,
  memory: AnswerMemory,
  patience: Patience,
): Promise<Refusal> {
  return { status, headers, refusal: await readText(body, memory, patience, MAX_ERROR_BYTES) };
}

/**
 * Sends one request and waits for the head of its response.
 *
 * @param packing Accepted content encodings.
 * @throws The original error; `patience` converts it to a {@link ServiceError}.
 */
async function open(
  request: HttpRequest,
  patience: Patience,
  packing: string,
): Promise<HttpAnswer<Readable>> {
  const answer = await sender().request<IncomingMessage>({
    method: request.method,
    url: request.url,
    // Without `'Content-Type': false`, axios labels a missing body as a form.
    headers: { 'Content-Type': false, 'Accept-Encoding': packing, ...request.headers },
    data: request.body,
    signal: patience.signal,
    transport: watching(patience),
    ...(request.freshConnection
      ? { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }
      : { httpAgent, httpsAgent }),
  });
  const source = answer.data;
  // Reading reports the socket's error as well. Without this listener, the error would end the process.
  source.on('error', () => undefined);
  const headers = plainHeaders(source.headers);
  const body = await unpacked(source, headers['content-encoding'] ?? '').catch((error: unknown) => {
    // For an error response, the status and headers are enough.
    if (error instanceof Troubled && !isSuccess(answer)) return Readable.from([]);
    throw error;
  });
  body.on('error', () => undefined);
  return { status: answer.status, headers, body };
}

/** Returns Node's HTTP transport, extended to record when the connection is established. */
function watching(patience: Patience) {
  return {
    request: (
      options: RequestOptions,
      answered: (answer: IncomingMessage) => void,
    ): ClientRequest => {
      const encrypted = options.protocol === 'https:';
      const request = (encrypted ? https : http).request(options, (answer) => {
        request.off('close', closed);
        answered(answer);
      });
      // Report a close without a reason, too: after "101 Switching Protocols", Node closes without an error.
      const closed = (): void => void request.emit('error', new ClosedEarly());
      request.once('close', closed);
      request.once('socket', (socket: Socket) => {
        const stands = request.reusedSocket || (!encrypted && !socket.connecting);
        if (stands) patience.connected();
        else {
          socket.once(encrypted ? 'secureConnect' : 'connect', () => {
            patience.connected();
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
function plainHeaders(headers: IncomingHttpHeaders): Headers {
  const plain: Record<string, string> = {};
  for (const name in headers) plain[name] = String(headers[name]);
  return plain;
}
