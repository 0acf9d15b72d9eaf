import type { IDataObject } from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import type { Row } from '../../run/responses/rows';
import { collectListing, type RowRange } from '../../run/listing/listing';
import type { Page } from '../../run/responses/page';
import { joinFirst, quote } from '../../input/quote';
import { getOnError } from '../failures';
import { createHint } from '../format';
import {
  withMissingRows,
  createListingOutput,
  type SummaryFields,
  type ListingParameters,
} from '../rows/listing-output';
import { PartialFailure, type OperationContext } from '../rows/per-item';
import type { Output } from '../rows/output-items';
import { getOutputColumns, createShape, type RowShape } from '../../service/flat-company';
import { alignColumns } from '../rows/sheet';
import { createCsvEncoder, NDJSON_ENCODER, type CsvOptions, type Encoder } from './encoders';
import { storePages, type StoredPages } from './store-pages';

/** The user's choices about the output of list rows, as items or as a file. */
export interface RowsParameters extends ListingParameters {
  /** Whether rows about companies are flattened; see {@link createShape}. */
  readonly simplify: boolean;
  readonly output: 'items' | 'csv' | 'ndjson';
  readonly options: ListingParameters['options'] & Omit<CsvOptions, 'columns'>;
}

/**
 * Parameters with exactly these fields, so that a parameter that is declared but never sent is a type
 * error.
 */
type Exactly<Shape, Given extends Shape> = Given &
  Readonly<Record<Exclude<keyof Given, keyof Shape>, never>>;

/** A list whose rows are output. */
export interface RowsRequest {
  /** Reads the rows of a range. */
  readonly pages: (range: RowRange) => AsyncIterable<Page>;
  /** Rows per page. */
  readonly pageSize: number;
  /** Fields that identify the request. */
  readonly requestFields: IDataObject;
  /** Base of the file name. */
  readonly name: string;
  /** First columns of a CSV file with raw rows, whatever the rows contain. */
  readonly columns: readonly string[];
  /** See {@link FlatRowOptions.isUndocumented}. */
  readonly isUndocumented?: true;
}

/** A request with the number of rows to skip. */
interface RowsFrom extends RowsRequest {
  readonly skip: number;
}

const MAX_NAMED_FIELDS = 5;

/**
 * Outputs the rows of a list as items, or as one item with a file. A file is streamed to n8n's binary
 * storage page by page; files of several items are written one at a time. If a page fails, the item
 * fails and reports the rows read so far; with a Continue setting, its error item has an incomplete file.
 */
export async function outputRows<F extends RowsParameters>(
  { context, inTurn }: OperationContext,
  parameters: Exactly<RowsParameters, F>,
  list: RowsRequest,
): Promise<Output[]> {
  const { header = 'omit', offset } = parameters.options;
  const { pages, requestFields, pageSize } = list;
  const { wanted, countOnly = false } = parameters;
  const shape = createShape({ ...parameters, isUndocumented: list.isUndocumented });
  const columns = getOutputColumns(parameters, list.columns);
  if (parameters.output === 'items' || countOnly || header === 'only') {
    const read = async (range: RowRange) => await collectListing(pages(range));
    const chosen = { wanted, countOnly, options: { offset, header } };
    const out = { read, requestFields, pageSize, shape, columns };
    return await createListingOutput(chosen, out);
  }
  const request = { ...list, skip: offset };
  const read = pages({ wanted, skip: offset, streamed: true });
  const continues = getOnError(context) !== 'stop';
  const stored = await inTurn(
    async () =>
      await storePages(context, shapePages(read, header, shape, columns), {
        name: toFileName(request),
        encoderFor: (rows) => createEncoder(parameters, columns ?? list.columns, rows),
        keepsPart: (failure) => continues && isServiceError(failure),
      }),
  );
  const { binary, failure, leftOut } = stored;
  if (leftOut.size > 0) {
    const names = joinFirst([...leftOut].map(quote), MAX_NAMED_FIELDS);
    context.addExecutionHints(
      createHint(
        `The CSV file has no column for fields that only later rows have: ${names}. Set Format to NDJSON File to keep them.`,
        'warning',
      ),
    );
  }
  if (failure !== undefined) {
    throw isServiceError(failure) ? createFailedMidway(failure, stored) : failure;
  }
  return [
    {
      json: toFileJson(stored, request),
      ...(binary === undefined ? {} : { binary: { data: binary } }),
    },
  ];
}

function toFileJson(
  { binary, rows, pages, first }: StoredPages,
  { requestFields, skip }: RowsFrom,
): IDataObject {
  const { totalResults: total_results } = first.pagination;
  return {
    ...(first.context as IDataObject),
    ...requestFields,
    rows,
    pages,
    ...(skip === 0 ? {} : { offset: skip }),
    ...(total_results === undefined ? {} : { total_results }),
    file_name: binary?.fileName,
  };
}

function createFailedMidway(
  failure: ServiceError,
  { binary, rows, pages }: StoredPages,
): PartialFailure {
  const hint =
    binary === undefined
      ? 'No rows were kept, because On Error is Stop Workflow. With a Continue setting, the error item has a file with the rows read so far.'
      : 'The file of the error item has the rows read so far.';
  const failed = withMissingRows(failure, rows, hint);
  return new PartialFailure(failed.copyWith({ details: { ...failed.details, pages } }), {
    binary: binary && { data: { ...binary, fileName: `incomplete-${binary.fileName ?? ''}` } },
  });
}

function isServiceError(failure: Error): failure is ServiceError {
  return failure instanceof ServiceError && !(failure instanceof CancelledError);
}

async function* shapePages(
  pages: AsyncIterable<Page>,
  header: SummaryFields,
  shape: RowShape,
  columns: readonly string[] | undefined,
): AsyncGenerator<Page, void, undefined> {
  for await (const page of pages) {
    const { context, rows } = page;
    const shaped: RowShape =
      header === 'addToRows' ? (row) => shape({ ...context, ...row }) : shape;
    const own = rows.map(shaped) as IDataObject[];
    yield { ...page, rows: columns === undefined ? own : alignColumns(own, columns) };
  }
}

function createEncoder(
  { output, options }: RowsParameters,
  columns: readonly string[],
  firstRows: readonly Row[],
): Encoder {
  if (output !== 'csv') return NDJSON_ENCODER;
  return createCsvEncoder(firstRows, { ...options, columns });
}

function toFileName({ name, skip }: RowsFrom): string {
  const from = skip === 0 ? '' : `-from-row-${String(skip + 1)}`;
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}${from}`;
}
