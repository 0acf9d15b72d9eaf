import { NUMBER_AFTER_SIGN } from './formula-guard';

const APOSTROPHE = "'".charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const PLAIN_SIGNS = bytesOf('=+-@');
/** Signs may begin a formula or a number. */
const NUMBER_SIGNS = bytesOf('+-');
const SEPARATORS = bytesOf(',;\t\r\n');
const CONTROLS = bytesOf('\t\r\n');
const LINE_ENDS = bytesOf('\r\n');
const TAB = '\t'.charCodeAt(0);
/** Bytes inside a cell that change nothing. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_one, byte) =>
  byte === QUOTE || SEPARATORS.has(byte) ? 0 : 1,
);
/** What a file is separated by, the likeliest first. */
const DELIMITERS = [...bytesOf(',;\t')];
/** By so much of a file at most it is found out what separates it. */
const LONGEST_HEADER = 64 * 1024;
/** `＝＋－＠` in UTF-8: two bytes that all of them have, and one of its own. */
const WIDE_SIGN = [0xef, 0xbc] as const;
const WIDE_SIGNS = new Set([0x9d, 0x8b, 0x8d, 0xa0]);
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const NUMBER = new RegExp(`^[+-]${NUMBER_AFTER_SIGN}"?(?:[,;\\t\\r\\n]|$)`);
/** Enough to see whether a sign begins a number, and what is behind it. */
const LOOK_AHEAD = 80;

/**
 * Puts an apostrophe wherever {@link guardFormula} puts one, into a CSV file, whether it is separated by
 * commas, semicolons or tabs. No other byte changes: quoting, line ends and encoding stay as they are.
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

class FormulaGuard {
  private rest: Buffer = Buffer.alloc(0);
  /** What separates the cells; undefined until the first line is there. */
  private delimiter: number | undefined;
  /** A cell begins here, by the file's own separator. */
  private isStart = true;
  private isQuoted = false;
  private hasJustClosed = false;
  /** Quotation marks since a cell could have begun; -1 when something else came since. */
  private quotes = 0;

  next(chunk: Uint8Array): Uint8Array {
    return this.read(Buffer.concat([this.rest, chunk]), false);
  }

  end(): Uint8Array {
    return this.read(this.rest, true);
  }

  private read(bytes: Buffer, isEnd: boolean): Uint8Array {
    let from = 0;
    if (this.delimiter === undefined) {
      this.delimiter = delimiterOf(bytes, isEnd);
      // The mark is no part of the first cell.
      if (this.delimiter !== undefined && bytes.indexOf(BYTE_ORDER_MARK) === 0) {
        from = BYTE_ORDER_MARK.length;
      }
    }
    if (this.delimiter === undefined) {
      this.rest = bytes;
      return new Uint8Array();
    }
    // An apostrophe for each byte at most.
    const out = Buffer.allocUnsafe(2 * bytes.length);
    bytes.copy(out, 0, 0, from);
    let length = from;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.quotes === -1) {
        // Nearly every byte.
        if (IS_PLAIN[byte] === 1) {
          out[length] = byte;
          length += 1;
          this.hasJustClosed = false;
          continue;
        }
      } else {
        // What is behind has not arrived yet.
        if (!isEnd && mayBeSign(byte) && at + LOOK_AHEAD > bytes.length) break;
        if (this.isDangerous(bytes, at)) {
          out[length] = APOSTROPHE;
          length += 1;
        }
      }
      out[length] = byte;
      length += 1;
      this.pass(byte);
    }
    this.rest = bytes.subarray(at);
    return out.subarray(0, length);
  }

  /** Where a cell may begin, perhaps behind quotation marks. */
  private isDangerous(bytes: Buffer, at: number): boolean {
    const byte = bytes[at] ?? 0;
    if (CONTROLS.has(byte)) {
      const isOpened = this.quotes === 1 && this.isQuoted;
      return isOpened || (this.isStart && byte === TAB && byte !== this.delimiter);
    }
    if (PLAIN_SIGNS.has(byte)) {
      const mayBeNumber = this.quotes < 2 && NUMBER_SIGNS.has(byte);
      return !mayBeNumber || !NUMBER.test(bytes.toString('latin1', at, at + LOOK_AHEAD));
    }
    return (
      byte === WIDE_SIGN[0] && bytes[at + 1] === WIDE_SIGN[1] && WIDE_SIGNS.has(bytes[at + 2] ?? 0)
    );
  }

  private pass(byte: number): void {
    if (byte === QUOTE) {
      const opens = this.isStart || this.hasJustClosed;
      this.hasJustClosed = this.isQuoted;
      this.isQuoted = !this.isQuoted && opens;
      this.isStart = false;
      this.quotes = this.quotes === -1 || this.quotes === 2 ? -1 : this.quotes + 1;
      return;
    }
    this.hasJustClosed = false;
    this.isStart = !this.isQuoted && (byte === this.delimiter || LINE_ENDS.has(byte));
    this.quotes = SEPARATORS.has(byte) ? 0 : -1;
  }
}

/** The separator that the first line has most of; undefined while that line is not all there. */
export function delimiterOf(bytes: Buffer, isEnd: boolean): number | undefined {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isWhole = isEnd || bytes.length >= LONGEST_HEADER;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (LINE_ENDS.has(byte)) {
      isWhole = true;
      break;
    }
    const count = counts.get(byte);
    if (count !== undefined) counts.set(byte, count + 1);
  }
  if (!isWhole) return undefined;
  return DELIMITERS.reduce((best, one) =>
    (counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best,
  );
}

function mayBeSign(byte: number): boolean {
  return PLAIN_SIGNS.has(byte) || byte === WIDE_SIGN[0];
}

function bytesOf(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters));
}
