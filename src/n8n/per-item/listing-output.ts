import type { IDataObject } from 'n8n-workflow';

import type { Listing, RowRange } from '../../run/listing/pages';
import { AS_IT_IS, type Shape } from '../result-shape';
import type { Output } from './session';

/** What becomes of the objects that stand beside the rows of a list: values of the option. */
export type Header = 'omit' | 'addToRows' | 'only';

/** Which rows to ask for: the header alone takes the first one. */
export function rangeFor(
  wanted: number | undefined,
  { header = 'omit', offset }: { readonly header?: Header; readonly offset: number },
): Required<Omit<RowRange, 'streamed'>> {
  return header === 'only' ? { wanted: 1, skip: 0 } : { wanted, skip: offset };
}

/** One item for each row, or one for the header. */
export function listingOutput(
  listing: Listing,
  header: Header = 'omit',
  shape: Shape = AS_IT_IS,
): Output[] {
  const context = listing.context as IDataObject;
  if (header === 'only') {
    const total = listing.total === undefined ? {} : { total_results: listing.total };
    return [{ json: { ...context, ...total } }];
  }
  return listing.rows.map((row) => ({
    json: shape(header === 'addToRows' ? { ...context, ...row } : row) as IDataObject,
  }));
}
