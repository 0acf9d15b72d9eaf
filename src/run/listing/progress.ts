import type { Page } from '../responses/page';
import { toPageRange, type ListingRequest, type PageRange } from './listing';

/** `doubtful` if the service promised more rows, `cut` by Max Credits. */
type Ending = 'complete' | 'doubtful' | 'repeated' | 'cut';

export interface Progress {
  readonly totals: readonly number[];
  readonly total: number | undefined;
  readonly pageSize: number;
  /** Largest `limit` that the service served. It may return fewer rows for a larger one. */
  readonly served: number;
  readonly pagesRead: number;
  readonly read: number;
  /** The last page said, or may mean, that more rows follow. */
  readonly isMorePromised: boolean;
  readonly ending: Ending | undefined;
}

export function beginList(pageSize: number, skip: number): Progress {
  return {
    totals: [],
    total: undefined,
    pageSize,
    served: 0,
    pagesRead: 0,
    read: skip,
    isMorePromised: true,
    ending: undefined,
  };
}

/**
 * Rows to request next; undefined if no request can be sent now. A known total allows several at once.
 *
 * @param planned Index of the first row that has not been requested.
 * @param missing Rows that are still wanted.
 */
export function planPage(
  { total, read, pagesRead, pageSize, served }: Progress,
  { paging, streamed = false }: ListingRequest,
  planned: number,
  missing: number,
  inFlight: readonly PageRange[],
): number | undefined {
  const end = read + missing;
  const knownEnd = total !== undefined && total > read ? Math.min(end, total) : undefined;
  const mostPages = knownEnd === undefined ? 1 : getPrefetchLimit(pagesRead, pageSize, streamed);
  if (inFlight.length >= mostPages || planned >= (knownEnd ?? end)) return undefined;
  const most = Math.min(pageSize, end - planned);
  if (inFlight.length === 0) return most;
  // Where a page begins is certain only if the service returns pages of this size.
  const limits = [...inFlight, toPageRange(paging.by, planned, most)].map(({ limit }) => limit);
  return Math.max(...limits) <= served ? most : undefined;
}

export function noteServedSize(
  progress: Progress,
  { limit }: PageRange,
  { rows, pagination }: Page,
): Progress {
  if (limit <= progress.served) return progress;
  const size = pagination.limit ?? rows.length;
  if (size >= limit) return { ...progress, served: limit };
  return rows.length === 0 ? progress : { ...progress, pageSize: Math.max(1, size) };
}

/** A service that returns smaller pages than requested counts pages of its own size. */
export function isMisplaced(
  { served }: Progress,
  { from, limit, query }: PageRange,
  { rows }: Page,
): boolean {
  return limit > served && rows.length > 0 && from !== 0 && query.page !== undefined;
}

export function notePage(
  before: Progress,
  { paging, whole = false }: ListingRequest,
  { from, limit }: PageRange,
  { rows, pagination }: Page,
  isRepetition: boolean,
): Progress {
  const { hasNext, totalResults, limit: stated = limit, isStandard = false } = pagination;
  const total = totalResults ?? before.total;
  const read = from + rows.length;
  const isFull = rows.length >= Math.min(limit, stated);
  // The API spec shows no page size for members, so a short page may be a full one.
  const mayBeFull = isFull || paging.by === 'offset';
  // A total may be capped.
  const isMore = total === undefined ? mayBeFull : read < total || (whole && isFull);
  const isOnlyIfShown = paging.by === 'response';
  const mayGoOn = hasNext ?? (isOnlyIfShown ? read < (total ?? 0) : isMore);
  return {
    ...before,
    total,
    totals:
      totalResults === undefined
        ? before.totals
        : [...before.totals.filter((one) => one !== totalResults), totalResults],
    read,
    pagesRead: before.pagesRead + 1,
    isMorePromised: hasNext ?? (total === undefined && isFull),
    ending: endList(),
  };

  function endList(): Ending | undefined {
    const { ending } = before;
    if (ending !== undefined && ending !== 'complete') return ending;
    if (mayGoOn && isOnlyIfShown && !isStandard) return 'doubtful';
    if (mayGoOn && isRepetition) return total === undefined ? 'repeated' : 'doubtful';
    if (mayGoOn && rows.length === 0) return hasNext === true ? 'doubtful' : 'complete';
    return mayGoOn ? ending : 'complete';
  }
}

/** Of a streamed list, and of all its prefetched pages: they determine its memory use. */
export const STREAMED_PAGE_SIZE = 2_000;
/** A key has up to 10 requests per second (API spec: Rate limits). */
const STREAMED_PREFETCH = 10;
const MAX_PREFETCH = 90;

/** @param pagesRead A total alone does not justify many requests. */
function getPrefetchLimit(pagesRead: number, size: number, streamed: boolean): number {
  return streamed
    ? Math.min(STREAMED_PREFETCH, Math.ceil(STREAMED_PAGE_SIZE / size))
    : Math.min(MAX_PREFETCH, 4 + 4 * pagesRead);
}
