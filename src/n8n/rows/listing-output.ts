import type { IDataObject } from 'n8n-workflow';

import { api } from '../../service/endpoints';
import type { Row } from '../../run/answers/rows';
import type { ServiceError } from '../../client/errors';
import { gapsOf, gapsText } from '../../run/listing/incomplete';
import type { Listing, RowRange } from '../../run/listing/listing';
import { READ_AGAIN } from '../failures';
import { count } from '../figures';
import { FailedMidway } from './per-item';
import type { Output } from './rows';

/** What becomes of the objects beside the rows of a list: values of the option. */
export type Header = 'omit' | 'addToRows' | 'only';

/** What the user chose about the rows of a list. */
export interface ListingForm {
  /** How many rows; undefined for all. */
  readonly wanted: number | undefined;
  /** Whether what the list would cost comes out instead of it. */
  readonly countOnly?: boolean;
  readonly options: {
    /** Rows to leave out before the first. */
    readonly offset: number;
    readonly header?: Header;
  };
}

/** A list whose rows are to come out as items. */
interface ListingRequest {
  /** Reads the rows of a range. */
  readonly read: (range: Required<Omit<RowRange, 'streamed' | 'whole'>>) => Promise<Listing>;
  /** What was asked for, to tell the items apart. */
  readonly asked?: IDataObject;
  /** Rows of a page. */
  readonly pageSize?: number;
  /** Makes of a row what comes out, by the objects beside the rows. */
  readonly shape?: (row: Row, context: Row) => Row;
  /** See {@link Output.columns}. */
  readonly columns?: readonly string[] | undefined;
  /** Whether the user can set Start Page. */
  readonly hasStartPage?: boolean;
}

/**
 * Reads a list and gives one item for each row, or one for the header or the length of the list, for
 * which a single row is asked.
 *
 * @throws {FailedMidway} with the items so far when rows behind them could not be read.
 */
export async function listingOutput(
  { wanted, countOnly = false, options: { offset, header = 'omit' } }: ListingForm,
  { read, asked = {}, pageSize = api.partners.page.max, ...list }: ListingRequest,
): Promise<Output[]> {
  const { shape = (row: Row) => row, columns, hasStartPage = false } = list;
  const isOne = countOnly || header === 'only';
  const listing = await read(
    isOne
      ? { wanted: 1, skip: 0, keepsArrived: false }
      : { wanted, skip: offset, keepsArrived: true },
  );
  if (countOnly) return countOf(listing, asked, pageSize);
  const { rows, total, failure } = listing;
  const context = listing.context as IDataObject;
  if (header === 'only') {
    return [{ json: { ...context, ...(total === undefined ? {} : { total_results: total }) } }];
  }
  const outputs = rows.map((row) => ({
    json: shape(header === 'addToRows' ? { ...context, ...row } : row, context) as IDataObject,
    columns,
  }));
  if (failure === undefined) return outputs;
  const part = { rows: outputs.length, pageSize: hasStartPage ? pageSize : undefined };
  throw new FailedMidway(inPart(failure, part), { outputs });
}

/** What came of a list although a page failed. */
interface Part {
  /** Number of rows that came. */
  readonly rows: number;
  /** Rows of a page as Start Page counts them; undefined where there is no such option. */
  readonly pageSize?: number | undefined;
  /** Where the rows are. */
  readonly hint?: string;
}

/** Returns the failure with the rows that are missing, and how to get them. */
export function inPart(failure: ServiceError, { rows, pageSize, hint = '' }: Part): ServiceError {
  const gaps = gapsOf(failure);
  const [gap] = gaps;
  const page = gap && pageSize && Math.floor((gap.first - 1) / pageSize) + 1;
  const offset = gap && (gap.first - 1) % (pageSize ?? Infinity);
  const options = [
    ...(page === undefined ? [] : [`Start Page ${String(page)}`]),
    ...(offset === undefined || offset === 0 ? [] : [`Offset ${String(offset)}`]),
    ...(gap?.last === undefined ? [] : [`Limit ${String(gap.last - gap.first + 1)}`]),
  ];
  const came = [
    ...(page === undefined ? [] : [`at page ${String(page)}`]),
    `${count(rows, 'row')} came`,
    ...(gaps.length === 0 ? [] : [gapsText(gaps)]),
  ];
  const missing = gap && `To get the missing rows, use ${options.join(', ')}.`;
  return failure.retold({
    message: `${failure.message} (${came.join('; ')})`,
    hint: [failure.hint, hint, missing, READ_AGAIN].filter(Boolean).join(' '),
    details: {
      ...failure.details,
      rows,
      ...(page === undefined ? {} : { next_page: page }),
      ...(offset === undefined || offset === 0 ? {} : { next_offset: offset }),
    },
  });
}

/** One item with the length of a list, and what reading all of it would take. */
function countOf({ total, context }: Listing, asked: IDataObject, pageSize: number): Output[] {
  const cost =
    total === undefined
      ? { note: 'The service does not say how many rows there are.' }
      : {
          total_results: total,
          requests: Math.ceil(total / pageSize),
          credits_at_least: 0,
          credits_at_most: total,
          note: 'Of Return All. At least 0, because companies that anybody in the organization has read in the last 30 days are free.',
        };
  return [{ json: { ...(context as IDataObject), ...asked, ...cost } }];
}
