import { InvalidResponseError } from '../../client/errors';

/** Delimiters of a file, the most likely first. */
const DELIMITERS = [',', ';', '\t', '|'];
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
/** The line that states the delimiter of a file for spreadsheets, optionally after a byte order mark. */
const SEP_LINE = /^(?:\u00ef\u00bb\u00bf)?"?sep=([\t\x20-\x7e])"?(?:\r\n|\n|\r)/i;
const MAX_SEP_LINE_LENGTH = 16;
/** The number of bytes in which the delimiter is searched. */
const MAX_HEADER_LENGTH = 64 * 1024;
/** The largest cell, or line read as a whole, in bytes; a longer one was never closed. */
export const MAX_CELL_LENGTH = 1024 * 1024;

/** The format of a CSV file. Its bytes are read as Latin-1, in which each byte is one character. */
export interface CsvDialect {
  /** The character between cells. */
  readonly delimiter: string;
  /** The text before the first cell: a byte order mark, a `sep=` line. */
  readonly preface: string;
}

/** A part of a CSV file: a cell as written, and the character that ends it. */
export interface Cell {
  readonly text: string;
  /** The text between quotation marks, with inner ones doubled; undefined if the cell is not quoted. */
  readonly quoted: string | undefined;
  /** The closing quotation mark; empty if the file ends before it. */
  readonly close: string;
  /** The unquoted text; after a quoted part, text that should not be there. */
  readonly plain: string;
  /** A delimiter, a character that ends a line, or nothing at the end of the file. */
  readonly end: string;
}

/**
 * Detects the format of a file, and returns it with the rest after the preface, which can be read
 * once.
 */
export async function detectCsvDialect(
  file: AsyncIterable<Uint8Array>,
): Promise<CsvDialect & { readonly rest: AsyncIterable<Uint8Array> }> {
  const { found, whole } = await readBeginning(file, (start, isEnd) =>
    isEnd || start.length >= MAX_SEP_LINE_LENGTH
      ? findDialect(start.toString('latin1'), isEnd)
      : undefined,
  );
  return { ...found, rest: skipBytes(found.preface.length, whole) };
}

/** Returns a file without its first bytes, which must be in the first chunk. */
async function* skipBytes(
  bytes: number,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  let left = bytes;
  for await (const chunk of file) {
    yield chunk.subarray(left);
    left = 0;
  }
}

/** Detects the format from the beginning of a file; undefined until the first line is complete. */
function findDialect(start: string, isEnd: boolean): CsvDialect | undefined {
  const [sepLine, delimiterOfLine] = SEP_LINE.exec(start) ?? [];
  if (sepLine !== undefined && delimiterOfLine !== undefined)
    return { delimiter: delimiterOfLine, preface: sepLine };
  const preface = start.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const unquoted = start.replace(/"[^"]*(?:"|$)/g, '');
  const [header = '', ...others] = unquoted.split(/[\r\n]/, 2);
  if (others.length === 0 && !isEnd && start.length < MAX_HEADER_LENGTH) return undefined;
  const cells = (delimiter: string) => header.split(delimiter).length;
  const delimiter = DELIMITERS.reduce((best, one) => (cells(one) > cells(best) ? one : best));
  return { delimiter, preface };
}

/**
 * Rewrites the cells of a file. As in spreadsheets, quotation marks count if a cell begins with one.
 * Between the two characters of a line end is an empty cell. Cells are not collected in lists: these
 * would survive young garbage collections, and n8n's process would grow.
 *
 * @param file the file without its preface.
 * @param rewrite returns the new text of a cell, or its `text` to keep it.
 * @throws {InvalidResponseError} when a cell does not end; also anything that `rewrite` throws.
 */
export async function* rewriteCells(
  file: AsyncIterable<Uint8Array>,
  delimiter: string,
  rewrite: (cell: Cell) => string,
): AsyncGenerator<Uint8Array, undefined> {
  const ends = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, '0')}\\r\\n`;
  const cell = new RegExp(`(?:"([^"]*(?:""[^"]*)*)("|$))?([^${ends}]*)([${ends}]|$)`, 'y');
  let left = '';
  for await (const chunk of file) {
    const { done, rest } = rewriteText(left + Buffer.from(chunk).toString('latin1'), cell, rewrite);
    left = rest;
    if (left.length > MAX_CELL_LENGTH) throw createEndlessCellError();
    yield Buffer.from(done, 'latin1');
  }
  yield Buffer.from(rewriteText(left, cell, rewrite, true).done, 'latin1');
}

/**
 * Rewrites the complete cells of a text.
 *
 * @param isEnd whether the file ends here, so that the last cell is complete without an end character.
 */
function rewriteText(
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

function createEndlessCellError(): InvalidResponseError {
  return new InvalidResponseError({
    code: 'invalid_csv',
    message: 'The exported CSV cannot be read: a cell has no end',
    hint: 'The export lacks a closing quotation mark. To get the file unchanged, choose CSV File and turn off Escape Formulas.',
  });
}

/**
 * Reads the beginning of a file without removing it from the file.
 *
 * @param read returns a result, or undefined to wait for more bytes; at the end it must return one.
 * @throws anything that `read` throws; no more bytes are read then.
 */
async function readBeginning<T>(
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
      if (found !== undefined) return { found, whole: joinChunks(start, chunks) };
    }
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function* joinChunks(
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
