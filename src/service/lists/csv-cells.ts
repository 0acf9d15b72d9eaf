import { InvalidResponseError } from '../../client/errors';

/** What a file is separated by, the likeliest first. */
const DELIMITERS = [',', ';', '\t', '|'];
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
/** The line by which a file tells spreadsheets what separates it; before it may be a byte order mark. */
const SAYS_DELIMITER = /^(?:\u00ef\u00bb\u00bf)?"?sep=([\t\x20-\x7e])"?(?:\r\n|\n|\r)/i;
const LONGEST_SAYING = 16;
/** By so much of a file at most it is found out what separates it. */
const LONGEST_HEADER = 64 * 1024;
/** Bytes of a cell, or of a line that is read whole; what does not end by then was never closed. */
export const LONGEST_CELL = 1024 * 1024;

/** How a CSV file is to be read. Its bytes are read as Latin-1, in which each is one character. */
export interface CsvKind {
  /** What is between cells. */
  readonly delimiter: string;
  /** What is before the first cell: a byte order mark, a `sep=` line. */
  readonly preface: string;
}

/** A part of a CSV file: a cell as it is written there, and what ends it. */
export interface Cell {
  readonly text: string;
  /** What is between quotation marks, those in it doubled; undefined where it is not quoted. */
  readonly quoted: string | undefined;
  /** The second quotation mark; empty where the file ends before it. */
  readonly close: string;
  /** What is not quoted; behind a quoted part, something that should not be there. */
  readonly plain: string;
  /** A delimiter, a character that ends a line, or nothing at the end of the file. */
  readonly end: string;
}

/** The kind of a file, and what is behind its preface, which is read once. */
export async function csvKindOf(
  file: AsyncIterable<Uint8Array>,
): Promise<CsvKind & { readonly rest: AsyncIterable<Uint8Array> }> {
  const { found, whole } = await beginningOf(file, (start, isEnd) =>
    isEnd || start.length >= LONGEST_SAYING ? kindIn(start.toString('latin1'), isEnd) : undefined,
  );
  return { ...found, rest: behind(found.preface.length, whole) };
}

/** A file without its first bytes, which come in one piece. */
async function* behind(
  bytes: number,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  let left = bytes;
  for await (const chunk of file) {
    yield chunk.subarray(left);
    left = 0;
  }
}

/** Undefined while the first line is not all there. */
function kindIn(start: string, isEnd: boolean): CsvKind | undefined {
  const [saying, said] = SAYS_DELIMITER.exec(start) ?? [];
  if (saying !== undefined && said !== undefined) return { delimiter: said, preface: saying };
  const preface = start.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const unquoted = start.replace(/"[^"]*(?:"|$)/g, '');
  const [header = '', ...others] = unquoted.split(/[\r\n]/, 2);
  if (others.length === 0 && !isEnd && start.length < LONGEST_HEADER) return undefined;
  const cells = (delimiter: string) => header.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((best, one) => (cells(one) > cells(best) ? one : best));
  return { delimiter, preface };
}

/**
 * A file with other cells. Quotation marks count where a cell begins with one, as spreadsheets have it;
 * between the two characters of a line end is an empty cell. Cells are not kept: lists of them would
 * outlive the garbage that they are, and n8n's process would grow by it.
 *
 * @param file without its preface.
 * @param rewrite gives what comes out for a cell; its `text` where that stays as it is.
 * @throws {InvalidResponseError} for a cell that goes on and on, and what `rewrite` throws.
 */
export async function* withCells(
  file: AsyncIterable<Uint8Array>,
  delimiter: string,
  rewrite: (cell: Cell) => string,
): AsyncGenerator<Uint8Array, undefined> {
  const ends = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}\\r\\n`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)("|$))?([^${ends}]*)([${ends}]|$)`, 'y');
  let left = '';
  for await (const chunk of file) {
    const { done, rest } = rewritten(left + Buffer.from(chunk).toString('latin1'), cell, rewrite);
    left = rest;
    if (left.length > LONGEST_CELL) throw endless();
    yield Buffer.from(done, 'latin1');
  }
  yield Buffer.from(rewritten(left, cell, rewrite, true).done, 'latin1');
}

/** @param isEnd whether the last cell is one although nothing ends it. */
function rewritten(
  text: string,
  pattern: RegExp,
  rewrite: (cell: Cell) => string,
  isEnd = false,
): { readonly done: string; readonly rest: string } {
  let done = '';
  let unchanged = 0;
  let at = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [whole, quoted, close = '', plain = '', end = ''] = found;
    if (end === '' && !isEnd) break;
    const becomes = rewrite({ text: whole, quoted, close, plain, end });
    if (becomes !== whole) {
      done += text.slice(unchanged, at) + becomes;
      unchanged = at + whole.length;
    }
    at += whole.length;
    if (end === '') break;
  }
  return { done: done + text.slice(unchanged, at), rest: text.slice(at) };
}

function endless(): InvalidResponseError {
  return new InvalidResponseError({
    code: 'invalid_csv',
    message: 'The exported CSV cannot be read: a cell in it does not end',
    hint: 'A quotation mark is missing in what the service exports. Without Escape Formulas, CSV File gives it as it is.',
  });
}

/**
 * Reads the beginning of a file, which stays in it.
 *
 * @param read makes something of what has arrived; undefined while it is not enough, but not at the end.
 * @throws what `read` throws; nothing more is read then.
 */
async function beginningOf<T>(
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
