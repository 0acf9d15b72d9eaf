import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import type { Patience } from './patience';
import {
  ClosedEarly,
  MAX_STREAM_BYTES,
  STREAM_TOO_LARGE,
  tooLarge,
  Troubled,
  unknownPacking,
} from './trouble';

/** What answers may be packed with. */
export const ACCEPTED_PACKING = 'gzip, deflate, br';

/**
 * The body of an answer, unpacked. Unlike axios' own unpacking this fails when a packed body was cut
 * off, and does not hand on what is packed in a way that nobody knows.
 *
 * @param encoding the header `Content-Encoding`.
 * @returns once the first bytes are there, because an empty body is never packed.
 * @throws {Troubled} when it is packed in a way that nobody knows.
 */
export async function unpacked(source: Readable, encoding: string): Promise<Readable> {
  const packing = encoding.trim().toLowerCase();
  if (packing === '' || packing === 'identity') return source;
  const first = await peek(source);
  if (first === undefined) return Readable.from([]);
  const unpacker = unpackerFor(packing);
  if (unpacker !== undefined) {
    // Whatever fails comes out of the unpacker.
    return pipeline(source, unpacker, () => undefined);
  }
  source.destroy();
  throw unknownPacking(packing);
}

/**
 * The first bytes of a stream, which stay in it; undefined when there are none.
 *
 * @throws whatever the stream failed with.
 */
export async function peek(source: Readable): Promise<Uint8Array | undefined> {
  return await new Promise((resolve, reject) => {
    source.once('error', reject);
    source.once('close', () => {
      reject(new ClosedEarly());
    });
    source.once('end', () => {
      resolve(undefined);
    });
    source.once('readable', () => {
      source.off('error', reject);
      const first = source.read() as Uint8Array | null;
      // At once: a moment later the stream may have ended.
      if (first !== null) source.unshift(first);
      resolve(first ?? undefined);
    });
  });
}

function unpackerFor(packing: string): Transform | undefined {
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      return createInflate();
    default:
      return undefined;
  }
}

/** So many pieces are made into one, or more where they are large: a server may send single bytes. */
const MANY_PIECES = 1024;

/** Bytes that are to be a text. */
class Pieces {
  private pieces: Uint8Array[] = [];
  bytes = 0;

  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.pieces.push(piece);
    if (this.pieces.length < MANY_PIECES + this.bytes / MANY_PIECES) return;
    this.pieces = [Buffer.concat(this.pieces)];
  }

  /** Without the mark that some begin UTF-8 with. */
  get text(): string {
    const [only = Buffer.alloc(0), ...others] = this.pieces;
    const bytes = others.length === 0 ? only : Buffer.concat(this.pieces);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
}

/**
 * Reads a body to its end, as fast as the memory of all answers allows. Time spent waiting for that is
 * not counted by `patience`.
 *
 * @param enough bytes after which the rest is not read: its beginning is all that is wanted.
 * @throws {ServiceError} when it is larger than any answer may be; whatever else the stream failed with.
 */
export async function readText(
  source: Readable,
  memory: AnswerMemory,
  patience: Patience,
  enough = Infinity,
): Promise<string> {
  const holding = memory.hold();
  const body = new Pieces();
  try {
    await new Promise<void>((resolve, reject) => {
      const goOn = (): void => {
        patience.go();
        source.resume();
      };
      source.on('data', (piece: Uint8Array) => {
        body.add(piece);
        if (body.bytes >= enough) resolve();
        else if (body.bytes > memory.largest) reject(tooLarge(memory.largest));
        else if (!holding.add(piece.length, goOn)) {
          source.pause();
          patience.pause();
        }
      });
      source.once('end', resolve);
      source.once('error', reject);
      source.once('close', () => {
        if (!source.readableEnded) reject(new ClosedEarly());
      });
    });
  } finally {
    holding.release();
    // Of a body that was read to its end this closes nothing.
    source.destroy();
  }
  return body.text;
}

/**
 * The least that has to arrive of a streamed body, on average over two request timeouts. An old modem
 * is seven times as fast; a body that comes slower than this would take days.
 */
const LEAST_BYTES_PER_SECOND = 1000;
const LEAST_RATE_OVER = 2;

/**
 * Hands a body on as it arrives. Only time in which it is waited for counts, not what its reader takes
 * to store it.
 *
 * @param close runs when it has ended, or nobody reads on.
 * @throws {ServiceError} when it does not come whole, or too slowly.
 */
export async function* inTime(
  source: Readable,
  patience: Patience,
  timeoutMs: number,
  close: () => void,
): AsyncGenerator<Uint8Array, undefined> {
  let total = 0;
  let recent = { bytes: 0, waitedMs: 0 };
  try {
    patience.goAnew();
    for await (const chunk of source as AsyncIterable<Uint8Array>) {
      patience.pause();
      total += chunk.length;
      if (total > MAX_STREAM_BYTES) throw new Troubled({ reason: STREAM_TOO_LARGE });
      recent.bytes += chunk.length;
      recent.waitedMs += patience.waitedMs;
      if (recent.waitedMs >= LEAST_RATE_OVER * timeoutMs) {
        if (recent.bytes < (LEAST_BYTES_PER_SECOND * recent.waitedMs) / 1000) throw tooSlow();
        recent = { bytes: 0, waitedMs: 0 };
      }
      yield chunk;
      patience.goAnew();
    }
    // A stream that was destroyed by hand ends without an error.
    patience.signal.throwIfAborted();
  } catch (error) {
    throw patience.brokenOff(error);
  } finally {
    close();
  }
}

function tooSlow(): Troubled {
  const reason = `it came slower than ${String(LEAST_BYTES_PER_SECOND)} bytes a second`;
  return new Troubled({ reason });
}

// --- How much is held ----------------------------------------------------------------------------

/**
 * The most that all answers under way in this process hold together. It counts the bytes of bodies,
 * unpacked, from their arrival until the last one is there. An answer is then made into text and
 * values at once, one answer at a time; for that moment they come on top.
 */
const TOGETHER_BYTES = 256 * 1024 * 1024;

/** The largest answer that is read, after unpacking. 10,000 rows are about 3 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** One answer's part of the memory. */
export interface Holding {
  /**
   * Counts bytes that have arrived.
   *
   * @returns true when more may be read; false when `onRoom` will be called once it may.
   */
  readonly add: (bytes: number, onRoom: () => void) => boolean;
  /** Nothing of the answer is held any more. */
  readonly release: () => void;
}

/**
 * Keeps what answers under way hold within bounds: those for which there is no room are not read on
 * for a while. The last part of the memory, as much as the largest answer takes, is always for one of
 * them alone, so that one can always be read to its end, however many have begun.
 */
export class AnswerMemory {
  private held = 0;
  /** Whose the last part is. */
  private foremost: Holding | undefined;
  private readonly waiting = new Map<Holding, () => void>();

  /**
   * @param together bytes of all answers.
   * @param largest bytes of one answer; a reader gives up beyond that.
   */
  constructor(
    private readonly together: number,
    readonly largest: number,
  ) {}

  /** Bytes that are held now. */
  get inUse(): number {
    return this.held;
  }

  hold(): Holding {
    let own = 0;
    const holding: Holding = {
      add: (bytes, onRoom) => {
        own += bytes;
        this.held += bytes;
        if (this.hasRoom || this.foremost === holding) return true;
        if (this.foremost === undefined) {
          this.foremost = holding;
          return true;
        }
        this.waiting.set(holding, onRoom);
        return false;
      },
      release: () => {
        this.held -= own;
        own = 0;
        this.waiting.delete(holding);
        if (this.foremost === holding) this.foremost = undefined;
        this.goOn();
      },
    };
    return holding;
  }

  private get hasRoom(): boolean {
    return this.held <= this.together - this.largest;
  }

  private goOn(): void {
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

/** The only one of this process; it has no state but what is under way. */
export const answerMemory = new AnswerMemory(TOGETHER_BYTES, MAX_RESPONSE_BYTES);
