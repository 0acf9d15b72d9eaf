import type { IDataObject } from 'n8n-workflow';

import { wholeNumberOf } from '../../api/inputs';
import { CancelledError, ServiceError } from '../../client/errors';
import type { Row } from '../../run/answers/rows';
import { listingOf, type Page, type RowRange } from '../../run/listing/pages';
import { FailedMidway, onErrorOf } from '../failures';
import { headerOf, listingOutput, wantedFor, type Header } from '../per-item/listing-output';
import type { ItemParameters } from '../per-item/parameters';
import type { Output, Session } from '../per-item/per-item';
import { csv } from './csv';
import { ndjson, type Encoder } from './encoder';
import { storePages, type StoredPages } from './store-pages';

/** Values of the `output` parameter. */
const OUTPUTS = ['items', 'csv', 'ndjson'] as const;

/** In what form the rows of a list come out. */
interface RowsForm {
  readonly output: (typeof OUTPUTS)[number];
  readonly escapeFormulas: boolean;
  readonly byteOrderMark: boolean;
}

/** Which rows of a list are wanted, and in what form. */
export interface RowsPlan extends Required<RowRange> {
  readonly form: RowsForm;
  readonly header: Header;
}

/**
 * Reads the parameters that all such lists have.
 *
 * @param pageSize rows of a page, as Start Page counts.
 * @throws {InputError} that names the one which is wrong.
 */
export function rowsPlanOf(parameters: ItemParameters, pageSize: number): RowsPlan {
  const header = headerOf(parameters);
  const option = (name: string) => parameters.in('options', name);
  const yesOrNo = (name: string, label: string) => parameters.yesOrNo(option(name), label);
  const startPage = wholeNumberOf(option('startPage') ?? 1, 'Start Page', { min: 1 });
  const output = parameters.choice(parameters.get('output'), 'Output As', OUTPUTS, 'items');
  return {
    form: {
      output,
      escapeFormulas: yesOrNo('escapeFormulas', 'Escape Formulas') ?? true,
      byteOrderMark: yesOrNo('byteOrderMark', 'Byte Order Mark') ?? false,
    },
    header,
    wanted: wantedFor(header, parameters),
    skip: header === 'only' ? 0 : (startPage - 1) * pageSize,
    streamed: output !== 'items',
  };
}

/** A list whose rows are to come out. */
export interface RowsRequest extends Pick<RowsPlan, 'form' | 'header' | 'skip'> {
  /** What was asked for, to tell the items apart. */
  readonly asked: IDataObject;
  /** What the file is named after. */
  readonly name: string;
  /** Columns of CSV that come first, whatever the rows hold. */
  readonly columns: readonly string[];
  /** Rows of a page, as Start Page counts. */
  readonly pageSize: number;
}

/**
 * Brings the rows of a list out as items, or as one item with a file. A file is streamed to n8n's
 * binary storage page by page; of several items' files one is written at a time. When a page fails,
 * the item fails and says how far it came; with a Continue setting its error item carries the file
 * that far.
 */
export async function rowsOutput(
  { context, inTurn }: Session,
  pages: AsyncIterable<Page>,
  request: RowsRequest,
): Promise<Output[]> {
  const { form, header, skip, pageSize } = request;
  if (form.output === 'items' || header === 'only') {
    return listingOutput(await listingOf(pages), header);
  }
  const continues = onErrorOf(context) !== 'stop';
  const stored = await inTurn(
    async () =>
      await storePages(context, header === 'addToRows' ? withHeader(pages) : pages, {
        name: fileNameOf(request),
        encoderFor: (rows) => encoderOf(form, request.columns, rows),
        keepsPart: (failure) => continues && isOfTheService(failure),
      }),
  );
  const { binary, rows, first, failure } = stored;
  if (failure !== undefined) {
    if (!isOfTheService(failure)) throw failure;
    throw failedMidway(failure, stored, request);
  }
  const { totalResults: total_results } = first.pagination;
  return [
    {
      json: {
        ...(first.context as IDataObject),
        ...request.asked,
        rows,
        pages: stored.pages,
        ...(skip === 0 ? {} : { start_page: skip / pageSize + 1 }),
        ...(total_results === undefined ? {} : { total_results }),
        file_name: binary?.fileName,
      },
      ...(binary === undefined ? {} : { binary: { data: binary } }),
    },
  ];
}

function failedMidway(
  failure: ServiceError,
  { binary, rows, pages }: StoredPages,
  { skip, pageSize }: RowsRequest,
): FailedMidway {
  const end = skip + rows;
  const nextPage = Math.floor(end / pageSize) + 1;
  const repeated = end % pageSize;
  const kept =
    binary === undefined
      ? 'The rows before were not kept, because On Error is Stop Workflow. Run again: companies read in the last 30 days cost nothing. With a Continue setting, the error item carries the rows before as a file.'
      : `The rows before are in the file of the error item; Start Page ${String(nextPage)} goes on${repeated === 0 ? '' : `, with ${String(repeated)} of them again`}.`;
  return new FailedMidway(
    failure.retold({
      message: `${failure.message} (at page ${String(nextPage)}, after ${String(rows)} rows)`,
      hint: `${failure.hint} ${kept}`,
      details: { ...failure.details, rows, pages, next_page: nextPage },
    }),
    binary && { data: { ...binary, fileName: `incomplete-${binary.fileName ?? ''}` } },
  );
}

function isOfTheService(failure: Error): failure is ServiceError {
  return failure instanceof ServiceError && !(failure instanceof CancelledError);
}

async function* withHeader(pages: AsyncIterable<Page>): AsyncGenerator<Page, void, undefined> {
  for await (const page of pages) {
    yield { ...page, rows: page.rows.map((row) => ({ ...page.context, ...row })) };
  }
}

function encoderOf(
  { output, ...options }: RowsForm,
  columns: readonly string[],
  firstRows: readonly Row[],
): Encoder {
  return output === 'csv' ? csv(firstRows, { columns, ...options }) : ndjson;
}

function fileNameOf({ name, skip, pageSize }: RowsRequest): string {
  const from = skip === 0 ? '' : `-from-page-${String(skip / pageSize + 1)}`;
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}${from}`;
}
