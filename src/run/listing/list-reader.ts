import {
  CancelledError,
  isPossiblyTooLarge,
  NotFoundError,
  ServiceError,
} from '../../client/errors';
import { CircuitBreaker, type RunGuards } from '../run-guards';
import type { Page } from '../responses/page';
import { DistinctRows } from './distinct-rows';
import {
  addGap,
  createIncompleteError,
  formatCut,
  formatShortfall,
  isNearlyComplete,
  withGaps,
  type Gap,
} from './incomplete';
import type { ListingRequest } from './listing';
import { getPrefetchLimit, STREAMED_PAGE_SIZE, toPageRange, type PageRange } from './paging';

/** Minimum number of remembered IDs of a streamed list. For other lists, whose rows stay in memory, all are. */
const REMEMBERED_IDS = 50_000;

/** A page whose request is in flight. */
interface PageInFlight {
  readonly range: PageRange;
  readonly response: Promise<Page>;
}

/**
 * Reads the requested rows of a list, page by page and in order, each row once. It never requests more
 * rows than are wanted or than the credits cover, because rows are charged. It does not follow `next_url`,
 * which could send the key to another host.
 *
 * The service decides whether more rows follow; a known total allows prefetching. If a page fails, the
 * pages in flight still come out, because they were charged.
 */
export class ListReader {
  private readonly rows: DistinctRows;
  private readonly breaker: CircuitBreaker;
  private readonly inFlight: PageInFlight[] = [];
  private readonly gaps: Gap[] = [];
  /** All totals that the service stated, the latest one last. */
  private readonly totals = new Set<number>();
  private total: number | undefined;
  private pageSize: number;
  /** Largest `limit` that the service served. It may return fewer rows for a larger one. */
  private served = 0;
  private pagesRead = 0;
  /** Index of the first row that has not been read. */
  private read: number;
  /** Index of the first row that has not been requested. */
  private planned: number;
  /** Whether a response arrived. */
  private hasResponse = false;
  /** Whether the list has ended, or enough rows have arrived. */
  private hasEnded = false;
  /** Whether the last page said, or may mean, that more rows follow. */
  private isMorePromised = true;
  /** Whether the list ended although more rows were promised. */
  private isDoubtful = false;
  /** Whether the credits did not cover more rows. */
  private isCut = false;
  /** IDs of rows that are requested again; a second time they are free (API spec: Credits, 2). */
  private readonly charged = new Set<string | undefined>();
  /** The first failure of a page. */
  private failure: ServiceError | undefined;

  constructor(
    private readonly list: ListingRequest,
    private readonly guards: RunGuards,
  ) {
    const { idOf, paging, skip = 0, streamed = false, wanted = Infinity } = list;
    this.rows = new DistinctRows(idOf, wanted, streamed ? REMEMBERED_IDS : Infinity);
    this.breaker = new CircuitBreaker(false, guards.breaker);
    this.pageSize = streamed ? Math.min(STREAMED_PAGE_SIZE, paging.size) : paging.size;
    this.planned = skip;
    this.read = skip;
  }

  /**
   * Yields the pages. It sends nothing until the first page is consumed, and always yields a first page,
   * even if that is empty.
   *
   * @throws {ServiceError} when a page fails; its details name the missing rows.
   * @throws {NotAttemptedError} when the credits cover no row, or not the whole list that is needed.
   * @throws {InvalidResponseError} `list_incomplete` when only the whole list is usable and rows may be missing.
   */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    try {
      for (let next = await this.next(); next !== undefined; next = await this.next()) {
        const page = await this.receive(next);
        if (page === undefined || this.isMisplaced(next.range, page)) continue;
        const isRepetition = this.rows.isRepetition(page.rows);
        const rows = isRepetition ? [] : this.rows.take(page.rows);
        if (rows.length > 0 || this.pagesRead === 0) yield { ...page, rows };
        this.advance(next.range, page, isRepetition);
        if (this.rows.missing === 0) break;
      }
    } finally {
      // No page is read anymore, so do not send the requests that still wait in the queue.
      this.breaker.trip('the node stopped reading the list');
    }
    this.conclude();
  }

  private async next(): Promise<PageInFlight | undefined> {
    if (!this.hasEnded && this.failure === undefined) await this.requestMore();
    return this.inFlight.shift();
  }

  /** Requests the next page, or as many as may be prefetched. */
  private async requestMore(): Promise<void> {
    const { paging, isFree = false, streamed = false } = this.list;
    const isTotalAhead = this.total !== undefined && this.total > this.read;
    const mostPages = isTotalAhead ? getPrefetchLimit(this.pagesRead, this.pageSize, streamed) : 1;
    const end = this.read + this.rows.missing;
    const lastWanted = isTotalAhead ? Math.min(end, this.total ?? end) : end;
    while (this.inFlight.length < mostPages && this.planned < lastWanted) {
      const most = Math.min(this.pageSize, end - this.planned);
      const isAlone = this.inFlight.length === 0;
      if (!isAlone && toPageRange(paging.by, this.planned, most).limit > this.served) return;
      if (!isAlone && !isFree && this.guards.credits.available < 1) return;
      const held = isFree ? most : await this.guards.credits.reserveUpTo(most);
      if (held === 0) {
        if (!isAlone) return;
        if (this.pagesRead === 0) throw this.guards.credits.limitError();
        // Credits that cover the stated total are enough.
        this.isCut = this.read < (this.total ?? Infinity);
        this.hasEnded = true;
        return;
      }
      const range = toPageRange(paging.by, this.planned, held);
      if (!isFree) this.guards.credits.settle(held - range.limit, 0);
      this.inFlight.push({ range, response: this.request(range) });
      this.planned += range.limit;
      if (range.limit > this.served) return;
    }
  }

  private request(range: PageRange): Promise<Page> {
    const { fetch, idOf, isFree = false } = this.list;
    const { credits, signal } = this.guards;
    const send = async (): Promise<Page> => {
      const page = await fetch(range, !this.hasResponse, {
        signal,
        beforeSend: this.breaker.assertClosed,
      });
      this.hasResponse = true;
      return page;
    };
    const countCredits = ({ rows }: Page) =>
      rows.filter((row) => !this.charged.has(idOf(row))).length;
    const response = isFree ? send() : credits.sendReserved(range.limit, send, countCredits);
    response.catch((error: unknown) => {
      // Pages that still wait in the queue would be charged, although the list has a gap.
      if (!this.hasEnded && error instanceof ServiceError) this.failure ??= error;
      this.breaker.trip(error);
    });
    return response;
  }

  /** Returns a page; undefined if it failed or lies after the end of the list. */
  private async receive({ range, response }: PageInFlight): Promise<Page | undefined> {
    try {
      return await response;
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof CancelledError) throw error;
      if (this.hasEnded) return undefined;
      if (!this.isMorePromised && isRefusal(error) && range.from >= (this.total ?? 0)) {
        this.hasEnded = true;
        if (this.failure === error) this.failure = undefined;
        return undefined;
      }
      addGap(this.gaps, range.from, Math.min(range.from + range.limit, this.end));
      return undefined;
    }
  }

  /** Index after the last requested row; Infinity if it is unknown. */
  private get end(): number {
    const { skip = 0, wanted = Infinity } = this.list;
    return Math.min(this.total ?? Infinity, skip + wanted);
  }

  /**
   * Returns whether a page may have begun at another row, because the service returns smaller pages than
   * requested: the number of a page counts pages of the service's size. The page is then requested again.
   */
  private isMisplaced({ from, limit }: PageRange, { rows, pagination }: Page): boolean {
    if (limit <= this.served) return false;
    const size = pagination.limit ?? rows.length;
    if (size >= limit) this.served = limit;
    if (size >= limit || rows.length === 0) return false;
    this.pageSize = Math.max(1, size);
    const { idOf, paging } = this.list;
    if (paging.by === 'offset' || from === 0) return false;
    for (const id of rows.map(idOf)) if (id !== undefined) this.charged.add(id);
    this.planned = from;
    return true;
  }

  /** Records a page, and decides whether the list goes on. */
  private advance({ from, limit }: PageRange, { rows, pagination }: Page, isRepetition: boolean) {
    const { idOf, paging, whole = false } = this.list;
    const { hasNext, totalResults } = pagination;
    this.noteTotal(totalResults);
    this.pagesRead += 1;
    this.read = from + rows.length;
    if (this.inFlight.length === 0) {
      this.planned = paging.by === 'offset' ? this.read : from + Math.min(limit, this.pageSize);
    }
    const isFull = rows.length >= Math.min(limit, pagination.limit ?? limit);
    const [first] = rows;
    // The API spec shows no page size for members, so a short page may be a full one.
    const mayBeFull = paging.by === 'offset' && first !== undefined && idOf(first) !== undefined;
    const mayGoOn =
      hasNext ??
      (this.total === undefined
        ? isFull || mayBeFull
        : this.read < this.total || (whole && isFull)); // A total may be capped.
    this.isMorePromised = hasNext ?? (this.total === undefined && isFull);
    if (rows.length === 0 || isRepetition || !mayGoOn) {
      this.hasEnded = true;
      this.isDoubtful ||= mayGoOn && (hasNext === true || (isRepetition && isFull));
    } else if (whole && this.pagesRead === 1 && this.list.isFree !== true) {
      this.guards.credits.check(Math.max(0, (this.total ?? 0) - this.read));
    }
  }

  private noteTotal(total: number | undefined): void {
    if (total === undefined) return;
    this.total = total;
    this.totals.delete(total);
    this.totals.add(total);
  }

  /** Throws the failure of a page, and warns about rows that may be missing. */
  private conclude(): void {
    const { gaps, guards, list, rows, totals, total } = this;
    const { skip = 0, wanted = Infinity, whole = false } = list;
    const { taken, repeated } = rows;
    if (this.failure !== undefined && rows.missing > 0) {
      if (this.pagesRead === 0) throw this.failure;
      addGap(gaps, this.planned, this.end);
      throw withGaps(this.failure, gaps);
    }
    const expected = total === undefined ? undefined : Math.max(0, Math.min(wanted, total - skip));
    if (this.isCut) {
      if (whole) throw guards.credits.limitError();
      guards.warn(formatCut(taken, expected));
      return;
    }
    const isShort = taken < (expected ?? 0);
    const hasChanged = totals.size > 1;
    // A total that was reached outweighs other signs of a change.
    const isUncertain = expected === undefined && (this.isDoubtful || repeated > 0);
    if (!hasChanged && !isUncertain && !isShort) return;
    const figures = { taken, repeated, totals, expected };
    if (!whole) guards.warn(formatShortfall(figures));
    else if (hasChanged || isUncertain || !isNearlyComplete(taken, expected)) {
      throw createIncompleteError(figures, hasChanged || isUncertain || repeated > 0);
    }
  }
}

/** Returns whether a service that is asked for rows after the last one may respond with this error. */
function isRefusal(error: unknown): boolean {
  return isPossiblyTooLarge(error) || error instanceof NotFoundError;
}
