import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

import { isRecord } from './is-record';
import type { Headers } from './retry-after';
import {
  http,
  httpConfig,
  Patience,
  plainHeaders,
  type Exchange,
  type HttpRequest,
  type Unanswered,
} from './transport';

/** The largest answer that is streamed. A million members are about 100 MB of CSV. */
export const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

/** What is read of an error's body; more would not be shown. */
const MAX_ERROR_BYTES = 1024 * 1024;

/** An answer whose body is read as it arrives. */
export interface StreamedAnswer {
  readonly kind: 'stream';
  readonly status: number;
  readonly headers: Headers;
  /** The first bytes of the body; empty when it has none. */
  readonly start: Uint8Array;
  /**
   * The whole body, its first bytes included. Read once.
   *
   * @throws {BrokenStream} when it does not come whole.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** Gives up what was not read. */
  readonly close: () => void;
}

/** The body of an answer broke off. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';

  constructor(readonly exchange: Unanswered) {
    super('The body of the answer broke off');
  }
}

/**
 * Sends one request and waits for the first bytes of a successful answer; any other answer is read
 * as by {@link exchange}. `timeoutMs` is how long the service may keep silent between two bytes.
 */
export async function openStream(request: HttpRequest): Promise<Exchange | StreamedAnswer> {
  const patience = new Patience(request);
  try {
    const answer = await patience.wait(async () =>
      http.request<Readable>({
        // axios would take a packed body that was cut for a whole one.
        ...httpConfig(
          { ...request, headers: { ...request.headers, 'Accept-Encoding': 'identity' } },
          patience.signal,
        ),
        decompress: false,
        responseType: 'stream',
        maxContentLength: MAX_STREAM_BYTES,
      }),
    );
    const { status } = answer;
    const source = unpacked(answer.data, plainHeaders(answer.headers)['content-encoding']);
    const close = (): void => {
      patience.giveUp();
      source.destroy();
    };
    // The socket's own error comes out of the iterator too; unheard here, it would end the process.
    source.on('error', () => undefined);
    patience.signal.addEventListener('abort', close, { once: true });
    const headers = plainHeaders(answer.headers);
    const chunks = readInTime(source, patience);
    if (status < 200 || status >= 300) {
      const body = await textOf(chunks);
      close();
      return { kind: 'answer', status, headers, body };
    }
    const first = await chunks.next();
    const start = first.done === true ? new Uint8Array() : first.value;
    return { kind: 'stream', status, headers, start, body: wholeBody(start, chunks, close), close };
  } catch (error) {
    patience.end();
    return error instanceof BrokenStream ? error.exchange : patience.reasonFor(error);
  }
}

/** A body that was packed although nobody asked for it; one that is cut does not end without an error. */
function unpacked(body: Readable, encoding = 'identity'): Readable {
  const named = encoding.trim().toLowerCase();
  if (named === 'identity' || named === '') return body;
  const unpack = named === 'br' ? createBrotliDecompress() : createUnzip();
  return pipeline(body, unpack, () => undefined);
}

/** @throws {BrokenStream} */
async function* readInTime(
  source: Readable,
  patience: Patience,
): AsyncGenerator<Uint8Array, undefined> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let bytes = 0;
  for (;;) {
    let chunk: IteratorResult<Uint8Array>;
    try {
      chunk = await patience.wait(async () => await chunks.next());
    } catch (error) {
      throw new BrokenStream(isPackingError(error) ? NOT_UNPACKED : patience.reasonFor(error));
    }
    if (chunk.done !== true) bytes += chunk.value.length;
    if (bytes > MAX_STREAM_BYTES) throw new BrokenStream({ kind: 'too-large' });
    // A stream that was destroyed by hand ends without an error.
    if (patience.signal.aborted) throw new BrokenStream(patience.reasonFor(undefined));
    if (chunk.done === true) return;
    yield chunk.value;
  }
}

const NOT_UNPACKED: Unanswered = {
  kind: 'no-answer',
  maybeProcessed: true,
  reason: 'it came packed, and could not be unpacked to its end',
};

function isPackingError(error: unknown): boolean {
  return isRecord(error) && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(String(error.code));
}

async function* wholeBody(
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  close: () => void,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    if (start.length > 0) yield start;
    yield* rest;
  } finally {
    close();
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(kept).toString('utf8');
}
