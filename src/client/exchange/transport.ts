import http, { Agent as HttpAgent, type ClientRequest, type IncomingMessage } from 'node:http';
import https, { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

import axios from 'axios';

import type { Headers } from '../retry-after';
import { answerMemory, MAX_RESPONSE_BYTES, type AnswerMemory } from './answer-memory';
import { ACCEPTED_PACKING, ClosedEarly, Pieces, readWhole, unpacked, UnknownPacking } from './body';
import { Patience, type Exchange, type HttpRequest } from './outcome';

/** What is read of an error's body; more would not be shown. */
const MAX_ERROR_BYTES = 1024 * 1024;

// The limiter bounds how many sockets there are; a bound here would let one key wait for another.
const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/** Sends requests with what holds for all of them. */
const sender = axios.create({
  // The key travels in a header of our own, which redirects would carry to any host.
  maxRedirects: 0,
  maxBodyLength: MAX_RESPONSE_BYTES,
  validateStatus: () => true,
  responseType: 'stream',
  // Unpacking is done here, where it counts, waits and notices what was cut off.
  decompress: false,
});

/** The head of an answer, and its body still to be read, unpacked. */
export interface Arrival {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** Sends one request and waits for the whole answer. */
export async function exchange(
  request: HttpRequest,
  memory: AnswerMemory = answerMemory,
): Promise<Exchange> {
  const patience = new Patience(request);
  try {
    patience.go();
    const { status, headers, body } = await open(request, patience, ACCEPTED_PACKING);
    if (!isSuccess(status)) {
      return { kind: 'answer', status, headers, body: await readRefusal(body, memory, patience) };
    }
    if (isAnnouncedTooLarge(request, headers, memory.largest)) {
      body.destroy();
      return { kind: 'too-large' };
    }
    const pieces = new Pieces();
    if (!(await readWhole(body, pieces, memory, patience))) return { kind: 'too-large' };
    return { kind: 'answer', status, headers, body: pieces.text };
  } catch (error) {
    return patience.reasonFor(error);
  } finally {
    patience.end();
  }
}

/** The body of a refusal, as far as it is read. */
export async function readRefusal(
  source: Readable,
  memory: AnswerMemory,
  patience: Patience,
): Promise<string> {
  const pieces = new Pieces();
  const isWhole = await readWhole(source, pieces, memory, patience, MAX_ERROR_BYTES);
  return isWhole ? pieces.text : '';
}

/** Whether a status says that what was asked for was done. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Sends one request and waits for the head of its answer.
 *
 * @param packing what the body may be packed with.
 * @throws what the sending failed with; `patience` knows what that means.
 */
export async function open(
  request: HttpRequest,
  patience: Patience,
  packing: string,
): Promise<Arrival> {
  const answer = await sender.request<IncomingMessage>({
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
  const headers = plainHeaders(answer.headers);
  const body = await unpacked(source, headers['content-encoding'] ?? '').catch((error: unknown) => {
    // A refusal says enough by its status and its headers.
    if (error instanceof UnknownPacking && !isSuccess(answer.status)) return Readable.from([]);
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

/** Headers with their names in lower case. */
function plainHeaders(headers: object): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
