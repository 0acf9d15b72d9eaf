import { Readable } from 'node:stream';

import {
  NodeOperationError,
  type IBinaryData,
  type IDataObject,
  type IExecuteFunctions,
} from 'n8n-workflow';

import type { Row } from '../../values/json';
import type { Page } from '../../run/responses/page';
import { toError } from '../failures';
import type { Output } from '../items/row-result';
import type { Encoder } from './encoders';

export interface StoredPages {
  /** The file; undefined if it was discarded. */
  readonly binary: IBinaryData | undefined;
  readonly rows: number;
  readonly pages: number;
  readonly first: Pick<Page, 'context' | 'pagination'>;
  /** Why rows are missing; undefined if none are. */
  readonly failure: Error | undefined;
  readonly leftOut: ReadonlySet<string>;
}

interface StoreOptions {
  readonly name: string;
  readonly encoderFor: (firstRows: readonly Row[]) => Encoder;
  /**
   * Whether the file is kept if a page fails, with the rows before it. Otherwise the file is discarded,
   * and n8n removes what was written.
   */
  readonly keepsPart: (failure: Error) => boolean;
}

const NO_PAGE: Page = { rows: [], context: {}, pagination: {} };

/**
 * Streams pages to n8n's binary storage; each page is read when the storage is ready for it.
 *
 * @throws Errors of the first page and of the storage. An error of a later page is returned as `failure`.
 */
export async function storePages(
  context: IExecuteFunctions,
  pages: AsyncIterable<Page>,
  { name, encoderFor, keepsPart }: StoreOptions,
): Promise<StoredPages> {
  const reading = pages[Symbol.asyncIterator]();
  try {
    // Read the first page before the file is created, so that a 404 leaves no file.
    let next = await reading.next();
    const { first, encoder } = beginFile(next.done === true ? NO_PAGE : next.value, encoderFor);
    const came = { rows: 0, pages: 0, failure: undefined as Error | undefined };
    const chunks = async function* (): AsyncGenerator<Buffer> {
      if (encoder.head !== '') yield Buffer.from(encoder.head);
      try {
        for (; next.done !== true; next = await reading.next()) {
          const { rows } = next.value;
          if (rows.length > 0) yield Buffer.from(encoder.encode(rows));
          came.rows += rows.length;
          came.pages += 1;
        }
      } catch (error) {
        came.failure = toError(error);
        if (!keepsPart(came.failure)) throw came.failure;
      }
    };
    const stream = Readable.from(chunks(), { objectMode: false });
    try {
      const file = `${name}.${encoder.extension}`;
      const binary = await context.helpers.prepareBinaryData(stream, file, encoder.mimeType);
      return { binary, first, leftOut: encoder.leftOut, ...came };
    } catch (error) {
      if (came.failure === undefined) throw createStorageError(context, error);
      return { binary: undefined, first, leftOut: encoder.leftOut, ...came };
    }
  } finally {
    await reading.return?.();
  }
}

/** A separate function, so the rows of the first page are not held while a million others follow. */
function beginFile({ rows, context, pagination }: Page, encoderFor: StoreOptions['encoderFor']) {
  return { first: { context, pagination }, encoder: encoderFor(rows) };
}

export async function storeFile(
  context: IExecuteFunctions,
  bytes: Buffer,
  { name, mimeType, fields }: { name: string; mimeType: string; fields: IDataObject },
): Promise<Output> {
  try {
    const data = await context.helpers.prepareBinaryData(bytes, name, mimeType);
    return {
      json: { ...fields, file_name: data.fileName, bytes: bytes.length },
      binary: { data },
    };
  } catch (error) {
    throw createStorageError(context, error);
  }
}

function createStorageError(context: IExecuteFunctions, error: unknown): NodeOperationError {
  return new NodeOperationError(
    context.getNode(),
    `n8n couldn't store the file: ${toError(error).message}`,
    {
      description:
        "Check n8n's binary data storage and its free space. To split a list into smaller files, use Limit and Offset.",
    },
  );
}
