const QUOTE = '"'.charCodeAt(0);
const [RETURN, NEWLINE] = [0x0d, 0x0a];
/** What a file is separated by, the likeliest first. */
const DELIMITERS = [...Buffer.from(',;\t|')];
/** The line by which a file tells spreadsheets what separates it; before it may be a byte order mark. */
const SAYS_DELIMITER = /^(?:\u00ef\u00bb\u00bf)?"?sep=([\t\x20-\x7e])"?(?:\r\n|\n|\r)/i;
const LONGEST_SAYING = 16;
/** By so much of a file at most it is found out what separates it. */
const LONGEST_HEADER = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** How a CSV file is to be read. */
export interface CsvKind {
  /** The byte between cells. */
  readonly delimiter: number;
  /** Bytes before the first cell: the byte order mark, a `sep=` line. */
  readonly preface: number;
}

/** The kind of a file, and the whole of it, which is read once. */
export async function csvKindOf(
  file: AsyncIterable<Uint8Array>,
): Promise<{ readonly found: CsvKind; readonly whole: AsyncIterable<Uint8Array> }> {
  return await beginningOf(file, kindIn);
}

/** Undefined while the first line is not all there. */
function kindIn(start: Buffer, isEnd: boolean): CsvKind | undefined {
  if (!isEnd && start.length < LONGEST_SAYING) return undefined;
  const [saying, said] = SAYS_DELIMITER.exec(start.toString('latin1', 0, LONGEST_SAYING)) ?? [];
  if (saying !== undefined && said !== undefined) {
    return { delimiter: said.charCodeAt(0), preface: saying.length };
  }
  const preface = start.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0;
  const delimiter = mostOf(start, isEnd || start.length >= LONGEST_HEADER);
  return delimiter === undefined ? undefined : { delimiter, preface };
}

/** The separator that the first line has most of. */
function mostOf(start: Buffer, isAll: boolean): number | undefined {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  let isWhole = isAll;
  for (const byte of start) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (isLineEnd(byte)) {
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

/** Whether a byte ends a line. */
export function isLineEnd(byte: number | undefined): boolean {
  return byte === RETURN || byte === NEWLINE;
}

/**
 * Reads the beginning of a file, which stays in it.
 *
 * @param read makes something of what has arrived; undefined while it is not enough, but not at the end.
 * @throws what `read` throws; nothing more is read then.
 */
export async function beginningOf<T>(
  file: AsyncIterable<Uint8Array>,
  read: (start: Buffer, isEnd: boolean) => T | undefined,
): Promise<{ readonly found: T; readonly whole: AsyncIterable<Uint8Array> }> {
  const chunks = file[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  try {
    for (;;) {
      const next = await chunks.next();
      if (next.done !== true) start = Buffer.concat([start, next.value]);
      const found = read(start, next.done === true);
      if (found !== undefined) return { found, whole: joined(start, chunks) };
    }
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function* joined(
  start: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    if (start.length > 0) yield start;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Follows the lines and cells of a CSV file. */
export class CsvLines {
  private isQuoted = false;
  /** A quotation mark here would begin a cell, or go on with one. */
  private mayOpen = true;
  private isEmpty = true;
  private separators = 0;
  private expected: number | undefined;

  constructor(private readonly delimiter: number) {}

  read(bytes: Uint8Array): void {
    for (const byte of bytes) this.pass(byte);
  }

  /**
   * Whether the file cannot end here: in the middle of a quoted cell, or in a last line that is not
   * ended and has fewer cells than the first one. Files whose last line is whole but not ended are common.
   */
  get isCut(): boolean {
    return this.isQuoted || (!this.isEmpty && this.separators < (this.expected ?? 0));
  }

  private pass(byte: number): void {
    if (byte === QUOTE && (this.isQuoted || this.mayOpen)) {
      // Behind a closing one, a second one goes on with the cell.
      this.mayOpen = this.isQuoted;
      this.isQuoted = !this.isQuoted;
      this.isEmpty = false;
      return;
    }
    if (this.isQuoted) return;
    const isEnd = isLineEnd(byte);
    this.mayOpen = isEnd || byte === this.delimiter;
    if (isEnd) {
      if (!this.isEmpty) this.expected ??= this.separators;
      this.separators = 0;
    } else if (byte === this.delimiter) this.separators += 1;
    this.isEmpty = isEnd;
  }
}
