import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import type { RequestDeadline } from './request-deadline';
import {
  ClosedEarlyError,
  MAX_STREAM_BYTES,
  STREAM_TOO_LARGE,
  createTooLargeError,
  TransportFaultError,
  createUnknownEncodingError,
} from './transport-fault';

/** Content encodings that the client accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

const DECOMPRESSORS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Decompresses the body of a response. Unlike axios, it fails if a compressed body was cut off, and it
 * does not pass on a body with an unknown encoding.
 *
 * @param encoding The `Content-Encoding` header.
 * @returns The body, once its first bytes have arrived, because an empty body is never compressed.
 * @throws {TransportFaultError} if the encoding is unknown.
 */
export async function decompressBody(source: Readable, encoding: string): Promise<Readable> {
  const packing = encoding.trim().toLowerCase();
  if (packing === '' || packing === 'identity') return source;
  const first = await peekFirstBytes(source);
  if (first === undefined) return Readable.from([]);
  const createDecompressor = DECOMPRESSORS.get(packing);
  if (createDecompressor === undefined) {
    source.destroy();
    throw createUnknownEncodingError(packing);
  }
  // Any failure surfaces as an error of the decompressor.
  return pipeline(source, createDecompressor(), () => undefined);
}

/**
 * Returns the first bytes of a stream without consuming them; undefined if the stream is empty.
 *
 * @throws Whatever the stream failed with.
 */
export async function peekFirstBytes(source: Readable): Promise<Uint8Array | undefined> {
  return await new Promise((resolve, reject) => {
    source.once('error', reject);
    source.once('close', () => {
      reject(new ClosedEarlyError());
    });
    source.once('end', () => {
      resolve(undefined);
    });
    source.once('readable', () => {
      source.off('error', reject);
      const first = source.read() as Uint8Array | null;
      // Put back immediately, because a moment later the stream may have ended.
      if (first !== null) source.unshift(first);
      resolve(first ?? undefined);
    });
  });
}

/** Number of chunks (more if they are large) after which they are merged, because a server may send single bytes. */
const MANY_PIECES = 1024;

/** Collects the chunks of a text. */
class TextChunks {
  private pieces: Uint8Array[] = [];
  bytes = 0;

  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.pieces.push(piece);
    if (this.pieces.length < MANY_PIECES + this.bytes / MANY_PIECES) return;
    this.pieces = [Buffer.concat(this.pieces)];
  }

  /** The text without a byte order mark. */
  get text(): string {
    const [only = Buffer.alloc(0), ...others] = this.pieces;
    const bytes = others.length === 0 ? only : Buffer.concat(this.pieces);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
}

/**
 * Reads a body to its end, as fast as the shared memory budget allows. Time spent waiting for memory does
 * not count toward the deadline in `deadline`.
 *
 * @param enough Number of bytes after which the rest is not read, for bodies of which only the start is needed.
 * @throws {ServiceError} if the body is larger than the maximum; otherwise whatever the stream failed with.
 */
export async function readText(
  source: Readable,
  memory: ResponseMemoryBudget,
  deadline: RequestDeadline,
  enough = Infinity,
): Promise<string> {
  const holding = memory.reserve();
  const body = new TextChunks();
  try {
    await new Promise<void>((resolve, reject) => {
      const resumeReading = (): void => {
        deadline.start();
        source.resume();
      };
      source.on('data', (piece: Uint8Array) => {
        body.add(piece);
        if (body.bytes >= enough) resolve();
        else if (body.bytes > memory.largest) reject(createTooLargeError(memory.largest));
        else if (!holding.add(piece.length, resumeReading)) {
          source.pause();
          deadline.pause();
        }
      });
      source.once('end', resolve);
      source.once('error', reject);
      source.once('close', () => {
        if (!source.readableEnded) reject(new ClosedEarlyError());
      });
    });
  } finally {
    holding.release();
    // For a body that was read to its end, this has no effect on the connection.
    source.destroy();
  }
  return body.text;
}

/**
 * Minimum average rate of a streamed body over two request timeouts. An old modem is seven times as fast;
 * a slower body would take days.
 */
const MIN_BYTES_PER_SECOND = 1000;
const TIMEOUTS_BEFORE_MIN_RATE = 2;

/**
 * Passes on a body as it arrives. Only the time spent waiting for the service counts toward the deadline,
 * not the time that the consumer takes to store the data.
 *
 * @param close Called when the body has ended or the consumer stops reading.
 * @throws {ServiceError} if the body does not arrive completely, or arrives too slowly.
 */
export async function* withDeadline(
  source: Readable,
  deadline: RequestDeadline,
  timeoutMs: number,
  close: () => void,
): AsyncGenerator<Uint8Array, undefined> {
  let total = 0;
  let recent = { bytes: 0, waitedMs: 0 };
  try {
    deadline.restart();
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      deadline.pause();
      total += chunk.length;
      if (total > MAX_STREAM_BYTES) throw new TransportFaultError({ reason: STREAM_TOO_LARGE });
      recent.bytes += chunk.length;
      recent.waitedMs += deadline.elapsedMs;
      if (recent.waitedMs >= TIMEOUTS_BEFORE_MIN_RATE * timeoutMs) {
        if (recent.bytes < (MIN_BYTES_PER_SECOND * recent.waitedMs) / 1000)
          throw createTooSlowError();
        recent = { bytes: 0, waitedMs: 0 };
      }
      yield chunk;
      deadline.restart();
    }
    // A stream that was destroyed explicitly ends without an error.
    deadline.signal.throwIfAborted();
  } catch (error) {
    throw deadline.toTruncatedError(error);
  } finally {
    close();
  }
}

function createTooSlowError(): TransportFaultError {
  const reason = `it arrived at less than ${String(MIN_BYTES_PER_SECOND)} bytes per second`;
  return new TransportFaultError({ reason });
}

// --- Memory budget -------------------------------------------------------------------------------

/**
 * Memory budget for all responses in flight in this process. It counts the decompressed bytes of a body
 * from their arrival until the body is complete. A complete body is then converted to text and values
 * synchronously, one response at a time; that memory is not counted.
 */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

/** Maximum size of a response after decompression. 10,000 rows are about 3 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** One response's reservation in the memory budget. */
export interface MemoryReservation {
  /**
   * Counts bytes that have arrived.
   *
   * @returns True if more can be read; false if the reader must wait until `onRoom` is called.
   */
  readonly add: (bytes: number, onRoom: () => void) => boolean;
  /** Releases all memory of the response. */
  readonly release: () => void;
}

/**
 * Bounds the memory of responses in flight: responses that exceed the budget pause. The last part of the
 * budget, as large as the largest response, is always reserved for a single response, so that one
 * response can always be read to its end, however many have started.
 */
export class ResponseMemoryBudget {
  private heldBytes = 0;
  /** The response that owns the last part of the budget. */
  private foremost: MemoryReservation | undefined;
  private readonly waiting = new Map<MemoryReservation, () => void>();

  /**
   * @param together Maximum bytes of all responses together.
   * @param largest Maximum bytes of one response; a reader gives up beyond that.
   */
  constructor(
    private readonly together: number,
    readonly largest: number,
  ) {}

  /** Bytes that are currently reserved. */
  get inUse(): number {
    return this.heldBytes;
  }

  reserve(): MemoryReservation {
    let own = 0;
    const holding: MemoryReservation = {
      add: (bytes, onRoom) => {
        own += bytes;
        this.heldBytes += bytes;
        if (this.hasRoom || this.foremost === holding) return true;
        if (this.foremost === undefined) {
          this.foremost = holding;
          return true;
        }
        this.waiting.set(holding, onRoom);
        return false;
      },
      release: () => {
        this.heldBytes -= own;
        own = 0;
        this.waiting.delete(holding);
        if (this.foremost === holding) this.foremost = undefined;
        this.resumeNext();
      },
    };
    return holding;
  }

  private get hasRoom(): boolean {
    return this.heldBytes <= this.together - this.largest;
  }

  private resumeNext(): void {
    for (const [holding, onRoom] of [...this.waiting]) {
      if (!this.hasRoom) {
        if (this.foremost !== undefined) return;
        this.foremost = holding;
      }
      this.waiting.delete(holding);
      onRoom();
    }
  }
}

/** The memory budget of this process. Its only state is the responses in flight. */
export const responseMemoryBudget = new ResponseMemoryBudget(MAX_TOTAL_BYTES, MAX_RESPONSE_BYTES);
