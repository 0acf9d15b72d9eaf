import type { IDataObject } from 'n8n-workflow';

import type { Listing, RowRange } from '../../run/listing/listing';
import type { Shape } from '../../api/flat-company';
import { FailedMidway } from './per-item';
import type { Output } from './rows';

/** What becomes of the objects beside the rows of a list: values of the option. */
export type Header = 'omit' | 'addToRows' | 'only';

/** Which rows to ask for: the header, or their number, alone takes the first one. */
export function rangeFor(
  wanted: number | undefined,
  { header = 'omit', offset }: { readonly header?: Header; readonly offset: number },
  countOnly = false,
): Required<Omit<RowRange, 'streamed' | 'whole'>> {
  return header === 'only' || countOnly
    ? { wanted: 1, skip: 0, keepsArrived: false }
    : { wanted, skip: offset, keepsArrived: true };
}

/**
 * One item for each row, or one for the header.
 *
 * @throws {FailedMidway} with those items when rows behind them could not be read.
 */
export function listingOutput(
  listing: Listing,
  header: Header = 'omit',
  shape: Shape = (row) => row,
): Output[] {
  const context = listing.context as IDataObject;
  if (header === 'only') {
    const total = listing.total === undefined ? {} : { total_results: listing.total };
    return [{ json: { ...context, ...total } }];
  }
  const outputs = listing.rows.map((row) => ({
    json: shape(header === 'addToRows' ? { ...context, ...row } : row) as IDataObject,
  }));
  const { failure } = listing;
  if (failure === undefined) return outputs;
  const message = `${failure.message} (after ${String(outputs.length)} rows)`;
  throw new FailedMidway(failure.retold({ message }), { outputs });
}

/**
 * One item with the length of a list, and what reading all of it would take.
 *
 * @param listing of which one row was asked for.
 * @param asked what was asked for, to tell the items apart.
 * @param pageSize rows of a page.
 */
export function countOutput(
  { total, context }: Listing,
  asked: IDataObject,
  pageSize: number,
): Output[] {
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
