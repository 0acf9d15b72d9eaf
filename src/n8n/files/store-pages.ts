import { Readable } from 'node:stream';

import { NodeOperationError, type IBinaryData, type IExecuteFunctions } from 'n8n-workflow';

import type { Row } from '../../run/answers/rows';
import type { Page } from '../../run/answers/page';
import { asError } from '../failures';
import type { Encoder } from './encoders';

const NO_PAGE: Page = {
  rows: [],
  context: {},
  pagination: { limit: undefined, totalResults: undefined, hasNext: undefined },
};

/** What became of pages that were to be stored as a file. */
export interface StoredPages {
  /** The file; undefined when it was given up. */
  readonly binary: IBinaryData | undefined;
  /** Rows that came. */
  readonly rows: number;
  /** Pages of the service they came in. */
  readonly pages: number;
  /** What the first page said beside its rows. */
  readonly first: Pick<Page, 'context' | 'pagination'>;
  /** Why the rows that came are not all; undefined when they are. */
  readonly failure: Error | undefined;
}

export interface StoreOptions {
  /** Without extension. */
  readonly name: string;
  /** Chooses the form of the file when the first rows are there. */
  readonly encoderFor: (firstRows: readonly Row[]) => Encoder;
  /**
   * Whether a page that fails ends the file, so that what came before it is kept. Otherwise the file
   * is given up, and n8n removes what was written.
   */
  readonly keepsPart: (failure: Error) => boolean;
}

/**
 * Streams pages to n8n's binary storage; each page is taken when the storage has room for it.
 *
 * @throws what reading the first page throws, and what storing throws. A later page that fails is
 * told as `failure`.
 */
export async function storePages(
  context: IExecuteFunctions,
  pages: AsyncIterable<Page>,
  { name, encoderFor, keepsPart }: StoreOptions,
): Promise<StoredPages> {
  const reading = pages[Symbol.asyncIterator]();
  try {
    // Before the file is begun: what the service does not know leaves no file.
    let next = await reading.next();
    const { first, encoder } = begin(next.done === true ? NO_PAGE : next.value, encoderFor);
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
        came.failure = asError(error);
        if (!keepsPart(came.failure)) throw came.failure;
      }
    };
    const stream = Readable.from(chunks(), { objectMode: false });
    try {
      const file = `${name}.${encoder.extension}`;
      const binary = await context.helpers.prepareBinaryData(stream, file, encoder.mimeType);
      return { binary, first, ...came };
    } catch (error) {
      if (came.failure === undefined) throw notStored(context, error);
      return { binary: undefined, first, ...came };
    }
  } finally {
    await reading.return?.();
  }
}

/** By itself, so that the rows of the first page are not kept while a million others follow. */
function begin({ rows, context, pagination }: Page, encoderFor: StoreOptions['encoderFor']) {
  return { first: { context, pagination }, encoder: encoderFor(rows) };
}

/** The failure of n8n's own binary storage. */
export function notStored(context: IExecuteFunctions, error: unknown): NodeOperationError {
  return new NodeOperationError(
    context.getNode(),
    `n8n could not store the file: ${asError(error).message}`,
    {
      description:
        'Check where n8n keeps binary data, and how much room there is. Limit and Start Page divide a list into smaller files.',
    },
  );
}
