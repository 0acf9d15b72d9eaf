import type { IDataObject } from 'n8n-workflow';

import { api } from '../../service/endpoints';
import type { Row } from '../../run/responses/rows';
import type { ServiceError } from '../../client/errors';
import { joinWithAnd } from '../../input/quote';
import { formatGaps, getGaps } from '../../run/listing/incomplete';
import type { Listing, RowRange } from '../../run/listing/listing';
import { FREE_REREAD_HINT } from '../failures';
import { formatCount } from '../format';
import { PartialFailure } from './per-item';
import type { Output } from './output-items';

/** Values of the option Header: what to do with the fields that come with the rows of a list. */
export type SummaryFields = 'omit' | 'addToRows' | 'only';

/** The user's choices about the rows of a list. */
export interface ListingParameters {
  /** Number of rows to read; undefined for all. */
  readonly wanted: number | undefined;
  /** Whether to return the maximum cost of the list instead of its rows. */
  readonly countOnly?: boolean;
  readonly options: {
    /** Number of rows to skip. */
    readonly offset: number;
    readonly header?: SummaryFields;
  };
}

/** A list whose rows become items. */
interface ListingRequest {
  /** Reads the rows of a range. */
  readonly read: (range: RowRange) => Promise<Listing>;
  /** Fields that identify the request. */
  readonly requestFields?: IDataObject;
  /** Rows per page. */
  readonly pageSize?: number;
  /** Shapes a row, given the fields that come with the rows. */
  readonly shape?: (row: Row, context: Row) => Row;
  /** See {@link Output.columns}. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * Reads a list and returns one item per row, or one item with the header or the row count, for which a
 * single row is read.
 *
 * @throws {PartialFailure} With the items so far, if later rows could not be read.
 */
export async function createListingOutput(
  { wanted, countOnly = false, options: { offset, header = 'omit' } }: ListingParameters,
  { read, requestFields = {}, pageSize = api.partners.page.max, ...list }: ListingRequest,
): Promise<Output[]> {
  const { shape = (row: Row) => row, columns } = list;
  const isOne = countOnly || header === 'only';
  const listing = await read(isOne ? { wanted: 1 } : { wanted, skip: offset });
  if (countOnly) return toCountOutput(listing, requestFields, pageSize);
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
  throw new PartialFailure(withMissingRows(failure, outputs.length), { outputs });
}

/**
 * Returns the failure with the missing rows and how to get them.
 *
 * @param rows Number of rows that are output.
 * @param hint Where the rows are.
 */
export function withMissingRows(failure: ServiceError, rows: number, hint = ''): ServiceError {
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
    hint: [failure.hint, hint, missing, FREE_REREAD_HINT].filter(Boolean).join(' '),
    details: {
      ...failure.details,
      rows,
      ...(gap === undefined ? {} : { next_offset: gap.first - 1 }),
    },
  });
}

/** Returns one item with the row count of a list and the maximum cost of reading all of it. */
function toCountOutput(
  { total, context }: Listing,
  requestFields: IDataObject,
  pageSize: number,
): Output[] {
  const cost =
    total === undefined
      ? { note: 'The service does not report the number of rows.' }
      : {
          total_results: total,
          requests: Math.ceil(total / pageSize),
          credits_at_least: 0,
          credits_at_most: total,
          note: 'Cost of Return All. At least 0, because companies that anyone in the organization read in the last 30 days are free.',
        };
  return [{ json: { ...(context as IDataObject), ...requestFields, ...cost } }];
}
