import { csvKindOf, isLineEnd } from '../../api/lists/csv-bytes';
import { NUMBER_AFTER_SIGN } from './formula-guard';

const APOSTROPHE = "'".charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const PLAIN_SIGNS = bytesOf('=+-@');
/** Signs may begin a formula or a number. */
const NUMBER_SIGNS = bytesOf('+-');
const SEPARATORS = bytesOf(',;\t\r\n');
const CONTROLS = bytesOf('\t\r\n');
const TAB = '\t'.charCodeAt(0);
/** `＝＋－＠` in UTF-8: two bytes that all of them have, and one of its own. */
const WIDE_SIGN = [0xef, 0xbc] as const;
const WIDE_SIGNS = new Set([0x9d, 0x8b, 0x8d, 0xa0]);
/** Enough to see whether a sign begins a number, and what is behind it. */
const LOOK_AHEAD = 80;

/**
 * Puts an apostrophe wherever {@link guardFormula} puts one, into a CSV file, whatever it is
 * separated by. No other byte changes: quoting, line ends and encoding stay as they are.
 */
export async function* withoutFormulas(
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const { found, whole } = await csvKindOf(file);
  const guard = new FormulaGuard(found.delimiter);
  let { preface } = found;
  for await (const chunk of whole) {
    // It is no part of the first cell.
    if (preface > 0) yield chunk.subarray(0, preface);
    const bytes = guard.next(chunk.subarray(preface));
    preface = 0;
    if (bytes.length > 0) yield bytes;
  }
  yield guard.end();
}

class FormulaGuard {
  private rest: Buffer = Buffer.alloc(0);
  /** A cell begins here, by the file's own separator. */
  private isStart = true;
  private isQuoted = false;
  private hasJustClosed = false;
  /** Quotation marks since a cell could have begun; -1 when something else came since. */
  private quotes = 0;
  private readonly separators: ReadonlySet<number>;
  private readonly number: RegExp;
  /** Bytes inside a cell that change nothing. */
  private readonly isPlain: Uint8Array;

  constructor(private readonly delimiter: number) {
    this.separators = new Set([...SEPARATORS, delimiter]);
    this.number = new RegExp(
      `^[+-]${NUMBER_AFTER_SIGN}"?(?:[,;\\t\\r\\n\\x${delimiter.toString(16).padStart(2, '0')}]|$)`,
    );
    this.isPlain = Uint8Array.from({ length: 256 }, (_one, byte) =>
      byte === QUOTE || this.separators.has(byte) ? 0 : 1,
    );
  }

  next(chunk: Uint8Array): Uint8Array {
    return this.read(Buffer.concat([this.rest, chunk]), false);
  }

  end(): Uint8Array {
    return this.read(this.rest, true);
  }

  private read(bytes: Buffer, isEnd: boolean): Uint8Array {
    // An apostrophe for each byte at most.
    const out = Buffer.allocUnsafe(2 * bytes.length);
    let length = 0;
    let at = 0;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.quotes === -1) {
        // Nearly every byte.
        if (this.isPlain[byte] === 1) {
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
      return !mayBeNumber || !this.number.test(bytes.toString('latin1', at, at + LOOK_AHEAD));
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
    this.isStart = !this.isQuoted && (byte === this.delimiter || isLineEnd(byte));
    this.quotes = this.separators.has(byte) ? 0 : -1;
  }
}

function mayBeSign(byte: number): boolean {
  return PLAIN_SIGNS.has(byte) || byte === WIDE_SIGN[0];
}

function bytesOf(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters));
}
