import type { Readable } from 'node:stream';

import type { Headers } from '../retry-after';
import { answerMemory } from './answer-memory';
import { Patience, type Exchange, type HttpRequest, type Unanswered } from './outcome';
import { isSuccess, open, readRefusal } from './transport';

/** The largest answer that is streamed. A million members are about 100 MB of CSV. */
export const MAX_STREAM_BYTES = 1024 * 1024 * 1024;

/**
 * The least that has to arrive of a body, on average over {@link LEAST_RATE_OVER} request timeouts.
 * An old modem is seven times as fast; a body that comes slower than this would take days.
 */
const LEAST_BYTES_PER_SECOND = 1000;
const LEAST_RATE_OVER = 2;

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
 * as by {@link exchange}. `timeoutMs` is how long the service may keep silent between two bytes, and
 * over twice that time at least 1,000 bytes a second have to arrive. Only time in which the body is
 * waited for counts, not what its reader takes to store it.
 */
export async function openStream(request: HttpRequest): Promise<Exchange | StreamedAnswer> {
  const patience = new Patience(request);
  try {
    // Asked for unpacked, because packed bytes say little about how much there is to come.
    const arrival = await patience.wait(async () => await open(request, patience, 'identity'));
    const { status, headers, body: source } = arrival;
    if (!isSuccess(status)) {
      const body = await patience.wait(
        async () => await readRefusal(source, answerMemory, patience),
      );
      patience.end();
      return { kind: 'answer', status, headers, body };
    }
    const close = (): void => {
      patience.giveUp();
      source.destroy();
    };
    const chunks = readInTime(source, patience, request.timeoutMs);
    const first = await chunks.next();
    const start = first.done === true ? new Uint8Array() : first.value;
    return { kind: 'stream', status, headers, start, body: wholeBody(start, chunks, close), close };
  } catch (error) {
    patience.giveUp();
    return error instanceof BrokenStream ? error.exchange : patience.reasonFor(error);
  }
}

/** @throws {BrokenStream} */
async function* readInTime(
  source: Readable,
  patience: Patience,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, undefined> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const pace = new LeastRate(LEAST_RATE_OVER * timeoutMs);
  let bytes = 0;
  for (;;) {
    let chunk: IteratorResult<Uint8Array>;
    const since = performance.now();
    try {
      chunk = await patience.wait(async () => await chunks.next());
    } catch (error) {
      throw new BrokenStream(patience.reasonFor(error));
    }
    // A stream that was destroyed by hand ends without an error.
    if (patience.signal.aborted) throw new BrokenStream(patience.reasonFor(undefined));
    if (chunk.done === true) return;
    bytes += chunk.value.length;
    if (bytes > MAX_STREAM_BYTES) throw new BrokenStream({ kind: 'too-large' });
    if (!pace.isKept(chunk.value.length, performance.now() - since)) {
      const reason = `it came slower than ${String(LEAST_BYTES_PER_SECOND)} bytes a second`;
      throw new BrokenStream({ kind: 'no-answer', maybeProcessed: true, reason });
    }
    yield chunk.value;
  }
}

/** Notices a body that never keeps silent and never gets anywhere. */
class LeastRate {
  private bytes = 0;
  private waitedMs = 0;

  constructor(private readonly windowMs: number) {}

  /** @returns false when a window has ended in which too little came. */
  isKept(bytes: number, waitedMs: number): boolean {
    this.bytes += bytes;
    this.waitedMs += waitedMs;
    if (this.waitedMs < this.windowMs) return true;
    const isKept = this.bytes >= (LEAST_BYTES_PER_SECOND * this.waitedMs) / 1000;
    this.bytes = 0;
    this.waitedMs = 0;
    return isKept;
  }
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
