import { pipeline, Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';

import { path } from '../../client/call';
import type { Arriving } from '../../client/client';
import {
  invalidResponse,
  InvalidResponseError,
  ServiceError,
  SOMETHING_ELSE_ANSWERED,
} from '../../client/errors';
import { brokenOff, MAX_STREAM_BYTES, STREAM_TOO_LARGE } from '../../client/exchange/trouble';
import { percentDecoded } from '../../client/values';
import { countOf } from '../../run/answers/rows';
import type { CreditGuard } from '../../run/credit-guard';
import type { Run } from '../../run/run';
import { beginningOf, csvKindOf, withCells, type Cell } from './csv-cells';
import { materialize } from './members';
import { wordsOfList } from './words';

/** A list as the service exports it. */
export interface MembersFile {
  /** As the service names it. */
  readonly fileName: string | undefined;
  /**
   * CSV in UTF-8, otherwise as the service sends it; see {@link exportedCsv}.
   *
   * @throws {ServiceError} when it breaks off.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * `GET /v1/lists/{list_id}/export.csv`: all members as CSV. Credit-charged; how much is not shown
 * (interface: Credits), so that with Max Credits the members are counted first and each counts as
 * 1; without, each line does. Companies read in the last 30 days are free, hence it is sent again after a failure.
 *
 * @throws {NotFoundError} for a list that is unknown or that the user may not see.
 * @throws {NotAttemptedError} when the export may cost more than the run may spend.
 */
export async function exportMembers(run: Run, listId: string): Promise<MembersFile> {
  const send = async (): Promise<MembersFile> =>
    await run.download({
      method: 'GET',
      path: path`/v1/lists/${listId}/export.csv`,
      repeatable: true,
      accept: 'text/csv',
      words: wordsOfList(listId),
      read: readCsvHead,
    });
  if (run.credits.limit === undefined) {
    const file = await send();
    return { ...file, body: meteredCsv(file.body, run.credits) };
  }
  const members = await creditsOfExport(run, listId);
  return await run.credits.spend(members, send, () => members);
}

/**
 * Credits that {@link exportMembers} may cost: the members, counted anew.
 *
 * @throws {InvalidResponseError} when the service does not say how many there are.
 */
export async function creditsOfExport(run: Run, listId: string): Promise<number> {
  const { total_count: total } = await materialize(run, listId);
  const members = countOf(total);
  if (members !== undefined) return members;
  throw invalidResponse(
    'The service did not say how many members the list has, so that Max Credits cannot be kept',
    'Remove Max Credits from the options to export all the same.',
  );
}

/** What is where CSV should be, by how it begins. */
const NOT_CSV = /^\s*(?:<!doctype|<html|<\?xml|[[{]|null\s*$)/i;

function readCsvHead(arriving: Arriving): MembersFile {
  const { headers, start } = arriving;
  const type = headers['content-type'] ?? '';
  const nothing = start.length === 0 && !type.includes('csv');
  if (nothing || /html|json/.test(type) || NOT_CSV.test(Buffer.from(start).toString('utf8'))) {
    throw invalidResponse(
      nothing ? 'The answer is empty' : 'The answer is not CSV',
      SOMETHING_ELSE_ANSWERED,
    );
  }
  return {
    fileName: fileNameIn(headers['content-disposition']),
    body: exportedCsv(arriving),
  };
}

/**
 * The name of a Content-Disposition header (RFC 6266), without any folder, and of the file unpacked. Many
 * frameworks give a name with a space or an umlaut as `filename*` alone.
 */
function fileNameIn(disposition = ''): string | undefined {
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? [];
  const [, quoted, plain = ''] =
    /;\s*filename=(?:"((?:\\"|[^"])*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const given =
    (encoded && percentDecoded(encoded)) ?? utf8Of(quoted?.replaceAll('\\"', '"') ?? plain);
  const name = given.split(/[/\\]/).at(-1)?.trim().replace(/\.gz$/i, '');
  return name === undefined || /^\.*$/.test(name) ? undefined : name;
}

/** Node reads headers as Latin-1; what is UTF-8 in them is hardly ever anything else. */
function utf8Of(header: string): string {
  const text = Buffer.from(header, 'latin1').toString();
  return text.includes('\ufffd') ? header : text;
}

/** How files begin that are no text. */
const BEGINNINGS: ReadonlyArray<readonly [kind: string, beginning: string]> = [
  ['gzip', '1f8b'],
  ['a ZIP archive or an Excel file', '504b0304'],
  ['an empty ZIP archive', '504b0506'],
  ['a bzip2 file', '425a68'],
  ['an xz file', 'fd377a58'],
  ['a Zstandard file', '28b52ffd'],
  ['a 7z archive', '377abcaf'],
  ['an old Excel file', 'd0cf11e0'],
  ['a PDF file', '25504446'],
];
const LONGEST_BEGINNING = 4;

/** Byte order marks, and the encodings they stand for. */
const MARKS: ReadonlyArray<readonly [mark: string, charset: string]> = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/**
 * The text of an exported file, in UTF-8: what is packed by gzip is unpacked, what is in another
 * encoding is put into this one. No other byte changes.
 *
 * @throws {InvalidResponseError} when it is no text, or was cut off.
 */
function exportedCsv({ headers, body }: Arriving): AsyncIterable<Uint8Array> {
  const [, charset = ''] = /;\s*charset="?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  const text = inUtf8(unzipped(body), charset.toLowerCase());
  // Otherwise the end of the connection is all that ends it, and a cut looks like the end.
  const isFramed = 'content-length' in headers || 'transfer-encoding' in headers;
  return isFramed ? text : unlessCut(text);
}

async function* unzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const { found: kind, whole } = await beginningOf(body, textOrGzip);
  if (kind === 'text') yield* whole;
  else yield* gunzipped(whole);
}

function textOrGzip(start: Buffer, isEnd: boolean): 'text' | 'gzip' | undefined {
  if (!isEnd && start.length < LONGEST_BEGINNING) return undefined;
  const hex = start.toString('hex', 0, LONGEST_BEGINNING);
  const [kind = 'text'] = BEGINNINGS.find(([, beginning]) => hex.startsWith(beginning)) ?? [];
  if (kind === 'text' || kind === 'gzip') return kind;
  throw invalidResponse(
    `The export is ${kind}, not CSV`,
    'Whatever stands between n8n and the service, or the service itself, has to send the list as CSV.',
  );
}

async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  // Whatever fails comes out of the unpacker.
  const unpacker = pipeline(Readable.from(body), createGunzip(), () => undefined);
  let bytes = 0;
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_STREAM_BYTES) throw brokenOff(STREAM_TOO_LARGE);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw brokenOff('the compressed file is damaged or was cut off');
  }
}

/** @param charset as the answer names it; a byte order mark knows better. */
async function* inUtf8(
  body: AsyncIterable<Uint8Array>,
  charset: string,
): AsyncGenerator<Uint8Array, undefined> {
  const { found, whole } = await beginningOf(body, (start, isEnd) =>
    isEnd || start.length >= LONGEST_BEGINNING
      ? { decoder: decoderFor(start, charset) }
      : undefined,
  );
  if (found.decoder === undefined) {
    yield* whole;
    return;
  }
  for await (const chunk of whole) {
    const text = found.decoder.decode(chunk, { stream: true });
    if (text !== '') yield Buffer.from(text);
  }
  yield Buffer.from(found.decoder.decode());
}

/** Undefined for UTF-8, and for encodings that nobody knows. */
function decoderFor(start: Buffer, charset: string): TextDecoder | undefined {
  const hex = start.toString('hex', 0, LONGEST_BEGINNING);
  const [, name] = MARKS.find(([mark]) => hex.startsWith(mark)) ?? ['', charset];
  if (/^(?:|utf-?8|(?:us-)?ascii)$/.test(name)) return undefined;
  try {
    return new TextDecoder(name, { ignoreBOM: true });
  } catch {
    return undefined;
  }
}

/**
 * @throws {InvalidResponseError} when the file ends where it cannot end: in a quoted cell, or in a last
 * line that is not ended and has fewer cells than the first one. That it is not ended is common.
 */
async function* unlessCut(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const { delimiter, preface, rest } = await csvKindOf(body);
  const lines = new Lines(delimiter);
  yield Buffer.from(preface, 'latin1');
  yield* withCells(rest, delimiter, (cell) => {
    lines.pass(cell);
    return cell.text;
  });
  if (!lines.areCut) return;
  throw new InvalidResponseError({
    code: 'broken_off',
    message: 'The exported CSV breaks off in the middle of a line',
    hint: 'What had arrived was thrown away. Run again: companies that were sent already are free for 30 days.',
  });
}

class Lines {
  /** After the last cell of the file: whether it cannot be the last. */
  areCut = false;
  private separators = 0;
  private expected: number | undefined;

  constructor(private readonly delimiter: string) {}

  pass({ text, quoted, close, end }: Cell): void {
    if (end === this.delimiter) {
      this.separators += 1;
      return;
    }
    const isEmpty = this.separators === 0 && text === end;
    const isOpen = quoted !== undefined && close === '';
    if (end === '') this.areCut = isOpen || (!isEmpty && this.separators < (this.expected ?? 0));
    else if (!isEmpty) this.expected ??= this.separators;
    this.separators = 0;
  }
}

/**
 * Passes an export on and counts 1 credit for each of its lines behind the first, at most: a company
 * has one line, or more where a cell holds line breaks. An export that breaks off may have been charged
 * as a whole.
 *
 * @throws whatever the body throws.
 */
async function* meteredCsv(
  body: AsyncIterable<Uint8Array>,
  credits: CreditGuard,
): AsyncGenerator<Uint8Array, undefined> {
  let returns = 0;
  let newlines = 0;
  let last: number | undefined;
  const lines = () => {
    const ended = last === undefined || last === 0x0a || last === 0x0d;
    return Math.max(0, Math.max(returns, newlines) + (ended ? 0 : 1) - 1);
  };
  try {
    for await (const chunk of body) {
      for (const byte of chunk) {
        if (byte === 0x0a) newlines += 1;
        else if (byte === 0x0d) returns += 1;
      }
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
  } catch (error) {
    const counted = Math.max(1, lines());
    credits.reserve(counted);
    credits.fail(counted, error);
    throw error;
  }
  credits.settle(0, lines());
}
