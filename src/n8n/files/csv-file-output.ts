import { pipeline, Readable } from 'node:stream';

import type * as CsvParse from 'csv-parse';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { detectCsvDialect, MAX_CELL_LENGTH } from '../../service/lists/csv-cells';
import type { MembersFile } from '../../service/lists/export';
import { InvalidResponseError, ServiceError } from '../../client/errors';
import { lazy } from '../../lazy';
import { toError } from '../failures';
import type { Output } from '../rows/rows';
import { guardFormula, guardFile } from './formula-guard';
import { createStorageError } from './store-pages';

const csvParse = lazy(() => require('csv-parse') as typeof CsvParse);

export interface CsvFileOptions {
  readonly output: 'csv' | 'items';
  /** See {@link guardFormula}. */
  readonly escapeFormulas: boolean;
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
export async function csvFileOutput(
  context: IExecuteFunctions,
  file: MembersFile,
  options: CsvFileOptions,
): Promise<Output[]> {
  return options.output === 'csv'
    ? [await storeFile(context, file, options)]
    : await parseFile(file.body, options.escapeFormulas ? guardFormula : (cell) => cell);
}

async function storeFile(
  context: IExecuteFunctions,
  file: MembersFile,
  options: CsvFileOptions,
): Promise<Output> {
  const body = options.escapeFormulas ? guardFile(file.body) : file.body;
  const fileName =
    options.fileName ?? file.fileName ?? options.fallbackName.replaceAll(/[/\\]/g, '-');
  try {
    const stream = Readable.from(body, { objectMode: false });
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

async function parseFile(
  body: AsyncIterable<Uint8Array>,
  finish: (cell: string) => string,
): Promise<Output[]> {
  const { CsvError, parse } = csvParse();
  const { delimiter, rest } = await detectCsvDialect(body);
  const rows = parse({
    delimiter,
    columns: (names: string[]) => [...names, ...nameExtraCells(names.length)],
    // Columns with the same name become a list; otherwise the last one would hide the others.
    group_columns_by_name: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_CELL_LENGTH,
    cast: finish,
  });
  pipeline(Readable.from(rest, { objectMode: false }), rows, () => undefined);
  const outputs: Output[] = [];
  try {
    for await (const json of rows as AsyncIterable<IDataObject>) outputs.push({ json });
  } catch (error) {
    throw error instanceof CsvError ? createUnreadableError(error) : toError(error);
  }
  return outputs;
}

/** Maximum number of cells without a column name. */
const UNNAMED_CELLS = 100;

/** Returns names for cells after the last column, because a row can have more cells than the header. */
function nameExtraCells(columns: number): string[] {
  return Array.from({ length: UNNAMED_CELLS }, (_one, at) => `column_${String(columns + at + 1)}`);
}

function createUnreadableError(error: Error): InvalidResponseError {
  return new InvalidResponseError({
    code: 'invalid_csv',
    message: `Could not parse the exported CSV file: ${error.message}`,
    hint: 'To get the file unchanged, set Output As to CSV File.',
  });
}
