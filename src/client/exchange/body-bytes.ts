/** The first buffer that a body gets; it grows by doubling. */
const FIRST_BYTES = 64 * 1024;

/**
 * Buffers that are used for one body after the other. What V8 frees is freed late where there is
 * memory to spare, and bodies are megabytes: a hundred of them would be there at the same time.
 */
export class Buffers {
  private readonly free: Buffer[] = [];

  /** The buffer that was given back last, or a new one. */
  take(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  giveBack(buffer: Buffer): void {
    this.free.push(buffer);
  }
}

/** The bytes of a body, one after the other in one buffer. */
export class BodyBytes {
  private buffer: Buffer | undefined;
  private length = 0;

  constructor(private readonly buffers: Buffers) {}

  get bytes(): number {
    return this.length;
  }

  add(piece: Uint8Array): void {
    const end = this.length + piece.length;
    let buffer = this.buffer ?? this.buffers.take();
    if (end > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(end)));
      buffer.copy(larger, 0, 0, this.length);
      buffer = larger;
    }
    buffer.set(piece, this.length);
    this.buffer = buffer;
    this.length = end;
  }

  /** All of them, as they lie in memory: to be looked at, and not kept. */
  get view(): Uint8Array {
    return this.buffer?.subarray(0, this.length) ?? new Uint8Array();
  }

  /** The text between two of them. */
  text(from: number, to: number): string {
    // What is empty after it was given back must not be taken for the text.
    if (to > this.length) throw new RangeError('These bytes are not there');
    return this.buffer?.toString('utf8', from, to) ?? '';
  }

  /** Gives the buffer back. */
  release(): void {
    if (this.buffer !== undefined) this.buffers.giveBack(this.buffer);
    this.buffer = undefined;
    this.length = 0;
  }
}
