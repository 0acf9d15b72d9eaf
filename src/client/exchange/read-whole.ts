import type { Readable } from 'node:stream';

import type { AnswerMemory } from './answer-memory';
import type { Patience } from './patience';

/** So many pieces are made into one: a server may send them a byte at a time. */
const MANY_PIECES = 1024;
const SMALL_PIECES_BYTES = 1024 * 1024;

/** The connection was closed, and nothing said why. */
export class ClosedEarly extends Error {
  readonly code = 'ECONNRESET';
}

/** Bytes that arrived piece by piece. */
class Pieces {
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
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  }
}

/**
 * Reads a body to its end, as fast as the memory of all answers allows. Time spent waiting for that is
 * not counted by `patience`.
 *
 * @param enough bytes after which the rest is not read: its beginning is all that is wanted.
 * @returns undefined when it is larger than any answer may be.
 * @throws whatever the stream failed with.
 */
export async function readWhole(
  source: Readable,
  memory: AnswerMemory,
  patience: Patience,
  enough = Infinity,
): Promise<string | undefined> {
  const holding = memory.hold();
  const pieces = new Pieces();
  try {
    const isWhole = await new Promise<boolean>((resolve, reject) => {
      const goOn = (): void => {
        patience.go();
        source.resume();
      };
      source.on('data', (piece: Uint8Array) => {
        pieces.add(piece);
        if (pieces.bytes >= enough) resolve(true);
        else if (pieces.bytes > memory.largest) resolve(false);
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
    return isWhole ? pieces.text : undefined;
  } finally {
    holding.release();
    // Of a body that was read to its end this closes nothing.
    source.destroy();
  }
}
