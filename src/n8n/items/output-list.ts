import type { IDataObject } from 'n8n-workflow';

import { CancelledError, ServiceError } from '../../client/errors';
import { joinFirst, joinWithAnd, quote, formatCount } from '../../values/text';
import type { Row } from '../../values/json';
import { formatGaps, getGaps } from '../../run/listing/incomplete';
import { collectListing, type Listing, type RowRange } from '../../run/listing/listing';
import type { Page } from '../../run/responses/page';
import { getFlatColumns, toFlatCompany } from '../../service/flat-company';
import { getOnError, withFreeRereadHint } from '../failures';
import { createCsvEncoder, NDJSON_ENCODER, type CsvOptions, type Encoder } from '../files/encoders';
import { storePages, type StoredPages } from '../files/storage';
import { createHint } from '../run-hints';
import type { Output } from './row-result';
import { PartialFailure, type OperationContext } from './per-item';
import { alignColumns } from './write';

interface ListChoices {
  readonly wanted: number | undefined;
  readonly countOnly?: boolean;
  /** Whether rows about companies are flattened; false if omitted. */
  readonly simplify?: boolean;
  readonly output?: 'items' | 'csv' | 'ndjson';
  /** `offset` is the number of rows to skip. */
  readonly options: { readonly offset: number } & Omit<CsvOptions, 'columns'>;
}

/** Choices with exactly these fields, so that a parameter that is declared but never sent is a type error. */
type Exactly<Shape, Given extends Shape> = Given &
  Readonly<Record<Exclude<keyof Given, keyof Shape>, never>>;

/** Flat rows and the columns that they always have, first and in this order. */
interface FlatRows {
  readonly columns: readonly string[];
  /** @param context The fields that come with the rows of a page. */
  readonly toRow: (row: Row, context: Row) => Row;
}

interface RowSource {
  readonly pages: (range: RowRange) => AsyncIterable<Page>;
  readonly pageSize?: number;
  readonly requestFields?: IDataObject;
  readonly name?: string;
  /** First columns of a CSV file with raw rows, whatever the rows contain. */
  readonly columns?: readonly string[];
  /** Rows with Simplify; those of companies if omitted. */
  readonly flat?: FlatRows;
}

const MAX_NAMED_FIELDS = 5;
const DEFAULT_PAGE_SIZE = 100;

/**
 * Outputs the rows of a list as items, as one item with a file, or as one item with the row count, for
 * which a single row is read. A file is streamed to n8n's binary storage page by page; files of several
 * items are written one at a time.
 *
 * @throws {PartialFailure} With the items so far, or with a Continue setting an incomplete file, if later
 * rows could not be read.
 */
export async function outputList<C extends ListChoices>(
  session: OperationContext,
  choices: Exactly<ListChoices, C>,
  source: RowSource,
): Promise<Output[]> {
  const { wanted, countOnly = false, output = 'items', simplify = false } = choices;
  const { columns: fields = [], pages } = source;
  const range = { wanted, skip: choices.options.offset };
  if (countOnly) return toCountOutput(await collectListing(pages({ wanted: 1 })), source);
  const ofCompanies = { columns: getFlatColumns(fields), toRow: (row: Row) => toFlatCompany(row) };
  const flat = simplify ? (source.flat ?? ofCompanies) : undefined;
  if (output !== 'items') return await outputAsFile(session, { ...source, flat }, choices);
  const { rows, failure } = await collectListing(
    flat === undefined ? pages(range) : toFlatPages(pages(range), flat),
  );
  const outputs = rows.map((json) => ({ json: json as IDataObject, columns: flat?.columns }));
  if (failure === undefined) return outputs;
  throw new PartialFailure(withMissingRows(failure, outputs.length), { outputs });
}

/** @param isAligned Whether all rows of a page get the same columns. */
async function* toFlatPages(
  pages: AsyncIterable<Page>,
  { columns, toRow }: FlatRows,
  isAligned = false,
): AsyncGenerator<Page, void, undefined> {
  for await (const page of pages) {
    const rows = page.rows.map((row) => toRow(row, page.context) as IDataObject);
    yield { ...page, rows: isAligned ? alignColumns(rows, columns) : rows };
  }
}

/** Returns one item with the row count of a list and the maximum cost of reading all of it. */
function toCountOutput(
  { total, context }: Listing,
  { requestFields, pageSize = DEFAULT_PAGE_SIZE }: RowSource,
): Output[] {
  const cost =
    total === undefined
      ? { note: 'The service does not report the number of rows.' }
      : {
          total_results: total,
          requests: Math.ceil(total / pageSize),
          credits_at_most: total,
          note: 'Cost of Return All. Companies that anyone in the organization read in the last 30 days are free.',
        };
  return [{ json: { ...(context as IDataObject), ...requestFields, ...cost } }];
}

async function outputAsFile(
  { context, inTurn }: OperationContext,
  { pages, name = '', flat, columns: fields = [], requestFields }: RowSource,
  { wanted, output, options }: ListChoices,
): Promise<Output[]> {
  const { offset } = options;
  const columns = flat?.columns ?? fields;
  const continues = getOnError(context) !== 'stop';
  const isKept = (failure: Error): failure is ServiceError =>
    failure instanceof ServiceError && !(failure instanceof CancelledError);
  const read = pages({ wanted, skip: offset, streamed: true });
  const stored = await inTurn(
    async () =>
      await storePages(context, flat === undefined ? read : toFlatPages(read, flat, true), {
        name: toFileName(name, offset),
        encoderFor: (firstRows): Encoder =>
          output === 'csv' ? createCsvEncoder(firstRows, { ...options, columns }) : NDJSON_ENCODER,
        keepsPart: (failure) => continues && isKept(failure),
      }),
  );
  const { binary, failure, leftOut, rows, first } = stored;
  if (leftOut.size > 0) {
    const names = joinFirst([...leftOut].map(quote), MAX_NAMED_FIELDS);
    const text = `The CSV file has no column for fields that only later rows have: ${names}. Set Format to NDJSON File to keep them.`;
    context.addExecutionHints(createHint(text, 'warning'));
  }
  if (failure !== undefined) throw isKept(failure) ? createFailedMidway(failure, stored) : failure;
  const { totalResults: total_results } = first.pagination;
  const json: IDataObject = {
    ...(first.context as IDataObject),
    ...requestFields,
    rows,
    pages: stored.pages,
    ...(offset === 0 ? {} : { offset }),
    ...(total_results === undefined ? {} : { total_results }),
    file_name: binary?.fileName,
  };
  return [binary === undefined ? { json } : { json, binary: { data: binary } }];
}

function toFileName(name: string, offset: number): string {
  const from = offset === 0 ? '' : `-from-row-${String(offset + 1)}`;
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}${from}`;
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

/** Returns the failure with the missing rows and how to get them. */
function withMissingRows(failure: ServiceError, rows: number, hint = ''): ServiceError {
  const gaps = getGaps(failure);
  const [gap] = gaps;
  const options = gap && [
    `Offset ${String(gap.first - 1)}`,
    ...(gap.last === undefined ? [] : [`Limit ${String(gap.last - gap.first + 1)}`]),
  ];
  const arrived = [
    `${formatCount(rows, 'row')} read`,
    ...(gap === undefined ? [] : [formatGaps(gaps)]),
  ];
  const missing = options && `To get the missing rows, run again with ${joinWithAnd(options)}.`;
  return failure.copyWith({
    message: `${failure.message} (${arrived.join('; ')})`,
    hint: withFreeRereadHint([failure.hint, hint, missing].filter(Boolean).join(' ')),
    details: {
      ...failure.details,
      rows,
      ...(gap === undefined ? {} : { next_offset: gap.first - 1 }),
    },
  });
}
