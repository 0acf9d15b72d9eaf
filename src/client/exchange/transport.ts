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

/** What is read of an error's body; more would not be shown. */
const MAX_ERROR_BYTES = 1024 * 1024;

// The limiter bounds how many sockets there are; a bound here would let one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/** Sends requests with what holds for all of them. */
const sender = lazily(() =>
  (require('axios') as AxiosStatic).create({
    // The key travels in a header of our own, which redirects would carry to any host.
    maxRedirects: 0,
    maxBodyLength: MAX_RESPONSE_BYTES,
    validateStatus: () => true,
    responseType: 'stream',
    // Unpacking is done here, where it counts, waits and notices what was cut off.
    decompress: false,
  }),
);

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

/** A success: what was asked for was done. */
export interface HttpAnswer<Body = string> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Any other answer than a success, with its body as far as that is read. */
export interface Refusal {
  readonly status: number;
  readonly headers: Headers;
  readonly refusal: string;
}

/** What came of a request; an error where there is no answer. */
export type Outcome<Body> = HttpAnswer<Body> | Refusal | ServiceError;

/** A body that is read as it arrives. */
export interface Streaming {
  /** Its first bytes; empty when it has none. */
  readonly start: Uint8Array;
  /** All of it, the first bytes included. Read once; throws {@link ServiceError}. */
  readonly whole: AsyncIterable<Uint8Array>;
  /** Gives up what was not read. */
  readonly close: () => void;
}

/** Sends one request and waits for the whole answer. It never throws. */
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
 * Sends one request and waits for the first bytes of a successful answer. `timeoutMs` is how long the
 * service may keep silent between two bytes, and {@link inTime} says how fast they have to come. It
 * never throws.
 */
export async function openStream(request: HttpRequest): Promise<Outcome<Streaming>> {
  const patience = new Patience(request);
  try {
    patience.goAnew();
    // Asked for unpacked, because packed bytes say little about how much there is to come.
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
 * Sends one request and waits for the head of its answer.
 *
 * @param packing what the body may be packed with.
 * @throws what the sending failed with; `patience` knows what that means.
 */
async function open(
  request: HttpRequest,
  patience: Patience,
  packing: string,
): Promise<HttpAnswer<Readable>> {
  const answer = await sender().request<IncomingMessage>({
    method: request.method,
    url: request.url,
    // Without the first, axios calls a body that is not there a form.
    headers: { 'Content-Type': false, 'Accept-Encoding': packing, ...request.headers },
    data: request.body,
    signal: patience.signal,
    transport: watching(patience),
    ...(request.freshConnection
      ? { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() }
      : { httpAgent, httpsAgent }),
  });
  const source = answer.data;
  // The socket's own error comes out of reading too; unheard here, it would end the process.
  source.on('error', () => undefined);
  const headers = plainHeaders(source.headers);
  const body = await unpacked(source, headers['content-encoding'] ?? '').catch((error: unknown) => {
    // A refusal says enough by its status and its headers.
    if (error instanceof Troubled && !isSuccess(answer)) return Readable.from([]);
    throw error;
  });
  body.on('error', () => undefined);
  return { status: answer.status, headers, body };
}

/** Node's own HTTP, telling when a connection is made. */
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
      // Also when nobody says why: after "101 Switching Protocols" Node closes it without an error.
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

/** Node has their names in lower case, and some of several values in a list. */
function plainHeaders(headers: IncomingHttpHeaders): Headers {
  const plain: Record<string, string> = {};
  for (const name in headers) plain[name] = String(headers[name]);
  return plain;
}
