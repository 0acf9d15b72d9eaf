import { guardFormula } from './formula-guard';

/** Signs may begin a formula or a number. */
const SIGNS = new Set(['+'.charCodeAt(0), '-'.charCodeAt(0)]);
/** No number is longer; what is, need not be kept back until its end. */
const LONGEST_NUMBER = 64;

const QUOTE = '"'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const LINE_ENDS = new Set(['\r'.charCodeAt(0), '\n'.charCodeAt(0)]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Puts an apostrophe before every cell of a CSV file that {@link guardFormula} puts one before.
 * No other byte changes: quoting, line ends and the encoding stay as they are.
 */
export async function* withoutFormulas(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const guard = new FormulaGuard();
  for await (const chunk of file) {
    const bytes = guard.next(chunk);
    if (bytes.length > 0) yield bytes;
  }
  yield guard.end();
}

type Place =
  /** Before the first byte of a cell. */
  | 'cell'
  /** Behind the quote that opens a cell. */
  | 'opened'
  | 'plain'
  | 'quoted'
  /** Behind a quote in a quoted cell: its end, or one half of a quote. */
  | 'quote'
  /** In a cell that begins with a sign, until it is clear whether it is a number. */
  | 'signed'
  | 'signedQuoted';

class FormulaGuard {
  private place: Place = 'cell';
  private out = Buffer.alloc(0);
  private length = 0;
  private signed: number[] = [];
  private mark = [...BYTE_ORDER_MARK];

  next(chunk: Uint8Array): Uint8Array {
    // An apostrophe for each byte at most, and what was kept back.
    this.out = Buffer.allocUnsafe(2 * (chunk.length + LONGEST_NUMBER + 1));
    this.length = 0;
    for (const byte of chunk) this.read(byte);
    return this.out.subarray(0, this.length);
  }

  end(): Uint8Array {
    this.out = Buffer.allocUnsafe(2 * (LONGEST_NUMBER + 1));
    this.length = 0;
    this.settleSigned();
    return this.out.subarray(0, this.length);
  }

  private read(byte: number): void {
    if (this.mark.shift() === byte) {
      this.put(byte);
      return;
    }
    this.mark = [];
    if (this.place === 'signed' || this.place === 'signedQuoted') {
      const quoted = this.place === 'signedQuoted';
      const ends = quoted ? byte === QUOTE : byte === COMMA || LINE_ENDS.has(byte);
      if (!ends && this.signed.length <= LONGEST_NUMBER) {
        this.signed.push(byte);
        return;
      }
      this.settleSigned();
      this.place = quoted ? 'quoted' : 'plain';
    }
    if (this.place === 'cell' || this.place === 'opened') this.begin(byte, this.place === 'opened');
    else this.goOn(byte);
  }

  /** The first byte of a cell. */
  private begin(byte: number, quoted: boolean): void {
    if (byte === QUOTE) {
      this.place = quoted ? 'quote' : 'opened';
    } else if (!quoted && (byte === COMMA || LINE_ENDS.has(byte))) {
      this.place = 'cell';
    } else if (SIGNS.has(byte)) {
      this.signed = [byte];
      this.place = quoted ? 'signedQuoted' : 'signed';
      return;
    } else {
      this.place = quoted ? 'quoted' : 'plain';
      this.push(guardFormula(String.fromCharCode(byte)));
      return;
    }
    this.put(byte);
  }

  /** Any other byte of a cell, or the one that ends it. */
  private goOn(byte: number): void {
    this.put(byte);
    if (this.place === 'quoted') {
      if (byte === QUOTE) this.place = 'quote';
    } else if (byte === COMMA || LINE_ENDS.has(byte)) {
      this.place = 'cell';
    } else {
      this.place = this.place === 'quote' && byte === QUOTE ? 'quoted' : 'plain';
    }
  }

  private settleSigned(): void {
    this.push(guardFormula(String.fromCharCode(...this.signed)));
    this.signed = [];
  }

  private push(bytes: string): void {
    for (let at = 0; at < bytes.length; at += 1) this.put(bytes.charCodeAt(at));
  }

  private put(byte: number): void {
    this.out[this.length] = byte;
    this.length += 1;
  }
}
