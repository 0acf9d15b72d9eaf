import { pipeline, Readable } from 'node:stream';

import type * as CsvParse from 'csv-parse';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { MembersFile } from '../../service/lists/export';
import { InvalidResponseError, ServiceError } from '../../client/errors';
import { toError } from '../failures';
import type { Output } from '../rows/output-items';
import { createStorageError } from './store-pages';

export interface CsvFileOptions {
  readonly output: 'csv' | 'items';
  /** Name chosen by the user. */
  readonly fileName: string | undefined;
  readonly fallbackName: string;
  /** Fields that identify the request. */
  readonly requestFields: IDataObject;
}

/**
 * Outputs a CSV file unchanged, streamed to n8n's binary storage, or parsed to one item per row with
 * cells as text.
 *
 * @throws {ServiceError} If the file is truncated or cannot be parsed.
 */
export async function outputCsvFile(
  context: IExecuteFunctions,
  file: MembersFile,
  options: CsvFileOptions,
): Promise<Output[]> {
  return options.output === 'csv'
    ? [await storeFile(context, file, options)]
    : await parseFile(file);
}

async function storeFile(
  context: IExecuteFunctions,
  file: MembersFile,
  options: CsvFileOptions,
): Promise<Output> {
  const fileName =
    options.fileName ?? file.fileName ?? options.fallbackName.replaceAll(/[/\\]/g, '-');
  try {
    const stream = Readable.from(file.body, { objectMode: false });
    const data = await context.helpers.prepareBinaryData(stream, fileName, 'text/csv');
    return {
      json: { ...options.requestFields, file_name: data.fileName, bytes: data.bytes },
      binary: { data },
    };
  } catch (error) {
    // n8n rethrows errors of the body; all other errors come from its storage.
    throw error instanceof ServiceError ? error : createStorageError(context, error);
  }
}

async function parseFile(file: MembersFile): Promise<Output[]> {
  const { CsvError, parse } = require('csv-parse') as typeof CsvParse;
  const texts = await decodeFile(file);
  const rows = parse({
    delimiter: detectDelimiter(texts.join('').slice(0, MAX_HEADER_LENGTH)),
    columns: (names: string[]) => [...names, ...nameExtraCells(names.length)],
    // Columns with the same name become a list; otherwise the last one would hide the others.
    group_columns_by_name: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_SIZE,
  });
  pipeline(Readable.from(texts), rows, () => undefined);
  const outputs: Output[] = [];
  try {
    for await (const json of rows as AsyncIterable<IDataObject>) outputs.push({ json });
  } catch (error) {
    throw error instanceof CsvError ? createUnreadableError(error.message) : toError(error);
  }
  return outputs;
}

/** The largest row, in bytes; a longer one was never closed. */
const MAX_RECORD_SIZE = 1024 * 1024;
/** Delimiters of a file, the most likely first. */
const DELIMITERS = [',', ';', '\t', '|'];
/** The number of characters in which the delimiter is searched. */
const MAX_HEADER_LENGTH = 64 * 1024;

/** Returns the delimiter that occurs most often in the first line, outside quotation marks. */
function detectDelimiter(start: string): string {
  const [header = ''] = start.replace(/"[^"]*(?:"|$)/g, '').split(/[\r\n]/, 1);
  const cells = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (cells(one) > cells(best) ? one : best));
}

/**
 * Decodes a file without its byte order mark.
 *
 * @throws {InvalidResponseError} If its bytes are not text in its charset.
 */
async function decodeFile({ body, charset }: MembersFile): Promise<string[]> {
  const texts: string[] = [];
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    for await (const bytes of body) texts.push(decoder.decode(bytes, { stream: true }));
    return [...texts, decoder.decode()];
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw createUnreadableError(`its text is not in the charset ${charset}`);
  }
}

/** Maximum number of cells without a column name. */
const UNNAMED_CELLS = 100;

/** Returns names for cells after the last column, because a row can have more cells than the header. */
function nameExtraCells(columns: number): string[] {
  return Array.from({ length: UNNAMED_CELLS }, (_one, at) => `column_${String(columns + at + 1)}`);
}

function createUnreadableError(reason: string): InvalidResponseError {
  return new InvalidResponseError({
    code: 'invalid_csv',
    message: `Could not parse the exported CSV file: ${reason}`,
    hint: 'To get the file unchanged, set Format to CSV File.',
  });
}
