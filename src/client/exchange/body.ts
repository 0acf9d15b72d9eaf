import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

import type { AnswerMemory } from './answer-memory';
import type { Patience } from './outcome';

/** What answers may be packed with. */
export const ACCEPTED_PACKING = 'gzip, deflate, br';

/** So often an answer may be packed; more is an attack, or a mistake. */
const MAX_LAYERS = 5;

/** An answer is packed in a way that was not asked for. */
export class UnknownPacking extends Error {
  override readonly name = 'UnknownPacking';

  constructor(readonly packing: string) {
    super('The answer is packed in a way that was not asked for');
  }
}

/**
 * The body of an answer, unpacked. Unlike axios' own unpacking this fails when a packed body was cut
 * off, and does not hand on what is packed in a way that nobody knows.
 *
 * @param encoding the header `Content-Encoding`; it may name several, the last one the outermost.
 * @returns once the first bytes are there, because they tell two kinds of `deflate` apart and because
 * an empty body is never packed.
 * @throws {UnknownPacking}
 */
export async function unpacked(source: Readable, encoding: string): Promise<Readable> {
  const names = encoding.toLowerCase().split(',');
  const layers = names.map((name) => name.trim()).filter((name) => !/^(?:identity)?$/.test(name));
  let body = source;
  for (const layer of layers.reverse()) {
    const first = await peek(body);
    if (first === undefined) return Readable.from([]);
    const unpacker = layers.length > MAX_LAYERS ? undefined : unpackerFor(layer, first);
    if (unpacker === undefined) {
      source.destroy();
      throw new UnknownPacking(encoding.trim());
    }
    // Whatever fails comes out of the unpacker.
    body = pipeline(body, unpacker, () => undefined);
  }
  return body;
}

/** The first bytes of a stream, which stay in it; undefined when there are none. */
async function peek(source: Readable): Promise<Uint8Array | undefined> {
  return await new Promise((resolve, reject) => {
    source.once('error', reject);
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

function unpackerFor(packing: string, first: Uint8Array): Transform | undefined {
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // Some servers leave the header out that the name stands for.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return undefined;
  }
}

/** So many pieces are made into one: a server may send them a byte at a time. */
const MANY_PIECES = 1024;
const SMALL_PIECES_BYTES = 1024 * 1024;

/** The connection was closed, and nothing said why. */
export class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';
}

/** Bytes that are to be a text. */
export class Pieces {
  private readonly whole: Uint8Array[] = [];
  private recent: Uint8Array[] = [];
  private recentBytes = 0;
  bytes = 0;

  add(piece: Uint8Array): void {
    this.bytes += piece.length;
    this.recent.push(piece);
    this.recentBytes += piece.length;
    if (this.recent.length < MANY_PIECES && this.recentBytes < SMALL_PIECES_BYTES) return;
    if (this.recentBytes < SMALL_PIECES_BYTES) this.recent = [Buffer.concat(this.recent)];
    this.whole.push(...this.recent);
    this.recent = [];
    this.recentBytes = 0;
  }

  get text(): string {
    const all = [...this.whole, ...this.recent];
    const [only] = all;
    const bytes = all.length === 1 && only !== undefined ? only : Buffer.concat(all);
    return withoutMark(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  }
}

/** A text without the mark that some begin UTF-8 with. */
function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Reads a body to its end, as fast as the memory of all answers allows. Time spent waiting for that is
 * not counted by `patience`.
 *
 * @param body gets the bytes.
 * @param enough bytes after which the rest is not read: its beginning is all that is wanted.
 * @returns false when it is larger than any answer may be.
 * @throws whatever the stream failed with.
 */
export async function readWhole(
  source: Readable,
  body: Pieces,
  memory: AnswerMemory,
  patience: Patience,
  enough = Infinity,
): Promise<boolean> {
  const holding = memory.hold();
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const goOn = (): void => {
        patience.go();
        source.resume();
      };
      source.on('data', (piece: Uint8Array) => {
        body.add(piece);
        if (body.bytes >= enough) resolve(true);
        else if (body.bytes > memory.largest) resolve(false);
        else if (!holding.add(piece.length, goOn)) {
          source.pause();
          patience.pause();
        }
      });
      source.once('end', () => {
        resolve(true);
      });
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
}
